// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Foundation
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// What a restore does to the files, crashes included.
@Suite struct BackupPlacingTests {
    private static let snapshot = "containers/org.latchkey.passwords/restore.snapshot"

    private let folder: TemporaryFolder
    private let directories: Directories
    private let backup = Backup(keyring: [1], registry: [2], snapshot: [3])

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        directories = try #require(folder.directories)
        try Directories.makePrivate(directories.data)
        try Directories.makePrivate(directories.state + "/identities")
    }

    private func contents(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: directories.data + "/" + name).map { Array($0) }
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: directories.data + "/" + name)
    }

    /// What was there before the restore.
    private func makeOld() throws {
        try Directories.makePrivate(directories.data + "/containers/org.latchkey.passwords")
        try Directories.makePrivate(directories.data + "/groups/group.com.example")
        for (name, byte) in [
            ("keyring", 11), ("registry", 12), ("containers/org.latchkey.passwords/vault", 13),
            ("groups/group.com.example/note", 14),
        ] {
            try Data([UInt8(byte)]).write(to: URL(fileURLWithPath: directories.data + "/" + name))
        }
    }

    private func expectNew() {
        #expect(contents("keyring") == [1])
        #expect(contents("registry") == [2])
        #expect(contents(Self.snapshot) == [3])
        #expect(!exists("restoring"))
        #expect(!FileManager.default.fileExists(atPath: directories.state + "/identities"))
    }

    private func expectOldAside() {
        #expect(contents("replaced-1/keyring") == [11])
        #expect(contents("replaced-1/registry") == [12])
        #expect(contents("replaced-1/containers/org.latchkey.passwords/vault") == [13])
        #expect(contents("replaced-1/groups/group.com.example/note") == [14])
        #expect(!exists("groups"))
    }

    @Test func restoreIntoNothing() throws {
        try backup.putInPlace(in: directories)
        expectNew()
    }

    @Test func restoreKeepsTheOldStateAside() throws {
        try makeOld()
        try backup.putInPlace(in: directories)
        expectNew()
        expectOldAside()
    }

    @Test func everyRestoreHasAFolderOfItsOwnForTheOldState() throws {
        try makeOld()
        try backup.putInPlace(in: directories)
        try Backup(keyring: [4], registry: [5], snapshot: [6]).putInPlace(in: directories)
        expectOldAside()
        #expect(contents("replaced-2/keyring") == [1])
        #expect(contents("keyring") == [4])
    }

    @Test func restoreThatNeverGotCompleteIsThrownAway() throws {
        try makeOld()
        try Directories.makePrivate(directories.data + "/restoring")
        try Data([1]).write(to: URL(fileURLWithPath: directories.data + "/restoring/keyring"))
        try Backup.finishInterruptedRestore(in: directories)
        #expect(contents("keyring") == [11])
        #expect(contents("registry") == [12])
        #expect(!exists("restoring"))
    }

    @Test func withoutARestoreNothingHappens() throws {
        try makeOld()
        try Backup.finishInterruptedRestore(in: directories)
        #expect(contents("keyring") == [11])
        #expect(!exists("replaced-1"))
    }

    @Test("a crash after any step of the swap is made good at the next start", arguments: 0...9)
    func crashAfterAnyStep(steps: Int) throws {
        try makeOld()
        let data = directories.data
        // The staged state, complete.
        try Directories.makePrivate(data + "/restoring/containers/org.latchkey.passwords")
        for (name, byte) in [("keyring", 1), ("registry", 2), (Self.snapshot, 3)] {
            try Data([UInt8(byte)]).write(to: URL(fileURLWithPath: data + "/restoring/" + name))
        }
        try Data().write(to: URL(fileURLWithPath: data + "/restoring/complete"))
        // As far as a crash let it come.
        let files = FileManager.default
        var moves: [() throws -> Void] = [{ try Directories.makePrivate(data + "/replaced-1") }]
        moves.append { try files.moveItem(atPath: data + "/groups", toPath: data + "/replaced-1/groups") }
        for name in ["containers", "registry", "keyring"] {
            moves.append { try files.moveItem(atPath: data + "/" + name, toPath: data + "/replaced-1/" + name) }
            moves.append { try files.moveItem(atPath: data + "/restoring/" + name, toPath: data + "/" + name) }
        }
        moves.append { try Data().write(to: URL(fileURLWithPath: data + "/replaced-1/done")) }
        for move in moves.prefix(steps) { try move() }
        try Backup.finishInterruptedRestore(in: directories)
        expectNew()
        expectOldAside()
        try Backup.finishInterruptedRestore(in: directories)
        expectNew()
    }
}
