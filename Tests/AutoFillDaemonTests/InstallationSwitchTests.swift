// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Foundation
import Glibc
import Synchronization
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// What a restore does to the files, crashes and failures included.
@Suite struct InstallationSwitchTests {
    private let folder: TemporaryFolder
    private let directories: Directories
    private var data: String { directories.data }

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        directories = try #require(folder.directories)
        try Directories.makePrivate(directories.data)
        try Directories.makePrivate(directories.state + "/identities")
    }

    private static let vault = "containers/org.latchkey.passwords/vault.latchkey"
    private static let old = [
        "keyring": 11, "registry": 12, vault: 13, "groups/group.com.example/note": 14, "login-key": 15,
        "registry.next": 16,
    ]
    private static let new = ["keyring": 1, "registry": 2, vault: 3]

    private func write(_ files: [String: Int], in folder: String) throws {
        for (name, byte) in files {
            let path = folder + "/" + name
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data([UInt8(byte)]).write(to: URL(fileURLWithPath: path))
        }
    }

    /// All files below a folder, by path, with their one byte.
    private func files(in folder: String) -> [String: Int] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder),
                    !isFolder.boolValue
                else { return nil }
                return (name, Int(FileManager.default.contents(atPath: folder + "/" + name)?.first ?? 0))
            })
    }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: data + "/" + name) }

    private func aside(_ number: Int, _ files: [String: Int]) -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: files.filter { $0.key != "login-key" }.map { ("replaced-\(number)/\($0)", $1) })
    }

    private func stage() throws -> String {
        let staging = Backup.staging(directories)
        try write(Self.new, in: staging)
        return staging
    }

    private func expectNew(aside: [String: Int] = [:]) {
        #expect(files(in: data) == Self.new.merging(aside) { $1 })
        for name in ["restoring", "switching", "replacing", "identities"] { #expect(!exists(name)) }
        #expect(!FileManager.default.fileExists(atPath: directories.state + "/identities"))
    }

    @Test func intoNothing() throws {
        try InstallationSwitch(in: directories).perform(from: stage())
        expectNew()
        #expect(InstallationSwitch.replaced(in: data).isEmpty)
    }

    @Test func keepsTheOldOneAsideWithoutItsLoginKey() throws {
        try write(Self.old, in: data)
        try InstallationSwitch(in: directories).perform(from: stage())
        expectNew(aside: aside(1, Self.old))
        #expect(InstallationSwitch.replaced(in: data).map(\.path) == [data + "/replaced-1"])
    }

    @Test func eachReplacedOneHasAFolderOfItsOwn() throws {
        try write(Self.old, in: data)
        try write(["note": 9], in: data + "/replaced-7")
        try InstallationSwitch(in: directories).perform(from: stage())
        expectNew(aside: aside(8, Self.old).merging(["replaced-7/note": 9]) { $1 })
        #expect(InstallationSwitch.replaced(in: data).map(\.number) == [7, 8])
    }

    @Test func whatWasReplacedIsBroughtBack() throws {
        try write(Self.old, in: data)
        try InstallationSwitch(in: directories).perform(from: stage())
        try InstallationSwitch(in: directories).perform(from: data + "/replaced-1")
        let old = Self.old.filter { !["login-key", "registry.next"].contains($0.key) }
        #expect(files(in: data) == old.merging(aside(1, Self.new)) { $1 })
    }

    @Test func withoutASwitchNothingHappens() throws {
        try write(Self.old, in: data)
        try InstallationSwitch(in: directories).finish()
        #expect(files(in: data) == Self.old)
    }

    /// The renames of a switch, in order.
    private var moves: [(String, String)] {
        var moves = [("restoring", "switching")]
        for name in ["login-key", "registry.next"] { moves.append((name, "replacing/" + name)) }
        for name in ["containers", "groups", "registry", "keyring"] {
            moves += [(name, "replacing/" + name), ("switching/" + name, name)]
        }
        return moves
    }

    @Test("a crash behind any rename is made good at the next start", arguments: 0...11)
    func crash(moved: Int) throws {
        try write(Self.old, in: data)
        try Directories.makePrivate(stage() + "/groups")
        try Directories.makePrivate(data + "/replacing")
        for (old, new) in moves.prefix(moved) {
            try FileManager.default.moveItem(atPath: data + "/" + old, toPath: data + "/" + new)
        }
        try Backup.removeStaging(in: directories)
        for _ in 0..<2 {
            try InstallationSwitch(in: directories).finish()
            guard moved > 0 else {
                #expect(files(in: data) == Self.old)
                continue
            }
            expectNew(aside: aside(1, Self.old))
        }
    }

    /// A switch whose renames fail: one of them, or all from that one on.
    private func failing(at number: Int, andBehind: Bool) -> InstallationSwitch {
        var failing = InstallationSwitch(in: directories)
        let count = Mutex(0)
        failing.renaming = { old, new in
            let turn = count.withLock { count in
                defer { count += 1 }
                return count
            }
            guard turn == number || andBehind && turn > number else { return rename(old, new) }
            errno = EIO
            return -1
        }
        return failing
    }

    @Test("a switch of which one rename fails changes nothing", arguments: 0...10)
    func failure(number: Int) throws {
        try write(Self.old, in: data)
        let staging = try stage()
        #expect {
            try failing(at: number, andBehind: false).perform(from: staging)
        } throws: { error in
            (error as? WireError)?.message.hasPrefix("Nothing was changed") == true
        }
        try Backup.removeStaging(in: directories)
        #expect(files(in: data) == Self.old)
        for name in ["switching", "replacing"] { #expect(!exists(name)) }
    }

    @Test("where it cannot go back either it says so, and is finished later", arguments: 1...10)
    func failureToGoBack(number: Int) throws {
        try write(Self.old, in: data)
        let staging = try stage()
        #expect {
            try failing(at: number, andBehind: true).perform(from: staging)
        } throws: { error in
            (error as? WireError)?.hint?.contains("finishes the restore") == true
        }
        #expect(InstallationSwitch(in: directories).isUnfinished)
        try InstallationSwitch(in: directories).finish()
        expectNew(aside: aside(1, Self.old))
    }

    @Test func spaceIsAskedForBeforeAnythingIsWritten() throws {
        try write(Self.old, in: data)
        let backup = Backup(keyring: [1], registry: [2], snapshot: [3])
        #expect {
            _ = try backup.stage(in: directories, freeSpace: { _ in 1 << 20 })
        } throws: { error in
            (error as? WireError)?.message.contains("Nothing was changed") == true
        }
        #expect(files(in: data) == Self.old)
        // One byte each of keyring and registry; the vault, its upgrade and the copy of what it was.
        _ = try backup.stage(in: directories, freeSpace: { _ in (1 << 20) + 5 })
        #expect(files(in: Backup.staging(directories)) == Self.new)
    }
}
