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

/// Sources of providers are held to what their authors' projects are; that they compile as they are is what they test.
let authored: [SwiftSetting] = [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

let package = Package(
    name: "latchkey",
    products: [
        .library(name: "AuthenticationServices", targets: ["AuthenticationServices"]),
        .library(name: "FormAnalysis", targets: ["FormAnalysis"]),
        .executable(name: "latchkey", targets: ["latchkey"]),
        .executable(name: "latchkeyd", targets: ["latchkeyd"]),
        .executable(name: "latchkey-browser-host", targets: ["latchkey-browser-host"]),
        .executable(name: "latchkey-passwords", targets: ["latchkey-passwords"]),
        .executable(name: "latchkey-pass", targets: ["latchkey-pass"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .target(name: "CLinux"),
        .target(name: "CWipe"),
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(name: "FormAnalysis", swiftSettings: strict),
        .target(name: "AutoFillSecrets", dependencies: ["CLinux", "CArgon2", crypto], swiftSettings: strict),
        .target(name: "AutoFillCredentials", dependencies: ["AutoFillSecrets"], swiftSettings: strict),
        .target(name: "AutoFillMatching", dependencies: ["AutoFillCredentials", "CPSL"], swiftSettings: strict),
        .target(
            name: "AutoFillIdentityStore",
            dependencies: ["AutoFillCredentials", "AutoFillMatching", "AutoFillSecrets", crypto, grdb],
            swiftSettings: strict),
        .target(
            name: "AutoFillVault",
            dependencies: ["AutoFillCredentials", "AutoFillSecrets", crypto, grdb],
            swiftSettings: strict),
        .target(
            name: "AutoFillIPC",
            dependencies: ["AutoFillCredentials", "AutoFillSecrets", "CLinux"],
            swiftSettings: strict),
        .target(
            name: "AuthenticationServices",
            dependencies: ["AutoFillCredentials", "AutoFillSecrets", "AutoFillIPC", crypto],
            swiftSettings: strict),
        .target(
            name: "AutoFillDaemon",
            dependencies: [
                "AutoFillCredentials", "AutoFillIPC", "AutoFillIdentityStore", "AutoFillMatching", "AutoFillSecrets",
                "CLinux", "CSystemd", "FormAnalysis", crypto, logging,
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "latchkeyd",
            dependencies: ["AutoFillDaemon", "AutoFillIPC", "CLinux", "CWipe", arguments, logging],
            swiftSettings: strict),
        .executableTarget(
            name: "latchkey",
            dependencies: ["AutoFillCredentials", "AutoFillIPC", "AutoFillSecrets", "CLinux", "CWipe", arguments],
            swiftSettings: strict),
        .executableTarget(
            name: "latchkey-browser-host",
            dependencies: ["AutoFillIPC", "AutoFillSecrets", "CLinux", "CWipe"],
            swiftSettings: strict),
        .executableTarget(
            name: "latchkey-passwords",
            dependencies: ["AuthenticationServices", "AutoFillSecrets", "AutoFillVault", "CWipe"],
            swiftSettings: strict),
        .target(name: "PassStore", dependencies: ["AutoFillSecrets", "CLinux", crypto], swiftSettings: strict),
        .executableTarget(
            name: "latchkey-pass",
            dependencies: ["AuthenticationServices", "AutoFillSecrets", "CWipe", "PassStore"],
            swiftSettings: strict),
        // The test kit: nothing but tests may reach it.
        .target(
            name: "ProviderTesting",
            dependencies: ["AuthenticationServices", "AutoFillIPC", "AutoFillSecrets"],
            path: "Tests/ProviderTesting",
            swiftSettings: strict
        ),
        .target(name: "PassTesting", path: "Tests/PassTesting", swiftSettings: strict),
        .testTarget(name: "FormAnalysisTests", dependencies: ["FormAnalysis"], swiftSettings: strict),
        .testTarget(
            name: "AutoFillSecretsTests", dependencies: ["AutoFillSecrets", "CLinux", crypto], swiftSettings: strict),
        .testTarget(
            name: "AutoFillMatchingTests", dependencies: ["AutoFillMatching", "AutoFillCredentials"],
            swiftSettings: strict),
        .testTarget(
            name: "AutoFillVaultTests", dependencies: ["AutoFillVault", "AutoFillSecrets", crypto, grdb],
            swiftSettings: strict),
        .testTarget(
            name: "AutoFillIdentityStoreTests",
            dependencies: [
                "AutoFillIdentityStore", "AutoFillCredentials", "AutoFillMatching", "AutoFillSecrets", grdb,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AutoFillIPCTests",
            dependencies: ["AutoFillIPC", "AutoFillCredentials", "AutoFillSecrets", "CLinux"],
            swiftSettings: strict),
        .testTarget(
            name: "AuthenticationServicesTests",
            dependencies: ["AuthenticationServices", "AutoFillIPC", "AutoFillSecrets", "ProviderTesting", crypto],
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
        .testTarget(
            name: "ProviderSourceTests",
            dependencies: [
                "AuthenticationServices", "AutoFillIPC", "AutoFillSecrets", "ClassicProvider", "ModernProvider",
                "ProviderTesting", crypto,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PasswordsProviderTests",
            dependencies: ["latchkey-passwords", "AutoFillIPC", "AutoFillSecrets", "ProviderTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "PassStoreTests", dependencies: ["PassStore", "AutoFillSecrets", "PassTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "PassProviderTests",
            dependencies: [
                "latchkey-pass", "AutoFillIPC", "AutoFillSecrets", "PassTesting", "ProviderTesting",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AutoFillDaemonTests",
            dependencies: [
                "AutoFillDaemon", "AutoFillCredentials", "AutoFillIPC", "AutoFillIdentityStore", "AutoFillMatching",
                "AutoFillSecrets", "CLinux", crypto, logging,
            ],
            swiftSettings: strict),
        .testTarget(name: "SessionWatchTests", dependencies: ["AutoFillDaemon", logging], swiftSettings: strict),
        .testTarget(
            name: "LatchkeyCommandTests",
            dependencies: ["latchkey", "AutoFillIPC", "AutoFillSecrets", "CLinux"], swiftSettings: strict),
    ]
)
