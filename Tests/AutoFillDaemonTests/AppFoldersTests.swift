// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillRelease
import Foundation
import Glibc
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// Entitlement files on disk. What counts has to be root's, so the acceptances need root; refusals do not.
@Suite struct AppFoldersTests {
    private static let isRoot = geteuid() == 0

    /// A folder of root's, below others of root's: `/tmp` is everybody's.
    private final class Place: Sendable {
        let path = "/usr/local/lib/latchkey-test-\(UUID().uuidString.prefix(8))"

        init() throws {
            for folder in ["bin", "apps", "more"] {
                try FileManager.default.createDirectory(
                    atPath: path + "/" + folder, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o755])
            }
            try program("shiny")
            try program("other")
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }

        func program(_ name: String, mode: Int = 0o755) throws {
            let file = path + "/bin/" + name
            _ = FileManager.default.createFile(
                atPath: file, contents: Data(name.utf8), attributes: [.posixPermissions: mode])
        }

        @discardableResult func state(
            _ name: String, _ identifier: String, executable: String?, in folder: String = "apps", mode: Int = 0o644
        ) throws -> String {
            let file = "\(path)/\(folder)/\(name).entitlements"
            let entry = executable.map { "<key>org.latchkey.application-executable</key><string>\($0)</string>" } ?? ""
            let text =
                "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>application-identifier</key>"
                + "<string>\(identifier)</string>\(entry)</dict></plist>"
            _ = FileManager.default.createFile(
                atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
            return file
        }

        var catalog: AppCatalog {
            AppFolders(
                files: [path + "/apps", path + "/more"], flatpaks: [path + "/flatpaks"], snaps: [path + "/snaps"]
            )
            .catalog()
        }

        func executable(_ name: String) -> String { path + "/bin/" + name }
    }

    private let shiny = "E5336VM85F.com.example.Shiny"

    @Test("S21: what root states of root's executables counts", .enabled(if: isRoot))
    func systemFilesCount() throws {
        let place = try Place()
        let file = try place.state("Shiny", shiny, executable: place.executable("shiny"))
        #expect(place.catalog.claims.map(\.file) == [file])
        #expect(place.catalog.problems.isEmpty)
        #expect(place.catalog.claims.first?.subject == .executable(place.executable("shiny")))
    }

    @Test(
        "S21: a file, folder or executable that others can change makes a statement worth nothing", .enabled(if: isRoot)
    )
    func changeableFilesDoNotCount() throws {
        for part in ["apps/Shiny.entitlements", "apps", "bin/shiny", "bin", ""] {
            for change in [{ (path: String) in chmod(path, 0o777) }, { (path: String) in chown(path, 65534, 0) }] {
                let place = try Place()
                try place.state("Shiny", shiny, executable: place.executable("shiny"))
                _ = change(place.path + (part.isEmpty ? "" : "/" + part))
                #expect(place.catalog.claims.isEmpty, "\(part)")
                #expect(place.catalog.problems.count == 1, "\(part)")
            }
        }
    }

    @Test(
        "S21: a statement without an executable, of an interpreter or of nothing that is there, does not count",
        .enabled(if: isRoot))
    func statementsOfNothingDoNotCount() throws {
        let place = try Place()
        try place.program("python3")
        try place.state("A", shiny, executable: nil)
        try place.state("B", shiny, executable: place.executable("python3"))
        try place.state("C", shiny, executable: place.executable("missing"))
        try place.state("D", "nonsense", executable: place.executable("shiny"))
        try place.state("E", shiny, executable: place.path + "/bin")
        #expect(place.catalog.claims.isEmpty)
        #expect(place.catalog.problems.count == 5)
        #expect(place.catalog.problems.allSatisfy { !$0.reason.isEmpty })
    }

    @Test("S21: two executables with one identifier are both found, so that both can be refused", .enabled(if: isRoot))
    func twoClaimants() throws {
        let place = try Place()
        try place.state("A", shiny, executable: place.executable("shiny"))
        try place.state("B", shiny, executable: place.executable("other"), in: "more")
        let identifier = try #require(AppIdentifier(shiny))
        #expect(place.catalog.claimants(of: identifier).count == 2)
    }

    @Test("S21: what an earlier folder says of an executable overrules a later one", .enabled(if: isRoot))
    func earlierFolderOverrules() throws {
        let place = try Place()
        try place.state("A", shiny, executable: place.executable("shiny"))
        try place.state("B", "E5336VM85F.com.example.Other", executable: place.executable("shiny"), in: "more")
        #expect(place.catalog.claims.map(\.entitlement.identifier.rawValue) == [shiny])
        try place.state("C", "E5336VM85F.com.example.Other", executable: place.executable("shiny"))
        #expect(place.catalog.claims.count == 2)
    }

    @Test("S21: flatpaks and snaps state in their deployments", .enabled(if: isRoot))
    func deployments() throws {
        let place = try Place()
        let files = FileManager.default
        let deployment = "/flatpaks/com.example.Shiny/x86_64/stable/01/files"
        for folder in [deployment + "/share/latchkey/apps", "/snaps/shiny/7/usr/share/latchkey/apps"] {
            try files.createDirectory(
                atPath: place.path + folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        }
        try place.state("com.example.Shiny", shiny, executable: nil, in: deployment + "/share/latchkey/apps")
        try place.state(
            "shiny", "E5336VM85F.com.example.Snap", executable: nil, in: "/snaps/shiny/7/usr/share/latchkey/apps")
        let flatpak = place.path + "/flatpaks/com.example.Shiny"
        try files.createSymbolicLink(atPath: flatpak + "/current", withDestinationPath: "x86_64/stable")
        try files.createSymbolicLink(atPath: flatpak + "/x86_64/stable/active", withDestinationPath: "01")
        try files.createSymbolicLink(atPath: place.path + "/snaps/shiny/current", withDestinationPath: "7")
        #expect(place.catalog.claims.map(\.subject) == [.flatpak("com.example.Shiny"), .snap("shiny")])
        let claim = try AppFolders.entitlement(
            of: .flatpak(identifier: "com.example.Shiny", instance: "1", deployment: place.path + deployment))
        #expect(claim?.entitlement.identifier.rawValue == shiny)
        #expect(
            try AppFolders.entitlement(of: .flatpak(identifier: "x.y", instance: "1", deployment: place.path)) == nil)
        chmod(place.path + deployment, 0o777)
        #expect(place.catalog.claims.map(\.subject) == [.snap("shiny")])
    }

    @Test("S21: what lies in a user's folder does not count, whatever it says")
    func userFilesDoNotCount() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "<plist version=\"1.0\"><dict><key>application-identifier</key><string>\(shiny)</string>"
                + "<key>org.latchkey.application-executable</key><string>/usr/bin/env</string></dict></plist>",
            to: "a.entitlements", mode: 0o644)
        let catalog = AppFolders(files: [folder.path], flatpaks: [], snaps: []).catalog()
        #expect(catalog.claims.isEmpty)
        #expect(catalog.problems.count == 1)
    }
}
