// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import Foundation
import Testing

@testable import AutoFillProviders
@testable import DaemonTesting

@Suite struct ProviderBundleTests {
    private let folder: TemporaryFolder
    private let folders: BundleFolders

    init() throws {
        folder = try TemporaryFolder()
        folders = BundleFolders(data: folder.path + "/data", system: [folder.path + "/system"])
    }

    private func problem(_ bundle: FakeBundle) throws -> String? {
        try bundle.write(in: folder, at: "data/extensions/X.appex")
        return folders.bundles().problems.first?.reason
    }

    @Test func bundleAloneIsRead() throws {
        let fake = FakeBundle(
            attributes: [
                "ASCredentialProviderExtensionShowsConfigurationUI": true,
                "ASCredentialProviderExtensionCapabilities": ["ProvidesPasswords": true, "ProvidesOneTimeCodes": true],
            ],
            entitlements: [
                "com.apple.security.network.client": true,
                "org.latchkey.security.network.hosts": ["NAS.local:5001", "[::1]:80"],
                "com.apple.security.application-groups": ["group.shiny"],
                "com.apple.security.temporary-exception.files.home-relative-path.read-only": ["/.shiny/"],
                "com.apple.security.temporary-exception.files.home-relative-path.read-write": ["shiny/store"],
                "org.latchkey.security.sockets": ["$XDG_RUNTIME_DIR/gnupg", "~/.shiny/agent"],
            ])
        let path = try fake.write(in: folder, at: "data/extensions/Shiny.appex")
        let bundle = try #require(folders.bundles().bundles.first)
        #expect(bundle.identifier.rawValue == "com.example.shiny")
        #expect(bundle.name == "Shiny Passwords")
        #expect(bundle.root == path && bundle.folder == path)
        #expect(bundle.provides == ["passwords", "one-time-codes"])
        #expect(bundle.showsConfiguration)
        #expect(!bundle.entitlements.isDebug)
        let grants = bundle.entitlements.grants
        #expect(grants.network && grants.groups == ["group.shiny"])
        #expect(grants.hosts == ["nas.local:5001", "[::1]:80"])
        #expect(grants.folders == [.init(path: ".shiny", write: false), .init(path: "shiny/store", write: true)])
        #expect(grants.sockets == ["$XDG_RUNTIME_DIR/gnupg", "~/.shiny/agent"])
        #expect(grants.sentences.count == 7)
    }

    @Test(arguments: [
        "Passwords", "passwords ", "P\u{0430}sswords", "PASSW0RDS", "Latchkey", "LatchKey-Passwords", "IatchKey",
    ])
    func nameThatLooksLikeLatchkeysOwnIsReplacedByTheIdentifier(_ name: String) throws {
        try FakeBundle(name: name).write(in: folder, at: "data/extensions/X.appex")
        #expect(folders.bundles().bundles.first?.name == "com.example.shiny")
    }

    @Test(arguments: ["Shiny Passwords", "Password", "Latch", "Keys", "1Passwords"])
    func anotherNameStays(_ name: String) throws {
        try FakeBundle(name: name).write(in: folder, at: "data/extensions/X.appex")
        #expect(folders.bundles().bundles.first?.name == name)
    }

    @Test func bundleInAnAppIsRead() throws {
        try FakeBundle().write(in: folder, at: "system/Shiny/PlugIns/Provider.appex")
        let bundle = try #require(folders.bundles().bundles.first)
        #expect(bundle.root == folder.path + "/system/Shiny")
        #expect(bundle.folder == folder.path + "/system/Shiny/PlugIns/Provider.appex")
        #expect(bundle.contains(folder.path + "/system/Shiny/shiny"))
        #expect(!bundle.contains(folder.path + "/system/ShinyOther/shiny"))
    }

    @Test func bundleWithoutCapabilitiesProvidesPasswords() throws {
        try FakeBundle().write(in: folder, at: "data/extensions/X.appex")
        #expect(folders.bundles().bundles.map(\.provides) == [["passwords"]])
    }

