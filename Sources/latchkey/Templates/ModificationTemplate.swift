// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// An account authentication modification extension to begin with: the app's folder with the extension in it.
extension ProviderTemplate {
    /// Every file of such a package by its path.
    var modificationFiles: [(path: String, text: String)] {
        [
            ("Package.swift", Self.modificationPackage), ("Makefile", Self.modificationMakefile),
            ("README.md", Self.modificationReadme), (".gitignore", "/.build\n/build\n"),
            ("Bundle/Info.plist", Self.modificationInfo), ("Bundle/Extension.entitlements", Self.modificationGrants),
            ("Bundle/__NAME__.entitlements", Self.appEntitlements),
            ("Sources/__NAME__Upgrade/UpgradeViewController.swift", Self.upgradeViewController),
            ("Sources/__NAME__Upgrade/AccountServer.swift", Self.accountServer),
            ("Sources/__NAME__Upgrade/main.swift", Self.upgradeMain),
        ].map { (filled($0.0), filled($0.1)) }
    }

    private static let modificationPackage = """
        // swift-tools-version: 6.2
        import FoundationEssentials
        import PackageDescription

        // A checkout of Latchkey on this machine, for those who work on both.
        let path = ProcessInfo.processInfo.environment["LATCHKEY_PACKAGE"]
        let latchkey: Package.Dependency =
            path.map { .package(name: "latchkey", path: $0) } ?? .package(url: "__URL__", from: "__VERSION__")
        let services: Target.Dependency = .product(name: "AuthenticationServices", package: "latchkey")

        let package = Package(
            name: "__NAME__",
            dependencies: [latchkey],
            targets: [
                // Latchkey starts it: build/__NAME__/PlugIns/__NAME__Upgrade.appex/__NAME__Upgrade
                .executableTarget(name: "__NAME__Upgrade", dependencies: [services])
            ]
        )

        """

    private static let modificationMakefile = """
        # `make` builds and puts the bundle together, `make check` asks of it what Latchkey will, `make install` hands it to Latchkey.

        CONFIGURATION ?= release
        # Isolated, the extension sees no Swift of your home: a release has the libraries that it needs beside it, once for all of
        # the bundle's programs. Symbols serve a debugger only, and are a third of a file.
        RELEASE := $(filter release,$(CONFIGURATION))
        RPATH := -rpath=$$ORIGIN/Frameworks:$$ORIGIN/PlugIns/__NAME__Upgrade.appex/Frameworks
        FLAGS := -c $(CONFIGURATION) $(if $(RELEASE),-Xswiftc -no-toolchain-stdlib-rpath -Xlinker '$(RPATH)')
        LATCHKEY ?= latchkey
        APP := build/__NAME__
        APPEX := $(APP)/PlugIns/__NAME__Upgrade.appex

        SWIFT := $(shell swiftc -print-target-info | sed -n '/"runtimeLibraryPaths"/{n;s/^ *"\\(.*\\)",\\{0,1\\}$$/\\1/p}')

        define FRAMEWORKS
        	@test -n '$(SWIFT)' || { echo "swiftc names no folder of Swift's libraries." >&2; exit 1; }
        	strip $(APPEX)/__NAME__Upgrade
        	mkdir $(APPEX)/Frameworks
        	LD_LIBRARY_PATH='$(SWIFT)' ldd $(APPEX)/__NAME__Upgrade | sed -n 's|^.* => \\($(SWIFT)/[^ ]*\\) .*|\\1|p' | sort -u | \\
        	    while read -r each; do strip --strip-unneeded -o "$(APPEX)/Frameworks/$${each##*/}" "$$each" || exit 1; done
        	@test -e $(APPEX)/Frameworks/libswiftCore.so || { echo "No Swift library was found in '$(SWIFT)'." >&2; exit 1; }
        endef

        .PHONY: all check install clean

        # Your app belongs into $(APP), beside its entitlements: the extension is the one of this app.
        all:
        	swift build $(FLAGS)
        	rm -rf build
        	mkdir -p $(APPEX)
        	cp Bundle/__NAME__.entitlements $(APP)
        	cp Bundle/Info.plist Bundle/Extension.entitlements $(APPEX)
        	cp "$$(swift build $(FLAGS) --show-bin-path)/__NAME__Upgrade" $(APPEX)/__NAME__Upgrade
        	$(if $(RELEASE),$(FRAMEWORKS))

        # With an account of your test service: `make check ACCOUNT=account.json`, {"user": …, "password": …, "newPassword": …}.
        check: all
        	$(LATCHKEY) providers test $(APPEX) $(if $(ACCOUNT),--account $(ACCOUNT))

        install: all
        	$(LATCHKEY) providers install $(APP)
        	@echo "Now: $(LATCHKEY) providers enable __IDENTIFIER__.upgrade"

        clean:
        	rm -rf .build build

        """

