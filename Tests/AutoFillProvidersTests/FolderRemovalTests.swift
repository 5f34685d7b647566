// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@testable import AutoFillProviders
@testable import DaemonTesting

@Suite struct FolderRemovalTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/container" }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// Makes folders inside one another, deeper than a path can say, with a file in each.
    private func dig(_ depth: Int) {
        var current = open(path, O_RDONLY | O_DIRECTORY)
        for _ in 0..<depth {
            mkdirat(current, "d", 0o700)
            close(openat(current, "file", O_WRONLY | O_CREAT, 0o600))
            let next = openat(current, "d", O_RDONLY | O_DIRECTORY)
            close(current)
            current = next
        }
        close(current)
    }

    @Test("folders deeper than any path are deleted", arguments: [0, 1, 2, 5_000])
    func deepFoldersGo(depth: Int) throws {
        dig(depth)
        #expect(FolderRemoval.remove(path))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func closedFoldersAndOddNamesGo() throws {
        for name in ["closed", "closed/inner", ".latchkey-1", ".latchkey-2", "a\nb", "file"] {
            try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: false)
        }
        try folder.write("x", to: "container/file/x")
        try folder.write("x", to: "container/.latchkey-3")
        chmod(path + "/closed/inner", 0)
        chmod(path + "/closed", 0)
        #expect(FolderRemoval.remove(path))
    }

    @Test func whatALinkLeadsToStays() throws {
        let other = folder.path + "/other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        try folder.write("kept", to: "other/file")
        try FileManager.default.createDirectory(atPath: path + "/d", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: path + "/d/link", withDestinationPath: other)
        try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: other)
        #expect(FolderRemoval.remove(path))
        #expect(String(decoding: folder.read("other/file"), as: UTF8.self) == "kept")

        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
        #expect(FolderRemoval.remove(path))
        #expect(String(decoding: folder.read("other/file"), as: UTF8.self) == "kept")
    }

    @Test func absentFolderIsDeleted() throws {
        #expect(FolderRemoval.remove(folder.path + "/absent"))
    }
}
