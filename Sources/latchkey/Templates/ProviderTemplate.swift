// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import TerminalRendering

/// A provider to begin with: a package that builds, is installed, passes `latchkey providers test`, and has tests.
struct ProviderTemplate {
    /// Where the package of Latchkey is, for those who depend on it.
    static let packageURL = "https://github.com/latchkey/latchkey.git"

    let name: String
    let identifier: String

    /// Refuses names that are no names of Swift modules and files alike.
    init(name: String, identifier: String? = nil) throws(CommandFailure) {
        let letters = name.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        }
        guard letters, let first = name.unicodeScalars.first, ("A"..."Z").contains(first), name.count <= 40 else {
            throw CommandFailure(
                .invalidInput, "\(name) is not a name for a provider.",
                hint: "It begins with a capital and has letters and digits of ASCII only, 40 at most.")
        }
        guard !Self.taken.contains(name) else {
            throw CommandFailure(.invalidInput, "\(name) is the name of a module that the provider needs.")
        }
        let identifier = identifier ?? "com.example.\(name.lowercased())"
        guard let checked = BundleIdentifier(identifier), checked != .builtIn else {
            throw CommandFailure(
                .invalidInput, "\(identifier) is not a bundle identifier.", hint: "One looks like com.example.vault.")
        }
        self.name = name
        self.identifier = identifier
    }

    private static let taken: Set<String> = [
        "AuthenticationServices", "Foundation", "Swift", "Testing", "XCTest", "Glibc", "Dispatch",
    ]

    /// Every file of the package by its path.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", Self.package), ("Makefile", Self.makefile), ("README.md", Self.readme),
            (".gitignore", "/.build\n/build\n"), ("Bundle/Info.plist", Self.info),
            ("Bundle/__NAME__.entitlements", Self.entitlements),
            ("Sources/__NAME__Accounts/Account.swift", Self.account),
            ("Sources/__NAME__Accounts/AccountList.swift", Self.accountList),
            ("Sources/__NAME__Extension/CredentialProviderViewController.swift", Self.viewController),
            ("Sources/__NAME__Extension/main.swift", Self.extensionMain),
            ("Sources/__NAME__App/__NAME__App.swift", Self.app),
            ("Tests/__NAME__AccountsTests/AccountListTests.swift", Self.tests),
        ].map { (filled($0.0), filled($0.1)) }
    }

    func filled(_ text: String) -> String {
        text.replacing("__NAME__", with: name).replacing("__IDENTIFIER__", with: identifier)
            .replacing("__URL__", with: Self.packageURL).replacing("__VERSION__", with: latchkeyVersion)
            // Ten characters that Apple gives out; any will do for an app that is on no iOS device.
            .replacing("__APP__", with: "E5336VM85F." + identifier)
            .replacing("__DOMAIN__", with: identifier.split(separator: ".").reversed().joined(separator: "."))
    }
}