    private static let modificationReadme = """
        # __NAME__

        An account authentication modification extension for Latchkey: it changes the passwords of __NAME__'s accounts.

            make              # builds, and puts build/__NAME__ together
            make check        # what Latchkey will ask of it
            make install      # hands it to Latchkey
            latchkey providers enable __IDENTIFIER__.upgrade
            latchkey upgrade __DOMAIN__

        1. `Bundle/__NAME__.entitlements` says which app it is and which domains are its own. The site of each has to serve
           `/.well-known/apple-app-site-association` with `{"webcredentials": {"apps": ["__APP__"]}}`;
           `latchkey associations check __DOMAIN__ --app __APP__` looks.
        2. `Sources/__NAME__Upgrade/AccountServer.swift` talks to your server: put in how.
        3. `Bundle/Info.plist` has the rules for new passwords, in the language of `latchkey rules`.

        With `LATCHKEY_PACKAGE=/path/to/latchkey` a checkout on this machine is built against.

        """

    private static let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    private static let modificationInfo =
        plist + """
            <dict>
                <key>CFBundleIdentifier</key>
                <string>__IDENTIFIER__.upgrade</string>
                <key>CFBundleDisplayName</key>
                <string>__NAME__</string>
                <key>CFBundleShortVersionString</key>
                <string>0.1</string>
                <key>CFBundleExecutable</key>
                <string>__NAME__Upgrade</string>
                <key>NSExtension</key>
                <dict>
                    <key>NSExtensionPointIdentifier</key>
                    <string>com.apple.authentication-services-account-authentication-modification-ui</string>
                    <key>NSExtensionPrincipalClass</key>
                    <string>UpgradeViewController</string>
                    <key>NSExtensionAttributes</key>
                    <dict>
                        <key>ASAccountAuthenticationModificationSupportsStrongPasswordChange</key>
                        <true/>
                        <key>ASAccountAuthenticationModificationPasswordGenerationRequirements</key>
                        <string>minlength: 16; required: lower; required: upper; required: digit</string>
                    </dict>
                </dict>
            </dict>
            </plist>

            """

    private static let modificationGrants =
        plist + """
            <dict>
                <key>com.apple.security.network.client</key>
                <true/>
            </dict>
            </plist>

            """

    private static let appEntitlements =
        plist + """
            <dict>
                <key>application-identifier</key>
                <string>__APP__</string>
                <key>com.apple.developer.associated-domains</key>
                <array>
                    <string>webcredentials:__DOMAIN__</string>
                </array>
            </dict>
            </plist>

            """

    private static let upgradeViewController = """
        import AuthenticationServices

        /// Changes the password of an account. There is one for each request.
        final class UpgradeViewController: ASAccountAuthenticationModificationViewController {
            /// Nothing may be shown; where the user has to be asked first, cancel with `.userInteractionRequired`.
            override func changePasswordWithoutUserInteraction(
                for serviceIdentifier: ASCredentialServiceIdentifier,
                existingCredential: ASPasswordCredential,
                newPassword: String,
                userInfo: [AnyHashable: Any]?
            ) {
                let (user, password) = (existingCredential.user, existingCredential.password)
                Task {
                    switch await AccountServer().changePassword(of: user, from: password, to: newPassword, code: nil) {
                    case .changed: complete(user, newPassword)
                    case .codeNeeded:
                        extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
                    case .refused(let reason): fail(reason)
                    }
                }
            }

            /// The same with an interface. Latchkey draws a Cancel of its own and calls `cancelRequest()` for it.
            override func prepareInterfaceToChangePassword(
                for serviceIdentifier: ASCredentialServiceIdentifier,
                existingCredential: ASPasswordCredential,
                newPassword: String,
                userInfo: [AnyHashable: Any]?
            ) {
                let (user, password) = (existingCredential.user, existingCredential.password)
                let message = MessageView("__NAME__ has sent you a code.")
                let code = TextField(label: "Code")
                view.addSubview(message)
                view.addSubview(code)
                view.addSubview(
                    ButtonView("Change Password", style: .default) { [weak self] in
                        let typed = code.text
                        Task {
                            let server = AccountServer()
                            switch await server.changePassword(of: user, from: password, to: newPassword, code: typed) {
                            case .changed: self?.complete(user, newPassword)
                            case .codeNeeded: message.text = "That is not the code."
                            case .refused(let reason): self?.fail(reason)
                            }
                        }
                    })
            }

            /// Only when the server has the new password: Latchkey takes it over then.
            private func complete(_ user: String, _ password: String) {
                extensionContext.completeChangePasswordRequest(
                    updatedCredential: ASPasswordCredential(user: user, password: password))
            }

            private func fail(_ sentence: String) {
                let reason = [ASExtensionLocalizedFailureReasonErrorKey: sentence]
                extensionContext.cancelRequest(withError: ASExtensionError(.failed, userInfo: reason))
            }
        }

        """

    private static let accountServer = """
        /// Your own server.
        struct AccountServer {
            enum Answer {
                case changed
                /// It has sent the user a code and wants it.
                case codeNeeded
                /// It says no; the sentence is shown to the user.
                case refused(String)
            }

            /// Changes the password. The old one is empty where your app asked: it gave a token along instead.
            func changePassword(
                of user: String, from password: String, to newPassword: String, code: String?
            ) async -> Answer {
                // Send all of it to your server here. Until you do, nothing is changed, and this says so.
                .refused("__NAME__ does not know its server yet.")
            }
        }

        """

    private static let upgradeMain = """
        import AuthenticationServices

        AccountModificationExtension.main({ UpgradeViewController() }, name: "__NAME__", version: "0.1")

        """
}
