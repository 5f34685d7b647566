// swift-tools-version: 6.2
// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own: what is fuzzed is compiled once more, with libFuzzer's instrumentation, from the same sources
// (`Sources` is a link to the parent's). A dependency by path would give the uninstrumented products of the parent only,
// and most parsers are internal to their rooms.

/// Coverage counters in every room that parses something; `Fuzz/run` links libFuzzer, which reads them.
let instrumented: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .unsafeFlags(["-sanitize=fuzzer"]),
]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

let package = Package(
    name: "latchkey-fuzz",
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    ],
    targets: [
        .target(name: "CLinux"),
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        // ICU's own headers stay inside: Swift's Foundation carries ICU too, with other definitions of the same names.
        .target(name: "CICU", linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]),
        .systemLibrary(name: "CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .target(name: "CCommonWords", exclude: ["LICENSE"]),
        .systemLibrary(name: "CZxcvbn", providers: [.apt(["libzxcvbn-dev"])]),
        .target(
            name: "SecurityRecommendations",
            dependencies: ["AutoFillSecrets", "CCommonWords", "CPSL", "CZxcvbn", crypto], swiftSettings: instrumented),
        .target(name: "FormAnalysis", swiftSettings: instrumented),
        .target(name: "PasswordRules", swiftSettings: instrumented),
        .target(name: "PropertyLists", swiftSettings: instrumented),
        .target(name: "ShownText", swiftSettings: instrumented),
        .target(name: "FormReading", dependencies: ["CLibXML2", "FormAnalysis"], swiftSettings: instrumented),
        .target(name: "SecurityCodes", dependencies: [crypto], swiftSettings: instrumented),
        .target(name: "MailReading", dependencies: ["SecurityCodes"], swiftSettings: instrumented),
        .target(name: "AutoFillSecrets", dependencies: ["CLinux", "CArgon2", crypto], swiftSettings: instrumented),
        .target(name: "AutoFillCredentials", dependencies: ["AutoFillSecrets"], swiftSettings: instrumented),
        .target(
            name: "AutoFillMatching", dependencies: ["AutoFillCredentials", "AutoFillSecrets", "CICU", "CPSL"],
            swiftSettings: instrumented),
        .target(
            name: "AutoFillAssociations",
            dependencies: ["AutoFillCredentials", "AutoFillIPC", "AutoFillMatching", "AutoFillSecrets"],
            swiftSettings: instrumented),
        // The one file of its room that reads a stranger's bytes; the rest would bring the whole of HTTP along.
        .target(
            name: "AssociationFiles", dependencies: ["AutoFillIPC"], path: "Sources/AutoFillFetching/Associations",
            sources: ["AssetLinksFile.swift", "AssociationFile.swift"], swiftSettings: instrumented),
        // The same room's readers of answers and of identity tokens, without what connects.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "Answers", dependencies: ["AutoFillMatching", "CZlib"], path: "Sources/AutoFillFetching/Downloading",
            sources: [
                "AnswerReader.swift", "Download.swift", "DownloadOutcome.swift", "HTTPSAddress.swift",
                "HTTPStatus.swift",
                "Inflater.swift",
            ],
            swiftSettings: instrumented),
        .target(
            name: "IdentityTokens",
            dependencies: ["AutoFillIPC", crypto, .product(name: "CryptoExtras", package: "swift-crypto")],
            path: "Sources/AutoFillFetching/SignIn",
            sources: ["Base64URL.swift", "IdentityToken.swift", "IdentityTokenRefusal.swift", "IssuerKeys.swift"],
            swiftSettings: instrumented),
        .target(
            name: "AutoFillIdentityStore",
            dependencies: [
                "AutoFillCredentials", "AutoFillMatching", "AutoFillSecrets", "SQLiteFiles", "ShownText", crypto, grdb,
            ],
            swiftSettings: instrumented),
        .target(
            name: "AutoFillVault",
            dependencies: ["AutoFillCredentials", "AutoFillSecrets", "SQLiteFiles", crypto, grdb],
            swiftSettings: instrumented),
        .target(
            name: "AutoFillIPC",
            dependencies: [
                "AutoFillCredentials", "AutoFillNetwork", "AutoFillSecrets", "CLinux", "ChildProcesses", "ShownText",
            ],
            swiftSettings: instrumented),
        .target(name: "AutoFillNetwork", dependencies: ["CLinux"], swiftSettings: instrumented),
        .target(name: "SQLiteFiles", dependencies: [grdb], swiftSettings: instrumented),
        .target(name: "ChildProcesses", dependencies: ["CLinux"], swiftSettings: instrumented),
        .target(name: "FormStatements", dependencies: ["AutoFillIPC", "FormAnalysis"], swiftSettings: instrumented),
        .target(
            name: "AutoFillQuirks", dependencies: ["AutoFillIPC", "AutoFillMatching", "CLinux", crypto],
            swiftSettings: instrumented),
        .target(
            name: "AutoFillRelease",
            dependencies: [
                "AutoFillAssociations", "AutoFillCredentials", "AutoFillIPC", "AutoFillMatching", "AutoFillSecrets",
                "PropertyLists", "SecurityCodes", crypto,
            ],
            swiftSettings: instrumented),
        .target(
            name: "AutoFillAsking",
            dependencies: [
                "AutoFillCredentials", "AutoFillIPC", "AutoFillMatching", "AutoFillRelease", "AutoFillSecrets",
                "CLinux", "ChildProcesses", "ShownText", logging,
            ],
            swiftSettings: instrumented),
        .target(
            name: "AutoFillProviders",
            dependencies: [
                "AutoFillAssociations", "AutoFillCredentials", "AutoFillIPC", "AutoFillMatching", "AutoFillNetwork",
                "AutoFillRelease", "AutoFillSecrets", "CLinux", "ChildProcesses", "PasswordRules", "PropertyLists",
                "ShownText", crypto,
                logging,
            ],
            swiftSettings: instrumented),
        .target(
            name: "AutoFillDaemon",
            dependencies: [
                "AutoFillAsking", "AutoFillAssociations", "AutoFillCredentials", "AutoFillIPC",
                "AutoFillIdentityStore", "AutoFillMatching", "AutoFillProviders",
                "AutoFillNetwork", "AutoFillQuirks", "AutoFillRelease", "AutoFillSecrets", "CLinux", "CSystemd",
                "FormAnalysis",
                "FormStatements",
                "PasswordRules", "PropertyLists", "SecurityCodes", "ShownText", crypto, logging,
            ],
            swiftSettings: instrumented),
        .target(name: "AutoFillGit", dependencies: ["AutoFillSecrets"], swiftSettings: instrumented),
        .executableTarget(
            name: "fuzzers",
            dependencies: [
                "Answers", "AssociationFiles", "AutoFillAsking", "AutoFillAssociations", "AutoFillCredentials",
                "AutoFillDaemon", "AutoFillGit", "AutoFillProviders",
                "AutoFillIPC", "AutoFillIdentityStore", "AutoFillMatching", "AutoFillNetwork", "AutoFillQuirks",
                "AutoFillRelease", "AutoFillSecrets",
                "AutoFillVault", "FormAnalysis", "FormReading", "FormStatements", "IdentityTokens", "MailReading",
                "PasswordRules",
                "PropertyLists",
                "SecurityCodes", "SecurityRecommendations", "ShownText", grdb,
            ],
            path: "Fuzzers",
            swiftSettings: instrumented + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
    ]
)
