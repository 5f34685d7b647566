// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Foundation
import Glibc
import ShownText
import Testing

@testable import AutoFillProviders
@testable import DaemonTesting

/// What a bundle may hold.
@Suite struct BundleTreeTests {
    private let folder: TemporaryFolder
    private var root: String { folder.path + "/bundle" }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: root + "/sub", withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: root + "/sub/file"))
        try Data("outside".utf8).write(to: URL(fileURLWithPath: folder.path + "/outside"))
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: root + "/" + name, withDestinationPath: target)
    }

    private func reason(_ bounds: BundleTree.Bounds = .init()) -> String? {
        do throws(WireError) {
            _ = try BundleDigest(of: root, bounds: bounds)
            return nil
        } catch {
            return error.reason ?? error.message
        }
    }

    @Test func linksInsideAreTaken() throws {
        try link("a", to: "sub/file")
        try link("sub/b", to: "../a")
        try link("sub/c", to: "./file")
        try link("d", to: "sub")
        try link("e", to: ".")
        #expect(reason() == nil)
    }

    @Test(
        "S46 a link that leaves, by whatever way, is refused",
        arguments: [
            ["l": "../outside"], ["l": "/etc/passwd"], ["d": ".", "l": "d/../outside"],
            ["d": "sub", "l": "d/../../outside"],
            ["d": "sub", "l": "d/file"], ["l": "sub/../../outside"], ["l": "nowhere"], ["l": "l"],
            ["a": "b/x", "b": "a/x"],
            ["l": "sub/file/.."], ["l": ".."], ["l": "sub/../.."], ["l": "//etc"],
        ])
    func refusesLinksThatLeave(links: [String: String]) throws {
        for (name, target) in links { try link(name, to: target) }
        // One that names itself leads nowhere, but not out.
        if links == ["l": "l"] { return #expect(reason() == nil) }
        #expect(reason()?.contains("link") == true)
    }

    @Test("S46 a sparse file counts by its size")
    func refusesSparseFiles() throws {
        let file = open(root + "/sparse", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(ftruncate(file, 2 << 40) == 0)
        close(file)
        #expect(reason()?.contains("a file of more than") == true)
        try FileManager.default.removeItem(atPath: root + "/sparse")
        for number in 0..<3 {
            let part = open(root + "/part\(number)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            #expect(ftruncate(part, 200 << 20) == 0)
            close(part)
        }
        #expect(reason()?.contains("more than 512 MiB") == true)
    }

    @Test("S46 a pipe is refused, and nobody waits for a writer")
    func refusesPipes() throws {
        #expect(mkfifo(root + "/pipe", 0o600) == 0)
        #expect(reason()?.contains("neither file nor folder") == true)
    }

    @Test("S46 too many files, folders too deep, and paths too long are refused")
    func refusesSize() throws {
        #expect(reason(.init(entries: 1))?.contains("too many") == true)
        #expect(reason(.init(depth: 0))?.contains("deep") == true)
        #expect(reason(.init(path: 5))?.contains("path") == true)
        #expect(reason(.init(file: 0))?.contains("file") == true)
        var deep = root
        for _ in 0..<40 { deep += "/d" }
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        #expect(reason()?.contains("more than 32 deep") == true)
    }

    @Test("S46 a file that is exchanged after it was looked at is not read")
    func refusesExchanges() throws {
        let tree = try BundleTree(below: root)
        let entry = try #require(tree.entries.first { $0.path == "sub/file" })
        let first = try tree.open(entry)
        close(first)
        try FileManager.default.removeItem(atPath: root + "/sub/file")
        try FileManager.default.createSymbolicLink(
            atPath: root + "/sub/file", withDestinationPath: folder.path + "/outside")
        #expect(throws: WireError.self) { close(try tree.open(entry)) }
        try FileManager.default.removeItem(atPath: root + "/sub")
        try FileManager.default.createSymbolicLink(atPath: root + "/sub", withDestinationPath: folder.path)
        #expect(throws: WireError.self) { close(try tree.open(entry)) }
    }
}
