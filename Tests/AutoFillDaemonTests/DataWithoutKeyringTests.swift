// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// What is said and refused where data are here without the keyring that opens them.
@Suite(.timeLimit(.minutes(2))) struct DataWithoutKeyringTests {
    private func statement(_ files: [String], folder: String = "data") throws -> MissingKeyring? {
        let home = try TemporaryFolder(inMemory: true)
        let environment = ["HOME": home.path, "XDG_DATA_HOME": "\(home.path)/\(folder)"]
        let directories = try #require(Directories(environment: environment))
        for file in files {
            let path = directories.data + "/" + file
            let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            if file.hasSuffix("/") {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            } else {
                try Data("x".utf8).write(to: URL(fileURLWithPath: path))
            }
        }
        return DataWithoutKeyring(in: directories)?.statement
    }

    @Test(arguments: [
        ["registry"], ["registry.next"], ["containers/org.latchkey.passwords/vault.latchkey"],
        ["groups/com.example.group/a/b"],
        ["containers/com.example.other/.latchkey-keychain/keychain.latchkey"],
        ["initializing", "registry", "containers/org.latchkey.passwords/vault.latchkey"], ["containers"],
    ])
    func dataThatNeedAKeyringAreFound(files: [String]) throws {
        #expect(try statement(files) != nil)
    }

    @Test(arguments: [
        [], ["quirks/set.json"], ["extensions/a.appex/Info.plist"], ["containers/org.latchkey.passwords/"],
        ["initializing", "registry"],
        ["replaced-1/keyring", "replaced-1/registry"],
    ])
    func whatNeedsNoKeyringIsLeftOut(files: [String]) throws {
        #expect(try statement(files) == nil)
    }

    @Test func theAdviceMovesToAFreeNameAndIsQuoted() throws {
        let plain = try #require(try statement(["registry"]))
        #expect(plain.hint.contains("/latchkey-1`, then begin anew with `latchkey init`."))
        let taken = try #require(try statement(["registry", "../latchkey-1/keyring"], folder: "it's mine"))
        #expect(taken.hint.contains("/it'\\''s mine/latchkey' '") && taken.hint.contains("latchkey-2'`"))
        let unshown = try #require(try statement(["registry"], folder: "a\nb"))
        #expect(!unshown.hint.contains("mv "))
    }

    @Test("nothing takes the place of a keyring that is missing, and all say so until it is back")
    func aMissingKeyringIsSaidAndNotReplaced() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        let (keyring, registry) = (daemon.directories.data + "/keyring", daemon.directories.data + "/registry")
        let aside = daemon.folder.path + "/aside"
        try FileManager.default.moveItem(atPath: keyring, toPath: aside)
        try await daemon.broker.startAnew()
        let before = FileManager.default.contents(atPath: registry)
        func isSaid(_ error: any Error) -> Bool {
            (error as? WireError)?.message.hasPrefix("The file \(keyring) is missing.") == true
                && (error as? WireError)?.hint?.contains("`latchkey restore FILE --replace`") == true
        }
        await #expect { try await daemon.initialize(passphrase: daemon.passphrase) } throws: {
            code($0) == .alreadyExists && isSaid($0)
        }
        await #expect { try await daemon.broker.unlock(passphrase: daemon.passphrase) } throws: {
            code($0) == .notInitialized && isSaid($0)
        }
        await #expect {
            try await daemon.keyrings.recover(code: daemon.passphrase, newPassphrase: daemon.passphrase, on: 0)
        } throws: {
            code($0) == .notInitialized && isSaid($0)
        }
        await #expect { try await daemon.broker.requireUnlocked() } throws: {
            code($0) == .notInitialized && isSaid($0)
        }
        #expect(await daemon.broker.missingKeyring != nil)
        #expect(FileManager.default.contents(atPath: registry) == before)
        #expect(!FileManager.default.fileExists(atPath: keyring))
        // Put back, it is found without a new start.
        try FileManager.default.moveItem(atPath: aside, toPath: keyring)
        #expect(await daemon.broker.standing().initialized)
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
        #expect(await daemon.broker.missingKeyring == nil)
    }

    @Test("an initialization that was broken off can be run again, and its mark does not outlive it")
    func aBrokenInitializationIsRunAgain() async throws {
        let daemon = try await FakeInstallation()
        let mark = daemon.directories.data + "/initializing"
        for (name, content) in [("initializing", ""), ("registry", "half")] {
            try Data(content.utf8).write(to: URL(fileURLWithPath: daemon.directories.data + "/" + name))
        }
        _ = try await daemon.initialize(passphrase: daemon.passphrase)
        #expect(await daemon.broker.unlocked != nil)
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test("a restore that cannot be finished is not taken for a keyring that is missing")
    func anUnfinishedRestoreIsSaidToBeOne() async throws {
        let daemon = try await FakeInstallation()
        let switching = daemon.directories.data + "/switching"
        try FileManager.default.createDirectory(atPath: switching, withIntermediateDirectories: false)
        #expect(await daemon.broker.missingKeyring?.hint.contains("`latchkey unlock`: it finishes") == true)
        // The next command finishes what can be finished.
        #expect(await !daemon.broker.standing().initialized)
        #expect(!FileManager.default.fileExists(atPath: switching))
        #expect(await daemon.broker.missingKeyring == nil)
    }

    @Test func initMakesAFolderThatWasMovedAside() async throws {
        let daemon = try await FakeInstallation()
        try FileManager.default.moveItem(atPath: daemon.directories.data, toPath: daemon.folder.path + "/aside")
        _ = try await daemon.initialize(passphrase: daemon.passphrase)
        #expect(FileManager.default.fileExists(atPath: daemon.directories.data + "/keyring"))
    }
}

extension Broker {
    /// Locks and reads the keyring as a start does.
    fileprivate func startAnew() async throws {
        await lock(reason: "test")
        keyringFile = try KeyringFile(path: directories.data + "/keyring")
    }
}