    @Test func newerSpellingOfTheConfigurationCounts() throws {
        let fake = FakeBundle(attributes: ["ASCredentialProviderExtensionCapabilities": ["ShowsConfigurationUI": true]])
        try fake.write(in: folder, at: "data/extensions/X.appex")
        let bundle = try #require(folders.bundles().bundles.first)
        #expect(bundle.showsConfiguration)
        // A dictionary that says nothing of passwords provides none.
        #expect(bundle.provides == [])
    }

    @Test(
        "a bundle that does not say what it is, or asks for what nobody is given, is none",
        arguments: [
            ["CFBundleIdentifier": ""], ["CFBundleIdentifier": "../x"],
            ["CFBundleIdentifier": "org.latchkey.passwords"],
            ["CFBundleExecutable": ""], ["CFBundleExecutable": "../provider"], ["CFBundleExecutable": "absent"],
            ["CFBundleExecutable": "Info.plist"], ["CFBundleExecutable": ".provider"],
        ])
    func bundleWithAnUnusableNameIsRefused(info: [String: String]) throws {
        #expect(try problem(FakeBundle(info: info)) != nil)
        #expect(folders.bundles().bundles.isEmpty)
    }

    @Test func bundleOfAnotherExtensionPointIsRefused() throws {
        let fake = FakeBundle(info: ["NSExtension": ["NSExtensionPointIdentifier": "com.apple.share-services"]])
        #expect(try problem(fake) == "it is not a credential provider extension")
    }

