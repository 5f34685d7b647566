// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Foundation
import PassTesting
import ProcessTesting
import Testing

@testable import PassStore

extension RealStore {
    /// gpg with this store's keys.
    var gnupg: Gnupg {
        Gnupg(
            Gnupg.Place(
                gpg: "/usr/bin/gpg", connectAgent: "/usr/bin/gpg-connect-agent", home: keys, environment: environment),
            programs: ProgramRunner())
    }

    func ciphertext(_ name: String) throws -> [UInt8] {
        try StoreFolder(path: store).ciphertext(of: try #require(EntryName(name)))
    }
}

extension Gnupg {
    /// The text, or the refusal.
    func read(_ bytes: [UInt8], isAsking: Bool = false) async throws -> (String?, DecryptionRefusal?) {
        switch try await decrypt(bytes, isAsking: isAsking, limit: .seconds(20)) {
        case .opened(let text): (text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }, nil)
        case .refused(let refusal): (nil, refusal)
        }
    }
}

@Suite(
    .tags(.startsProcess), .serialized, .timeLimit(.minutes(2)),
    .enabled(if: RealStore.isAvailable, Comment(rawValue: RealStore.absence)))
struct GnupgTests {
    @Test
    func readsWhatPassWroteAndWritesWhatPassReads() async throws {
        let real = try RealStore()
        try real.insert("a.example/u", "secret\nuser: x\n")
        let (text, _) = try await real.gnupg.read(real.ciphertext("a.example/u"))
        #expect(text == "secret\nuser: x\n")
        let store = try StoreFolder(path: real.store)
        let name = try #require(EntryName("web/b.example/v"))
        let bytes = try await real.gnupg.encrypt(
            SecretBytes(utf8: "mine\nurl: b.example\n"), to: store.recipients(for: name))
        try store.add(bytes, as: name)
        #expect(try real.pass(["show", "web/b.example/v"]) == "mine\nurl: b.example\n")
    }

    @Test
    func encryptsToEveryRecipientOfTheFolder() async throws {
        let real = try RealStore(recipients: [RealStore.open, RealStore.locked])
        let store = try StoreFolder(path: real.store)
        let name = try #require(EntryName("a.example/u"))
        let bytes = try await real.gnupg.encrypt(SecretBytes(utf8: "p\n"), to: store.recipients(for: name))
        try store.add(bytes, as: name)
        let packets = try real.run(
            "gpg", ["--batch", "--list-only", "--list-packets", real.store + "/a.example/u.gpg"])
        #expect(packets.components(separatedBy: "pubkey enc packet").count == 3)
    }

    @Test
    func refusesToEncryptToAStranger() async throws {
        let real = try RealStore()
        for stranger in ["nobody@example.com", "0xDEADBEEF", "--output=x", ""] {
            await #expect(throws: PassStoreError.self) {
                try await real.gnupg.encrypt(SecretBytes(utf8: "p"), to: [stranger])
            }
        }
        await #expect(throws: PassStoreError.self) {
            try await real.gnupg.encrypt(SecretBytes(utf8: "p"), to: [RealStore.open, "nobody@example.com"])
        }
    }

    @Test
    func asksOnlyWhenItMay() async throws {
        let real = try RealStore(recipients: [RealStore.locked])
        try real.insert("a.example/u", "secret\n")
        let bytes = try real.ciphertext("a.example/u")
        #expect(try await real.gnupg.read(bytes).1 == .locked)
        #expect(!real.wasAsked)
        #expect(try await real.gnupg.read(bytes, isAsking: true).1 == .cancelled)
        #expect(real.wasAsked)
        try real.answerPinentry(with: "not the passphrase")
        #expect(try await real.gnupg.read(bytes, isAsking: true).1 == .failed)
        #expect(try await real.gnupg.read(bytes).1 == .locked)
        try real.answerPinentry(with: RealStore.passphrase)
        #expect(try await real.gnupg.read(bytes, isAsking: true).0 == "secret\n")
        // The agent remembers it now.
        try real.answerPinentry(with: nil)
        #expect(try await real.gnupg.read(bytes).0 == "secret\n")
        real.lock()
        try real.startAgent()
        #expect(try await real.gnupg.read(bytes).1 == .locked)
    }

    @Test
    func neverStartsAnAgent() async throws {
        let real = try RealStore(recipients: [RealStore.locked])
        try real.insert("a.example/u", "secret\n")
        let bytes = try real.ciphertext("a.example/u")
        real.lock()
        for isAsking in [false, true] {
            #expect(try await real.gnupg.read(bytes, isAsking: isAsking).1 == .noAgent)
        }
        #expect(await real.gnupg.state().agent == nil)
        #expect(!FileManager.default.fileExists(atPath: real.keys + "/S.gpg-agent"))
        try real.startAgent()
        let state = await real.gnupg.state()
        #expect(state.agent != nil)
        #expect(state.version?.hasPrefix("2.") == true)
        #expect(state.keys == ["Test <\(RealStore.open)>", "Test <\(RealStore.locked)>"])
    }

    @Test
    func refusesWhatIsEncryptedToOthers() async throws {
        let (real, other) = (try RealStore(), try RealStore(hasOwnKeys: true))
        try other.insert("a.example/u", "secret\n")
        #expect(try await real.gnupg.read(other.ciphertext("a.example/u")).1 == .noSecretKey)
    }

    @Test("What was tampered with, cut off or never encrypted gives no text, though gpg prints one")
    func refusesDamagedEntries() async throws {
        let real = try RealStore()
        try real.insert("a.example/u", "secret\n")
        let bytes = try real.ciphertext("a.example/u")
        var changed = bytes
        changed[changed.count - 20] ^= 1
        let damaged: [[UInt8]] = [
            changed, Array(bytes.dropLast(5)), Array(bytes.prefix(20)), Array("just text".utf8), [0], [],
            (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 5) },
        ]
        for bytes in damaged {
            let (text, refusal) = try await real.gnupg.read(bytes)
            #expect(text == nil)
            #expect(refusal == .damaged)
        }
        // Signed and not encrypted: gpg prints it and is content.
        let signed = try real.run("gpg", ["--batch", "--armor", "-u", RealStore.open, "--sign"], input: "secret\n")
        #expect(try await real.gnupg.read(Array(signed.utf8)).0 == nil)
    }

    @Test
    func refusesATextThatUnpacksToTooMuch() async throws {
        let real = try RealStore()
        let long = String(repeating: "a", count: EntryText.byteLimit + 1)
        let arguments = ["--batch", "--armor", "--compress-algo", "zip", "-r", RealStore.open, "--encrypt"]
        let bytes = Array(try real.run("gpg", arguments, input: long).utf8)
        #expect(bytes.count < 10_000)
        #expect(try await real.gnupg.read(bytes).1 == .tooLarge)
    }

    @Test
    func stopsGpgThatHangs() async throws {
        let real = try RealStore()
        try real.write("#!/bin/sh\nexec sleep 600\n", to: "gpg")
        try real.run("chmod", ["+x", real.folder + "/gpg"])
        let clock = StandingClock()
        let place = Gnupg.Place(
            gpg: real.folder + "/gpg", connectAgent: "/usr/bin/false", home: nil, environment: real.environment)
        let run = Task {
            try await Gnupg(place, programs: ProgramRunner(clock: clock)).decrypt(
                [1], isAsking: true, limit: .seconds(9))
        }
        clock.pass()
        guard case .refused(.timedOut) = try await run.value else {
            Issue.record("It went on.")
            return
        }
    }
}
