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
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .target(name: "CLinux"),
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(name: "FormAnalysis", swiftSettings: instrumented),
        .target(name: "AutoFillSecrets", dependencies: ["CLinux", "CArgon2", crypto], swiftSettings: instrumented),
        .target(name: "AutoFillCredentials", dependencies: ["AutoFillSecrets"], swiftSettings: instrumented),
        .target(name: "AutoFillMatching", dependencies: ["AutoFillCredentials", "CPSL"], swiftSettings: instrumented),
        .target(
            name: "AutoFillIdentityStore",
            dependencies: ["AutoFillCredentials", "AutoFillMatching", "AutoFillSecrets", crypto, grdb],
            swiftSettings: instrumented),
        .target(
            name: "AutoFillVault",
            dependencies: ["AutoFillCredentials", "AutoFillSecrets", crypto, grdb],
            swiftSettings: instrumented),
        .target(
            name: "AutoFillIPC",
            dependencies: ["AutoFillCredentials", "AutoFillSecrets", "CLinux"],
            swiftSettings: instrumented),
        .target(
            name: "AutoFillDaemon",
            dependencies: [
                "AutoFillCredentials", "AutoFillIPC", "AutoFillIdentityStore", "AutoFillMatching", "AutoFillSecrets",
                "CLinux", "CSystemd", "FormAnalysis", crypto, logging,
            ],
            swiftSettings: instrumented),
        .executableTarget(
            name: "fuzzers",
            dependencies: [
                "AutoFillCredentials", "AutoFillDaemon", "AutoFillIPC", "AutoFillIdentityStore", "AutoFillMatching",
                "AutoFillSecrets", "AutoFillVault", grdb,
            ],
            path: "Fuzzers",
            swiftSettings: instrumented + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
    ]
)
