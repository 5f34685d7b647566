// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices

@Suite(.timeLimit(.minutes(2)))
final class ProviderContainerTests {
    private let folder = NSTemporaryDirectory() + "latchkey-shared-" + UUID().uuidString
    private var path: String { folder + "/secrets.latchkey" }

    init() throws {
        try Directories.makePrivate(folder)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func container(_ folder: String, _ key: String = "AAEC") throws -> ProviderContainer {
        let rest = "AwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        let group = GroupStatement(identifier: "group.com.example", folder: folder + "/group", key: .container)
        return try ProviderContainer(
            identifier: "com.example.test",
            folder: folder,
            key: WireSecret(SecretBytes(utf8: key + rest)),
            groups: [group]
        )
    }

    private func code(_ body: () throws -> some Any) -> ProviderContainerError.Code? {
        do {
            _ = try body()
            return nil
        } catch let error as ProviderContainerError {
            #expect(!error.message.isEmpty)
            return error.code
        } catch {
            Issue.record("another error: \(error)")
            return nil
        }
    }

    @Test
    func keepsSecrets() throws {
        let container = try Self.container(folder)
        #expect(try container.names == [])
        #expect(try container.secret(for: "token") == nil)
        #expect(try container.remove("token") == false)
        #expect(!FileManager.default.fileExists(atPath: path))
        try container.set(SecretText("hunter2"), for: "token")
        try container.set(Data([0, 255, 0]), for: "ü")
        try container.set(SecretText(""), for: "empty")
        let again = try Self.container(folder)
        #expect(try again.names == ["empty", "token", "ü"])
        #expect(try again.secret(for: "token") == SecretText("hunter2"))
        #expect(try again.secret(for: "ü")?.withUnsafeBytes { Array($0) } == [0, 255, 0])
        #expect(try again.secret(for: "empty") == SecretText(""))
        try again.set(SecretText("hunter3"), for: "token")
        #expect(try container.secret(for: "token") == SecretText("hunter3"))
        #expect(try container.remove("token"))
        #expect(try again.secret(for: "token") == nil)
        let file = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(file.range(of: Data("hunter".utf8)) == nil)
        #expect(file.range(of: Data("empty".utf8)) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode == 0o600)
        try container.removeAll()
        #expect(try again.names == [])
        try container.removeAll()
    }

    @Test
    func aGroupIsAPlaceOfItsOwn() throws {
        let container = try Self.container(folder)
        let group = try #require(container.group("group.com.example"))
        #expect(container.group("group.com.other") == nil)
        #expect(group.group("group.com.example") == nil)
        #expect(group.folder.path == folder + "/group")
        // Its folder is not there: an error, and nothing else.
        #expect(code { try group.set(SecretText("s"), for: "n") } == .storageFailed)
        #expect(try group.names == [])
        try Directories.makePrivate(folder + "/group")
        try group.set(SecretText("s"), for: "n")
        #expect(try container.names == [])
        #expect(try group.names == ["n"])
        var dumped = ""
        dump(container, to: &dumped)
        #expect(!dumped.contains("folder"))
    }

    @Test
    func refusesDamageAtEveryByte() throws {
        let container = try Self.container(folder)
        try container.set(SecretText("hunter2"), for: "token")
        let good = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(good.count < 300)
        for offset in good.indices {
            var bad = good
            bad[offset] ^= 1 << UInt8(offset % 8)
            try bad.write(to: URL(fileURLWithPath: path))
            let expected: [ProviderContainerError.Code] = [.damaged, .unsupportedVersion]
            for found in [
                code { try container.secret(for: "token") }, code { try container.names },
                code { try container.set(SecretText("x"), for: "other") }, code { try container.remove("token") },
            ] {
                #expect(found.map(expected.contains) == true, "at byte \(offset)")
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bad)
        }
        for count in 0..<good.count {
            try good.prefix(count).write(to: URL(fileURLWithPath: path))
            #expect(code { try container.names } == .damaged, "cut to \(count) bytes")
        }
        try (good + [0]).write(to: URL(fileURLWithPath: path))
        #expect(code { try container.names } == .damaged)
        try good.write(to: URL(fileURLWithPath: path))
        #expect(try container.secret(for: "token") == SecretText("hunter2"))
        try Data([1]).write(to: URL(fileURLWithPath: path))
        try container.removeAll()
        try container.set(SecretText("new"), for: "token")
    }

    @Test
    func refusesAnotherKeyANewerFormatAndWhatIsNoFile() throws {
        let container = try Self.container(folder)
        try container.set(SecretText("s"), for: "n")
        #expect(code { try Self.container(folder, "BBEC").names } == .damaged)
        #expect(code { try Self.container(folder, "BBEC").set(SecretText("x"), for: "n") } == .damaged)
        let file = try Data(contentsOf: URL(fileURLWithPath: path))
        var newer = file
        newer[17] = UInt8(ascii: "2")
        try newer.write(to: URL(fileURLWithPath: path))
        #expect(code { try container.names } == .unsupportedVersion)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".moved")
        #expect(code { try container.names } == .storageFailed)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(code { try container.names } == .damaged)
        #expect(code { try container.removeAll() } == .storageFailed)
        try FileManager.default.removeItem(atPath: path)
        try Data(count: 2 << 20).write(to: URL(fileURLWithPath: path))
        #expect(code { try container.names } == .damaged)
    }

    @Test
    func refusesWhatIsTooLarge() throws {
        let container = try Self.container(folder)
        try container.set(SecretText("s"), for: "n")
        #expect(code { try container.set(SecretText("s"), for: "") } == .tooLarge)
        #expect(code { try container.set(SecretText("s"), for: String(repeating: "n", count: 257)) } == .tooLarge)
        #expect(code { try container.set(Data(count: 65_537), for: "n") } == .tooLarge)
        var kept = 0
        while kept < 20, code({ try container.set(Data(count: 65_536), for: "big \(kept)") }) == nil { kept += 1 }
        #expect(kept == 15)
        #expect(try container.names.count == 16)
        #expect(try container.secret(for: "n") == SecretText("s"))
    }

    @Test(arguments: [
        ("../evil", "/a", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
        ("com.example", "a", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="), ("com.example", "/a", "AAEC"),
    ])
    func refusesAGroupThatIsNotRight(identifier: String, group: String, key: String) throws {
        let statement = GroupStatement(
            identifier: identifier,
            folder: group,
            key: WireSecret(SecretBytes(utf8: key))
        )
        var params = Provider.Start.Params.valid
        params.groups = [statement]
        #expect(throws: WireError.self) { try ProviderLaunch(params) }
    }

    @Test
    func twoProcessesLoseNothingOfEachOther() async throws {
        let folder = folder
        async let first: Void = Self.write("first", folder)
        async let second: Void = Self.write("second", folder)
        let container = try Self.container(folder)
        for index in 0..<40 {
            try container.set(SecretText("\(index)"), for: "own \(index)")
            _ = try container.names
        }
        _ = await (first, second)
        let expected = ["first", "second", "own"].flatMap { name in (0..<40).map { "\(name) \($0)" } }
        #expect(try container.names == expected.sorted())
        for name in expected {
            #expect(try container.secret(for: name) == SecretText(String(name.split(separator: " ")[1])))
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(left) == ["secrets.latchkey", "secrets.latchkey.lock"])
    }

    private static func write(_ name: String, _ folder: String) async {
        await #expect(processExitsWith: .success) { [name, folder] in
            let container = try ProviderContainerTests.container(folder)
            for index in 0..<40 {
                try container.set(SecretText("\(index)"), for: "\(name) \(index)")
                _ = try container.names
            }
        }
    }

    @Test
    func waitsForTheLockAndGivesUpInTheEnd() throws {
        let container = try Self.container(folder)
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
        #expect(code { try container.set(SecretText("s"), for: "n") } == .busy)
        #expect(try container.names == [])
        flock(lock, LOCK_UN)
        try container.set(SecretText("s"), for: "n")
    }

    /// Whoever takes the lock file away must not let two in at the same time.
    @Test
    func aLockThatWasTakenAwayLocksNothing() throws {
        let container = try Self.container(folder)
        try container.set(SecretText("old"), for: "n")
        let file = SecretFile(folder: folder, key: container.key.bytes)
        var rounds = 0
        let lock = path + ".lock"
        try file.change { secrets in
            rounds += 1
            if rounds == 1 {
                // Another process finds no lock, makes one, and changes the file meanwhile.
                unlink(lock)
                try? container.set(SecretText("other"), for: "other")
            }
            secrets["n"] = SecretBytes(utf8: "new")
        }
        #expect(rounds == 2)
        #expect(try container.secret(for: "other") == SecretText("other"))
        #expect(try container.secret(for: "n") == SecretText("new"))
    }

    @Test
    func whoWaitedForALockThatIsGoneTakesTheNewOne() async throws {
        let container = try Self.container(folder)
        try container.set(SecretText("old"), for: "n")
        let held = open(path + ".lock", O_RDWR | O_CLOEXEC)
        defer { close(held) }
        #expect(flock(held, LOCK_EX) == 0)
        unlink(path + ".lock")
        // The lock that is held is no longer at its place: nobody waits for it.
        try container.set(SecretText("new"), for: "n")
        #expect(try container.secret(for: "n") == SecretText("new"))
    }
}