    @Test func bundleWithoutTheEntitlementIsRefused() throws {
        #expect(
            try problem(FakeBundle(entitlements: [FakeBundle.entitlement: false]))?.contains("entitlements") == true)
    }

    @Test(arguments: ["/", "", "..", "/../etc", ".shiny/../..", "./x", "a\u{1}b"])
    func folderOutsideOfWhatCanBeGivenIsRefused(path: String) throws {
        let key = "com.apple.security.temporary-exception.files.home-relative-path.read-only"
        #expect(try problem(FakeBundle(entitlements: [key: [path]])) != nil)
    }

    @Test(arguments: [
        "$XDG_RUNTIME_DIR/bus", "$XDG_RUNTIME_DIR/systemd/private", "$XDG_RUNTIME_DIR/latchkey/latchkeyd.sock",
        "/run/dbus/system_bus_socket", "$XDG_RUNTIME_DIR/", "$XDG_RUNTIME_DIR/../0/bus", "~/..", "$HOME/x",
    ])
    func socketThatNobodyIsGivenIsRefused(path: String) throws {
        #expect(try problem(FakeBundle(entitlements: ["org.latchkey.security.sockets": [path]])) != nil)
    }

    @Test func folderInsideOneThatMayBeChangedIsRefused() throws {
        let write = "com.apple.security.temporary-exception.files.home-relative-path.read-write"
        let read = "com.apple.security.temporary-exception.files.home-relative-path.read-only"
        #expect(try problem(FakeBundle(entitlements: [write: ["A", "A/sub"]])) != nil)
        #expect(try problem(FakeBundle(entitlements: [write: ["A"], read: ["A/b/c"]])) != nil)
        #expect(
            try problem(FakeBundle(entitlements: [write: ["A"], "org.latchkey.security.sockets": ["~/A/socket"]]))
                != nil)
        #expect(try problem(FakeBundle(entitlements: [write: ["A", "AB"], read: ["B"]])) == nil)
    }

    @Test func damagedPropertyListsAreRefused() throws {
        for (name, text) in [
            ("Info.plist", ""), ("Info.plist", "<plist>"), ("Info.plist", "bplist00\u{0}\u{1}"), ("Info.plist", "[]"),
            ("provider.entitlements", ""), ("provider.entitlements", "<plist version=\"1.0\"><array/></plist>"),
        ] {
            let path = try FakeBundle().write(in: folder, at: "data/extensions/X.appex")
            try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
            #expect(folders.bundles().bundles.isEmpty, "\(name): \(text)")
        }
    }

    @Test func propertyListThatIsALinkOrTooLargeIsRefused() throws {
        let path = try FakeBundle().write(in: folder, at: "data/extensions/X.appex")
        try FileManager.default.moveItem(atPath: path + "/Info.plist", toPath: folder.path + "/elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: path + "/Info.plist", withDestinationPath: folder.path + "/elsewhere")
        #expect(folders.bundles().bundles.isEmpty)
        try FileManager.default.removeItem(atPath: path + "/Info.plist")
        try Data(count: (1 << 20) + 1).write(to: URL(fileURLWithPath: path + "/Info.plist"))
        #expect(folders.bundles().bundles.isEmpty)
    }

    @Test func twoEntitlementsFilesAreNoOne() throws {
        let path = try FakeBundle().write(in: folder, at: "data/extensions/X.appex")
        try FakeBundle.write([:], to: path + "/other.entitlements")
        #expect(folders.bundles().problems.first?.reason.contains("several") == true)
    }

    @Test func secondBundleOfOneIdentifierIsRefused() throws {
        try FakeBundle().write(in: folder, at: "data/extensions/Mine.appex")
        try FakeBundle(name: "Impostor").write(in: folder, at: "system/Other.appex")
        let (bundles, problems) = folders.bundles()
        #expect(bundles.map(\.name) == ["Shiny Passwords"])
        #expect(problems.map(\.identifier?.rawValue) == ["com.example.shiny"])
    }

    @Test func groupOfAnotherBundleIsRefused() throws {
        let key = "com.apple.security.application-groups"
        try FakeBundle(entitlements: [key: ["group.shiny"]]).write(in: folder, at: "data/extensions/A.appex")
        try FakeBundle(identifier: "com.example.other", entitlements: [key: ["group.shiny"]])
            .write(in: folder, at: "data/extensions/B.appex")
        #expect(folders.bundles().bundles.map(\.identifier.rawValue) == ["com.example.shiny"])
    }

    @Test func nameCannotTurnASentenceAround() throws {
        try FakeBundle(name: "Good\u{202E}\n" + String(repeating: "x", count: 100))
            .write(in: folder, at: "data/extensions/X.appex")
        #expect(folders.bundles().bundles.first?.name == "Good\u{FFFD}" + String(repeating: "x", count: 58) + "…")
    }

    /// XML has no such character; the file is not half believed.
    @Test func nameWithAControlCharacterIsRefused() throws {
        try FakeBundle(name: "Good\u{7}").write(in: folder, at: "data/extensions/X.appex")
        #expect(folders.bundles().bundles.isEmpty)
    }

    // MARK: Digests

    @Test func digestChangesWithAnythingInTheBundle() throws {
        let path = try FakeBundle().write(in: folder, at: "data/extensions/X.appex")
        var last = try BundleDigest(of: path)
        var seen = [last.text]
        #expect(try BundleDigest(of: path, known: last).text == seen[0])
        #expect(try BundleDigest(of: path).text == seen[0])
        let changes: [() throws -> Void] = [
            { try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/new")) },
            { try Data("y".utf8).write(to: URL(fileURLWithPath: path + "/new")) },
            { try FileManager.default.moveItem(atPath: path + "/new", toPath: path + "/newer") },
            {
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path + "/newer")
            },
            { try FileManager.default.createDirectory(atPath: path + "/d", withIntermediateDirectories: false) },
            { try FileManager.default.createSymbolicLink(atPath: path + "/l", withDestinationPath: "newer") },
        ]
        for change in changes {
            try change()
            last = try BundleDigest(of: path, known: last)
            #expect(!seen.contains(last.text))
            seen.append(last.text)
        }
    }

    @Test(arguments: ["/etc/passwd", "../../outside", "d/../../../x", ".."])
    func linkOutOfTheBundleIsRefused(target: String) throws {
        let path = try FakeBundle().write(in: folder, at: "data/extensions/X.appex")
        try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: target)
        #expect(throws: WireError.self) { _ = try BundleDigest(of: path) }
    }

    // MARK: Installing

    @Test func bundleIsInstalledAndRemoved() throws {
        let source = try FakeBundle().write(in: folder, at: "elsewhere/Shiny.appex")
        let installed = try folders.install(from: source)
        #expect(installed.map(\.root) == [folder.path + "/data/extensions/Shiny.appex"])
        #expect(folders.bundles().bundles.count == 1)
        try folders.remove(try #require(installed.first))
        #expect(folders.bundles().bundles.isEmpty)
        #expect(FileManager.default.fileExists(atPath: source))
    }

    @Test func newerBundleTakesTheOldOnesPlace() throws {
        _ = try folders.install(from: try FakeBundle().write(in: folder, at: "one/Shiny.appex"))
        _ = try folders.install(from: try FakeBundle(name: "Newer").write(in: folder, at: "two/Shiny.appex"))
        #expect(folders.bundles().bundles.map(\.name) == ["Newer"])
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data/extensions")
        #expect(left == ["Shiny.appex"])
    }

    @Test func identifierThatIsInstalledElsewhereIsRefused() throws {
        try FakeBundle().write(in: folder, at: "system/Shiny.appex")
        let source = try FakeBundle().write(in: folder, at: "elsewhere/Other.appex")
        #expect { _ = try folders.install(from: source) } throws: { code($0) == .alreadyExists }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/extensions/Other.appex"))
    }

    @Test func installationReplacesNoOtherProvider() throws {
        _ = try folders.install(from: try FakeBundle().write(in: folder, at: "one/Shiny.appex"))
        let other = try FakeBundle(identifier: "com.example.other").write(in: folder, at: "two/Shiny.appex")
        #expect { _ = try folders.install(from: other) } throws: { code($0) == .alreadyExists }
        #expect(folders.bundles().bundles.map(\.identifier.rawValue) == ["com.example.shiny"])
    }

    @Test("S25: a process is a containing app only where the file at its path is the one that it runs")
    func containingAppIsTheFileAtItsPath() async throws {
        try FakeBundle().write(in: folder, at: "data/extensions/Shiny/PlugIns/Shiny.appex")
        let app = try folder.write("#!/bin/sh\n", to: "data/extensions/Shiny/app", mode: 0o700)
        let shelf = BundleShelf(folders: folders, forbidden: [], environment: ["HOME": folder.path])
        let executable = try #require(PeerProcess.Executable(path: app))
        #expect(await shelf.owner(of: executable)?.rawValue == "com.example.shiny")
        // Another file is there now: what runs only shows the same path.
        try FileManager.default.moveItem(atPath: app, toPath: folder.path + "/moved")
        #expect(await shelf.owner(of: executable) == nil)
        try FileManager.default.copyItem(atPath: "/bin/true", toPath: app)
        #expect(await shelf.owner(of: executable) == nil)
        let outside = try #require(PeerProcess.Executable(path: "/bin/true"))
        #expect(await shelf.owner(of: outside) == nil)
        let provider = folder.path + "/data/extensions/Shiny/PlugIns/Shiny.appex/provider"
        #expect(await shelf.owner(of: try #require(PeerProcess.Executable(path: provider))) == nil)
    }

    @Test(arguments: ["relative/X.appex", "/nonexistent/X.appex", "/etc", "/", ""])
    func whatIsNoBundleIsNotInstalled(path: String) {
        #expect { _ = try folders.install(from: path) } throws: { code($0) == .invalidParams }
    }

    @Test func bundleOfTheSystemIsNotRemoved() throws {
        try FakeBundle().write(in: folder, at: "system/Shiny.appex")
        let bundle = try #require(folders.bundles().bundles.first)
        #expect { try folders.remove(bundle) } throws: { code($0) == .notPermitted }
        #expect(folders.bundles().bundles.count == 1)
    }
}
