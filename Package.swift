// swift-tools-version: 6.2
// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Every target of ours is held to the same rules; nothing opts out.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// For rooms that wait for people or for other processes: their size counts for more than their speed. SwiftPM refuses such a flag in what
/// other packages link.
let small: [SwiftSetting] = strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// For what apps and providers link, too: those are built without the flag that SwiftPM refuses, and `make build` asks for it.
let smallHere: [SwiftSetting] = Context.environment["LATCHKEY_SMALL"] == nil ? strict : small

/// Sources of providers are held to what their authors' projects are; that they compile as they are is what they test.
let authored: [SwiftSetting] = [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
/// Only `AutoFillFetching` reads tokens: they come from the network.
let signatures: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

let package = Package(
    name: "latchkey",
    products: [
        .library(name: "AuthenticationServices", targets: ["AuthenticationServices"]),
        .library(name: "Security", targets: ["Security"]),
        .library(name: "UIKit", targets: ["UIKit"]),
        .library(name: "FormAnalysis", targets: ["FormAnalysis"]),
        .library(name: "PasswordRules", targets: ["PasswordRules"]),
        .library(name: "SecurityCodes", targets: ["SecurityCodes"]),
        .executable(name: "latchkey", targets: ["latchkey"]),
        .executable(name: "latchkeyd", targets: ["latchkeyd"]),
        .executable(name: "latchkey-browser-host", targets: ["latchkey-browser-host"]),
        .executable(name: "git-credential-latchkey", targets: ["git-credential-latchkey"]),
        .executable(name: "latchkey-passwords", targets: ["latchkey-passwords"]),
        .executable(name: "latchkey-pass", targets: ["latchkey-pass"]),
        .executable(name: "latchkey-fetch", targets: ["latchkey-fetch"]),
        .executable(name: "latchkey-net", targets: ["latchkey-net"]),
        .executable(name: "latchkey-mail", targets: ["latchkey-mail"]),
        .executable(name: "latchkey-enter", targets: ["latchkey-enter"]),
        .executable(name: "latchkey-desktop", targets: ["latchkey-desktop"]),
        .executable(name: "latchkey-app", targets: ["latchkey-app"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    ],
    targets: [
        .target(name: "CLinux"),
        // Makes the filter of system calls for sandboxes; in latchkey-enter alone.
        .target(name: "CSeccomp", linkerSettings: [.linkedLibrary("seccomp")]),
        .target(name: "CWipe"),
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        // ICU's own headers stay inside: Swift's Foundation carries ICU too, with other definitions of the same names.
        .target(name: "CICU", linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]),
        .systemLibrary(name: "CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
        // The words of zxcvbn with their ranks: a table, made by scripts/make-common-words.
        .target(name: "CCommonWords", exclude: ["LICENSE"]),
        .systemLibrary(name: "CZxcvbn", providers: [.apt(["libzxcvbn-dev"])]),
        // The accessibility bus, and what the panel beside a field is drawn by: in latchkey-desktop alone.
        .systemLibrary(name: "CGIO", pkgConfig: "gio-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(
            name: "CGTK", pkgConfig: "gtk+-3.0",
            providers: [.apt(["libgtk-3-dev", "libxrandr-dev", "libxtst-dev"])]),
        // What the app's window is made of: in latchkey-app alone. GTK 3 and GTK 4 cannot be in one process.
        .systemLibrary(name: "CAdwaita", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        // What speaks to the network: in `AutoFillFetching`, and so in `latchkey-fetch`, and in no other program.
        .target(
            name: "CCurl",
            linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .target(name: "FormAnalysis", swiftSettings: strict),
        .target(name: "PasswordRules", swiftSettings: strict),
        .target(name: "PropertyLists", swiftSettings: strict),
        .target(name: "ShownText", swiftSettings: strict),
        .target(name: "FormReading", dependencies: ["CLibXML2", "FormAnalysis"], swiftSettings: strict),
        .target(name: "SecurityCodes", dependencies: [crypto], swiftSettings: strict),
        // What strangers' mails are read by: in latchkey-mail alone.
        .target(name: "MailReading", dependencies: ["SecurityCodes"], swiftSettings: strict),
        .executableTarget(
            name: "latchkey-mail", dependencies: ["CLinux", "MailReading"], swiftSettings: strict),
        .target(name: "AutoFillSecrets", dependencies: ["CLinux", "CArgon2", crypto], swiftSettings: strict),
        .target(name: "AutoFillCredentials", dependencies: ["AutoFillSecrets"], swiftSettings: strict),
        .target(
            name: "SecurityRecommendations",
            dependencies: ["AutoFillSecrets", "CCommonWords", "CPSL", "CZxcvbn", crypto],
            swiftSettings: strict),
        .target(
            name: "AutoFillMatching", dependencies: ["AutoFillCredentials", "AutoFillSecrets", "CICU", "CPSL"],
            swiftSettings: strict),
        .target(
            name: "AutoFillAssociations",
            dependencies: ["AutoFillCredentials", "AutoFillIPC", "AutoFillMatching", "AutoFillSecrets"],
            swiftSettings: small),
        .target(
            name: "AutoFillIdentityStore",
            dependencies: [
                "AutoFillCredentials", "AutoFillMatching", "AutoFillSecrets", "SQLiteFiles", "ShownText", crypto, grdb,
            ],
            swiftSettings: strict),
        .target(
            name: "AutoFillVault",
            dependencies: ["AutoFillCredentials", "AutoFillSecrets", "SQLiteFiles", crypto, grdb],
            swiftSettings: strict),
        .target(
            name: "AutoFillIPC",
            dependencies: [
                "AutoFillCredentials", "AutoFillNetwork", "AutoFillSecrets", "CLinux", "ChildProcesses", "ShownText",
            ],
            swiftSettings: smallHere),
        .target(name: "AutoFillNetwork", dependencies: ["CLinux"], swiftSettings: smallHere),
        .target(name: "SQLiteFiles", dependencies: [grdb, sqlite], swiftSettings: strict),
        .target(name: "ChildProcesses", dependencies: ["CLinux"], swiftSettings: strict),
        .executableTarget(
            name: "latchkey-net", dependencies: ["AutoFillNetwork", "CLinux"], swiftSettings: strict),
        // In C, because each start of a provider waits for it.
        .executableTarget(name: "latchkey-enter", dependencies: ["CSeccomp"]),
        .target(name: "FormStatements", dependencies: ["AutoFillIPC", "FormAnalysis"], swiftSettings: strict),
        .target(
            name: "AuthenticationServices",
            dependencies: [
                "AutoFillCredentials", "AutoFillSecrets", "AutoFillIPC", "ChildProcesses", "PasswordRules",
                "PropertyLists", crypto,
            ],
            swiftSettings: smallHere),
        // The keychain functions, in the containers of a provider.
        .target(name: "Security", dependencies: ["AuthenticationServices", "AutoFillSecrets"], swiftSettings: strict),
        // What files import that name only UIKit.
        .target(name: "UIKit", dependencies: ["AuthenticationServices"], swiftSettings: strict),
        // The gate, and everything that a release rests on.
        .target(
            name: "AutoFillRelease",
            dependencies: [
                "AutoFillAssociations", "AutoFillCredentials", "AutoFillIPC", "AutoFillMatching", "AutoFillSecrets",
                "PropertyLists", "SecurityCodes", crypto,
            ],
            swiftSettings: small),
        // The one way to ask the user, and what the user's answers make possible.
        .target(
            name: "AutoFillAsking",
            dependencies: [
                "AutoFillCredentials", "AutoFillIPC", "AutoFillMatching", "AutoFillRelease", "AutoFillSecrets",
                "CLinux", "ChildProcesses", "ShownText", logging,
            ],
            swiftSettings: small),
        // Bundles, sandboxes and processes of credential providers.
        .target(
            name: "AutoFillProviders",
            dependencies: [
                "AutoFillAssociations", "AutoFillCredentials", "AutoFillIPC", "AutoFillMatching", "AutoFillNetwork",
                "AutoFillRelease", "AutoFillSecrets", "CLinux", "ChildProcesses", "PasswordRules", "PropertyLists",
                "ShownText", crypto,
                logging,
            ],
            swiftSettings: small),
        .target(
            name: "AutoFillDaemon",
            dependencies: [
                "AutoFillAsking", "AutoFillAssociations", "AutoFillCredentials", "AutoFillIPC",
                "AutoFillIdentityStore", "AutoFillMatching",
                "AutoFillNetwork", "AutoFillProviders", "AutoFillQuirks", "AutoFillRelease", "AutoFillSecrets",
                "CLinux", "CSystemd",
                "FormAnalysis", "FormStatements",
                "PasswordRules", "PropertyLists", "SecurityCodes", "ShownText", crypto, logging,
            ],
            swiftSettings: small),
        .executableTarget(
            name: "latchkeyd",
            dependencies: ["AutoFillDaemon", "AutoFillIPC", "CLinux", "CWipe", "ShownText", arguments, logging],
            swiftSettings: strict),
        // What the command line shows: interface statements, text that is safe to show, JSON, failures.
        .target(
            name: "TerminalRendering",
            dependencies: ["AutoFillIPC", "AutoFillSecrets", "CLinux", "ChildProcesses", "ShownText"],
            swiftSettings: small),
        // What `latchkey providers test` does.
        .target(
            name: "ProviderConformance",
            dependencies: [
                "AutoFillAssociations", "AutoFillCredentials", "AutoFillIPC", "AutoFillSecrets", "CLinux",
                "ChildProcesses", "PasswordRules", "PropertyLists", "ShownText", "TerminalRendering",
            ],
            swiftSettings: small),
        .executableTarget(
            name: "latchkey",
            dependencies: [
                "AutoFillAssociations", "AutoFillCredentials", "AutoFillIPC", "AutoFillMatching", "AutoFillQuirks",
                "AutoFillSecrets", "CLinux", "CWipe", "ChildProcesses", "FormAnalysis", "FormReading", "FormStatements",
                "PasswordRules",
                "ProviderConformance", "SecurityCodes", "SecurityRecommendations", "ShownText", "TerminalRendering",
                arguments,
            ],
            swiftSettings: small),
        .executableTarget(
            name: "latchkey-browser-host",
            dependencies: ["AutoFillIPC", "AutoFillSecrets", "CLinux", "CWipe"],
            swiftSettings: strict),
        // The actor of GLib's main loop, for everything that draws by GTK.
        .target(name: "MainLoop", dependencies: ["CGIO"], swiftSettings: strict),
        .target(
            name: "DesktopFields", dependencies: ["AutoFillSecrets", "CGIO", "FormAnalysis", "MainLoop"],
            swiftSettings: small),
        .target(
            name: "SuggestionPanel",
            dependencies: ["AutoFillIPC", "AutoFillSecrets", "CGTK", "DesktopFields", "MainLoop", "ShownText"],
            swiftSettings: small),
        .executableTarget(
            name: "latchkey-desktop",
            dependencies: [
                "AutoFillIPC", "AutoFillSecrets", "CLinux", "CWipe", "ChildProcesses", "DesktopFields", "FormAnalysis",
                "MainLoop", "ShownText", "SuggestionPanel",
            ],
            swiftSettings: small),
        // What the app shows, without a window.
        .target(
            name: "PasswordsModel", dependencies: ["AutoFillIPC", "AutoFillSecrets", "ShownText"], swiftSettings: strict
        ),
        .target(
            name: "PasswordsWindow",
            dependencies: [
                "AutoFillIPC", "AutoFillSecrets", "CAdwaita", "MainLoop", "PasswordRules", "PasswordsModel",
                "SecurityRecommendations", "ShownText",
            ],
            swiftSettings: small),
        .executableTarget(
            name: "latchkey-app",
            dependencies: [
                "AutoFillIPC", "AutoFillSecrets", "CLinux", "CWipe", "ChildProcesses", "MainLoop", "PasswordsModel",
                "PasswordsWindow",
            ],
            swiftSettings: small),
        .target(name: "AutoFillGit", dependencies: ["AutoFillSecrets"], swiftSettings: strict),
        .executableTarget(
            name: "git-credential-latchkey",
            dependencies: [
                "AutoFillGit", "AutoFillIPC", "AutoFillSecrets", "CLinux", "CWipe", "ShownText", "TerminalRendering",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "latchkey-passwords",
            dependencies: [
                "AuthenticationServices", "AutoFillCredentials", "AutoFillSecrets", "AutoFillVault", "CWipe",
                "PasswordRules", "SecurityCodes", "SecurityRecommendations", "ShownText",
            ],
            swiftSettings: small),
        .target(
            name: "PassStore", dependencies: ["AutoFillSecrets", "CLinux", "ChildProcesses", "SecurityCodes", crypto],
            swiftSettings: small),
        .executableTarget(
            name: "latchkey-pass",
            dependencies: ["AuthenticationServices", "AutoFillSecrets", "CWipe", "PassStore", "ShownText"],
            swiftSettings: small,
            // Its bundle stands in `share/latchkey/extensions/` of an installation, Swift's libraries in `lib/latchkey`.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath=$ORIGIN/../../../../lib/latchkey"])]),
        .target(
            name: "AutoFillQuirks", dependencies: ["AutoFillIPC", "AutoFillMatching", "CLinux", crypto],
            swiftSettings: small),
        .target(
            name: "AutoFillFetching",
            dependencies: [
                "AutoFillIPC", "AutoFillMatching", "AutoFillNetwork", "AutoFillQuirks", "CCurl", "CZlib",
                "FormAnalysis",
                "FormReading", "FormStatements", crypto, signatures,
            ],
            swiftSettings: small),
        .executableTarget(
            name: "latchkey-fetch", dependencies: ["AutoFillFetching", "AutoFillIPC", "CLinux"], swiftSettings: strict),
        // The app that asks, as its author writes it.
        .executableTarget(
            name: "latchkey-demo-app",
            dependencies: ["AuthenticationServices"],
            path: "Examples/latchkey-demo-app",
            exclude: ["README.md", "Shiny.entitlements", "ShinyWindow.entitlements", "Window", "install"],
            sources: ["Sources"],
            swiftSettings: strict),
        // The demo app with a window. It contains no code for Latchkey.
        .executableTarget(
            name: "shiny-window",
            dependencies: ["CGTK"],
            path: "Examples/latchkey-demo-app/Window",
            swiftSettings: strict),
        // The extension that changes passwords, and the app that asks for it, as their author writes them.
        .executableTarget(
            name: "latchkey-demo-upgrade-extension",
            dependencies: ["AuthenticationServices"],
            path: "Examples/latchkey-demo-upgrade/Extension",
            swiftSettings: strict),
        .executableTarget(
            name: "latchkey-demo-upgrade-app",
            dependencies: ["AuthenticationServices"],
            path: "Examples/latchkey-demo-upgrade/App",
            swiftSettings: strict),
        // The test kit: nothing but tests may reach it.
        .target(
            name: "ProviderTesting",
            dependencies: ["AuthenticationServices", "AutoFillIPC", "AutoFillSecrets"],
            path: "Tests/ProviderTesting",
            swiftSettings: strict
        ),
        .target(name: "PassTesting", path: "Tests/PassTesting", swiftSettings: strict),
        // Shared by tests: the tag of those that start a process, one way to wait for a state, and calls that fail.
        .target(
            name: "ProcessTesting", dependencies: ["AutoFillSecrets"], path: "Tests/ProcessTesting",
            swiftSettings: strict),
        .testTarget(name: "PasswordRulesTests", dependencies: ["PasswordRules"], swiftSettings: strict),
        .testTarget(name: "PropertyListsTests", dependencies: ["PropertyLists"], swiftSettings: strict),
        .testTarget(name: "ShownTextTests", dependencies: ["ProcessTesting", "ShownText"], swiftSettings: strict),
        .testTarget(name: "MailReadingTests", dependencies: ["MailReading"], swiftSettings: strict),
        .testTarget(name: "SecurityCodesTests", dependencies: ["SecurityCodes"], swiftSettings: strict),
        .testTarget(
            name: "PasswordsModelTests",
            dependencies: ["AutoFillIPC", "AutoFillSecrets", "PasswordsModel", "ShownText"], swiftSettings: strict),
        .testTarget(name: "DesktopFieldsTests", dependencies: ["DesktopFields"], swiftSettings: strict),
        .testTarget(name: "FormAnalysisTests", dependencies: ["FormAnalysis"], swiftSettings: strict),
        .testTarget(name: "FormReadingTests", dependencies: ["FormAnalysis", "FormReading"], swiftSettings: strict),
        .testTarget(
            name: "AutoFillSecretsTests", dependencies: ["AutoFillSecrets", "CLinux", "ProcessTesting", crypto],
            swiftSettings: strict),
        .testTarget(
            name: "SecurityRecommendationsTests",
            dependencies: ["SecurityRecommendations", "AutoFillSecrets"], swiftSettings: strict),
        .testTarget(
            name: "AutoFillMatchingTests", dependencies: ["AutoFillMatching", "AutoFillCredentials"],
            swiftSettings: strict),
        .testTarget(
            name: "AutoFillAssociationsTests",
            dependencies: [
                "AutoFillAssociations", "AutoFillCredentials", "AutoFillIPC", "AutoFillMatching", "AutoFillSecrets",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AutoFillVaultTests",
            dependencies: ["AutoFillVault", "AutoFillSecrets", "SQLiteFiles", crypto, grdb],
            swiftSettings: strict),
        .testTarget(
            name: "AutoFillIdentityStoreTests",
            dependencies: [
                "AutoFillIdentityStore", "AutoFillCredentials", "AutoFillMatching", "AutoFillSecrets", grdb,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AutoFillIPCTests",
            dependencies: [
                "AutoFillIPC", "AutoFillCredentials", "AutoFillSecrets", "CLinux", "ChildProcesses", "ProcessTesting",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ChildProcessesTests", dependencies: ["ChildProcesses", "ProcessTesting"], swiftSettings: strict),
        .testTarget(name: "AutoFillNetworkTests", dependencies: ["AutoFillNetwork"], swiftSettings: strict),
        .testTarget(
            name: "AutoFillGitTests",
            dependencies: ["AutoFillGit", "AutoFillIPC", "AutoFillSecrets", "ShownText", "git-credential-latchkey"],
            swiftSettings: strict),
        .testTarget(
            name: "AuthenticationServicesTests",
            dependencies: [
                "AuthenticationServices", "AutoFillIPC", "AutoFillSecrets", "PasswordRules", "ProcessTesting",
                "ProviderTesting", crypto,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SecurityTests",
            dependencies: ["AuthenticationServices", "AutoFillIPC", "AutoFillSecrets", "ProviderTesting", "Security"],
            swiftSettings: strict),
        .target(
            name: "ClassicProvider",
            dependencies: ["AuthenticationServices"],
            path: "Tests/ProviderSources/Classic",
            swiftSettings: authored),
        .target(
            name: "ModernProvider",
            dependencies: ["AuthenticationServices", crypto],
            path: "Tests/ProviderSources/Modern",
            swiftSettings: strict),
        // A program, because its `main.swift` has the one line that providers have.
        .executableTarget(
            name: "ported-provider",
            dependencies: ["AuthenticationServices", "Security", "UIKit"],
            path: "Tests/ProviderSources/Ported",
            swiftSettings: authored),
        // Both halves of Apple's article in one program, which tests bundle and drive.
        .executableTarget(
            name: "document-listings",
            dependencies: ["AuthenticationServices", "UIKit"],
            path: "Tests/ProviderSources/Listings",
            swiftSettings: authored),
        .target(
            name: "SignInApp",
            dependencies: ["AuthenticationServices"],
            path: "Tests/ProviderSources/SignIn",
            swiftSettings: authored),
        .target(
            name: "UpgradeExtension",
            dependencies: ["AuthenticationServices"],
            path: "Tests/ProviderSources/Upgrade",
            swiftSettings: authored),
        .testTarget(
            name: "ProviderSourceTests",
            dependencies: [
                "AuthenticationServices", "AutoFillIPC", "AutoFillSecrets", "ClassicProvider", "ModernProvider",
                "ProviderTesting", "SignInApp", "UpgradeExtension", "ported-provider", crypto,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PasswordsProviderTests",
            dependencies: [
                "ChildProcesses", "latchkey-passwords", "AutoFillIPC", "AutoFillSecrets", "ProcessTesting",
                "ProviderTesting",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PassStoreTests", dependencies: ["PassStore", "AutoFillSecrets", "PassTesting", "ProcessTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "PassProviderTests",
            dependencies: [
                "ChildProcesses", "latchkey-pass", "AutoFillIPC", "AutoFillSecrets", "PassTesting", "ProcessTesting",
                "ProviderTesting",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AutoFillQuirksTests", dependencies: ["AutoFillQuirks", "AutoFillIPC", "AutoFillMatching"],
            swiftSettings: strict),
        .testTarget(
            name: "AutoFillFetchingTests",
            dependencies: [
                "AutoFillFetching", "AutoFillIPC", "AutoFillNetwork", "AutoFillQuirks", "CCurl", "FormAnalysis",
                "FormStatements", "ProcessTesting", crypto, signatures,
            ],
            swiftSettings: strict),
        // What tests of the daemon's rooms share: a provider in memory, bundles in folders, a clock's beginning.
        .target(
            name: "DaemonTesting",
            dependencies: [
                "AutoFillCredentials", "AutoFillIPC", "AutoFillMatching", "AutoFillProviders", "AutoFillSecrets",
                "ChildProcesses", "ShownText", logging,
            ],
            path: "Tests/DaemonTesting",
            swiftSettings: strict),
        .testTarget(
            name: "AutoFillProvidersTests",
            dependencies: [
                "AutoFillAssociations", "AutoFillCredentials", "AutoFillIPC", "AutoFillProviders", "AutoFillRelease",
                "AutoFillSecrets", "CLinux", "DaemonTesting", "ProcessTesting", "ShownText", logging,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AutoFillAskingTests",
            dependencies: [
                "AutoFillAsking", "AutoFillIPC", "AutoFillSecrets", "DaemonTesting", "ProcessTesting", "ShownText",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AutoFillDaemonTests",
            dependencies: [
                "AutoFillAsking", "AutoFillAssociations", "AutoFillProviders", "ChildProcesses", "DaemonTesting",
                "AutoFillDaemon", "AutoFillCredentials", "AutoFillIPC", "AutoFillIdentityStore", "AutoFillMatching",
                "AutoFillRelease", "AutoFillSecrets", "CLinux", "ProcessTesting", "SecurityCodes", "ShownText", crypto,
                logging,
            ],
            swiftSettings: strict),
        // The fuzzers without libFuzzer: what they hold for their seeds is a test here.
        .testTarget(
            name: "FuzzVectorTests",
            dependencies: [
                "AutoFillAsking", "AutoFillAssociations", "AutoFillCredentials", "AutoFillDaemon", "AutoFillFetching",
                "AutoFillGit", "AutoFillIPC", "AutoFillIdentityStore", "AutoFillMatching", "AutoFillProviders",
                "AutoFillQuirks", "AutoFillRelease",
                "AutoFillSecrets",
                "AutoFillVault", "FormAnalysis", "FormReading", "FormStatements", "MailReading", "PasswordRules",
                "SecurityCodes", "SecurityRecommendations", grdb,
            ],
            path: "Fuzz",
            exclude: ["Fuzzers/LibFuzzer.swift", "Package.swift", "run"],
            sources: ["Fuzzers", "VectorTests"],
            swiftSettings: strict),
        .testTarget(
            name: "SessionWatchTests",
            dependencies: ["AutoFillAsking", "AutoFillDaemon", "ProcessTesting", "ShownText", logging],
            swiftSettings: strict),
        .testTarget(
            name: "LatchkeyCommandTests",
            dependencies: [
                "ChildProcesses", "latchkey", "AutoFillIPC", "AutoFillSecrets", "CLinux", "ProcessTesting",
                "ProviderConformance", "ShownText", "TerminalRendering",
            ],
            swiftSettings: strict),
    ]
)

// The worked example has dependencies of its own, which nobody else is to fetch or build: `make shiny-accounts` demands it.
if Context.environment["LATCHKEY_EXAMPLES"] != nil {
    package.dependencies += [
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ]
    let jwt: Target.Dependency = .product(name: "JWTKit", package: "jwt-kit")
    package.targets += [
        .target(
            name: "ShinyAccounts",
            dependencies: [
                "CArgon2", "PasswordRules", "SecurityCodes", jwt, logging, signatures,
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Examples/ShinyAccounts/Service",
            swiftSettings: strict),
        .executableTarget(
            name: "shiny-accounts",
            dependencies: ["ShinyAccounts", arguments],
            path: "Examples/ShinyAccounts/Program",
            swiftSettings: strict),
        .target(
            name: "ShinyClient",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Examples/ShinyAccounts/Client",
            swiftSettings: strict),
        // The app and its extension, as their author writes them.
        .executableTarget(
            name: "ShinyAccountsApp", dependencies: ["AuthenticationServices", "ShinyClient"],
            path: "Examples/ShinyAccounts/App",
            swiftSettings: strict),
        .executableTarget(
            name: "ShinyAccountsUpgrade", dependencies: ["AuthenticationServices", "ShinyClient"],
            path: "Examples/ShinyAccounts/Upgrade",
            swiftSettings: strict),
        .testTarget(
            name: "ShinyAccountsTests",
            dependencies: ["ShinyAccounts", "SecurityCodes", jwt],
            path: "Examples/ShinyAccounts/Tests",
            swiftSettings: strict),
    ]
}
