// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension ProviderTemplate {
    static let package = """
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
                // What the extension and its app share.
                .target(name: "__NAME__Accounts", dependencies: [services]),
                // Latchkey starts it: build/__NAME__/PlugIns/__NAME__.appex/__NAME__
                .executableTarget(name: "__NAME__Extension", dependencies: ["__NAME__Accounts", services]),
                // The user starts it: build/__NAME__/__NAME__
                .executableTarget(name: "__NAME__App", dependencies: ["__NAME__Accounts", services]),
                .testTarget(name: "__NAME__AccountsTests", dependencies: ["__NAME__Accounts"]),
            ]
        )

        """

    static let makefile = """
        # `make` builds and puts the bundle together, `make install` hands it to Latchkey.

        CONFIGURATION ?= release
        # Isolated, the provider sees no Swift of your home: a release has the libraries that it needs beside it, once for all of
        # the bundle's programs. Symbols serve a debugger only, and are a third of a file.
        RELEASE := $(filter release,$(CONFIGURATION))
        RPATH := -rpath=$$ORIGIN/Frameworks:$$ORIGIN/PlugIns/__NAME__.appex/Frameworks
        FLAGS := -c $(CONFIGURATION) $(if $(RELEASE),-Xswiftc -no-toolchain-stdlib-rpath -Xlinker '$(RPATH)')
        LATCHKEY ?= latchkey
        APP := build/__NAME__
        APPEX := $(APP)/PlugIns/__NAME__.appex

        SWIFT := $(shell swiftc -print-target-info | sed -n '/"runtimeLibraryPaths"/{n;s/^ *"\\(.*\\)",\\{0,1\\}$$/\\1/p}')

        define FRAMEWORKS
        	@test -n '$(SWIFT)' || { echo "swiftc names no folder of Swift's libraries." >&2; exit 1; }
        	strip $(APPEX)/__NAME__ $(APP)/__NAME__
        	mkdir $(APPEX)/Frameworks
        	LD_LIBRARY_PATH='$(SWIFT)' ldd $(APPEX)/__NAME__ $(APP)/__NAME__ | sed -n 's|^.* => \\($(SWIFT)/[^ ]*\\) .*|\\1|p' | sort -u | \\
        	    while read -r each; do strip --strip-unneeded -o "$(APPEX)/Frameworks/$${each##*/}" "$$each" || exit 1; done
        	@test -e $(APPEX)/Frameworks/libswiftCore.so || { echo "No Swift library was found in '$(SWIFT)'." >&2; exit 1; }
        endef

        .PHONY: all install test check clean

        all:
        	swift build $(FLAGS)
        	rm -rf build
        	mkdir -p $(APPEX)
        	cp Bundle/Info.plist Bundle/__NAME__.entitlements $(APPEX)
        	cp "$$(swift build $(FLAGS) --show-bin-path)/__NAME__Extension" $(APPEX)/__NAME__
        	cp "$$(swift build $(FLAGS) --show-bin-path)/__NAME__App" $(APP)/__NAME__
        	$(if $(RELEASE),$(FRAMEWORKS))

        install: all
        	$(LATCHKEY) providers install $(APP)
        	@echo "Now: $(LATCHKEY) providers enable __IDENTIFIER__"

        test:
        	swift test

        # Whether it does what Latchkey's protocol asks of a provider. Accounts are made by its configuration: `make check
        # ANSWERS=answers.json` says what is entered there (`latchkey help providers test`).
        check: all
        	$(LATCHKEY) providers test $(APPEX) $(if $(ANSWERS),--answers $(ANSWERS))

        clean:
        	rm -rf .build build

        """

    static let readme = """
        # __NAME__

        A credential provider for Latchkey.

            make              # builds, and puts build/__NAME__ together
            make test         # its own tests
            make check        # does it do what Latchkey asks of a provider?
            make install      # hands it to Latchkey
            latchkey providers enable __IDENTIFIER__
            latchkey providers configure __IDENTIFIER__

        `Sources/__NAME__Extension` is the extension: the view controller that Latchkey asks for credentials.
        `Sources/__NAME__App` is the app around it, `Sources/__NAME__Accounts` what both share, and `Bundle` what the
        extension says of itself. With `LATCHKEY_PACKAGE=/path/to/latchkey` a checkout on this machine is built against.

        """

    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    static let info =
        head + """
            <dict>
                <key>CFBundleIdentifier</key>
                <string>__IDENTIFIER__</string>
                <key>CFBundleDisplayName</key>
                <string>__NAME__</string>
                <key>CFBundleShortVersionString</key>
                <string>0.1</string>
                <key>CFBundleExecutable</key>
                <string>__NAME__</string>
                <key>NSExtension</key>
                <dict>
                    <key>NSExtensionPointIdentifier</key>
                    <string>com.apple.authentication-services-credential-provider-ui</string>
                    <key>NSExtensionPrincipalClass</key>
                    <string>CredentialProviderViewController</string>
                    <key>NSExtensionAttributes</key>
                    <dict>
                        <key>ASCredentialProviderExtensionCapabilities</key>
                        <dict>
                            <key>ProvidesPasswords</key>
                            <true/>
                            <key>ShowsConfigurationUI</key>
                            <true/>
                        </dict>
                    </dict>
                </dict>
            </dict>
            </plist>

            """

    static let entitlements =
        head + """
            <dict>
                <key>com.apple.developer.authentication-services.autofill-credential-provider</key>
                <true/>
            </dict>
            </plist>

            """
}
