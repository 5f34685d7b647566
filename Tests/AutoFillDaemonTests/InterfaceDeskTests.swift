// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillRelease
import Synchronization
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

/// How long the passphrase counts that was given for an interface.
@Suite struct InterfaceDeskTests {
    @Test("S68: the passphrase counts for its window, until five minutes after the last act in it")
    func passphraseOfAWindow() async throws {
        let epoch = UserAct.Epoch(1)
        let passed = Mutex(Duration.zero)
        let desk = InterfaceDesk(now: { start + passed.withLock(\.self) })
        let browser = FakeBrowser()
        let name = try await desk.present(.init(requester: "x"), over: browser.client, act: { _ in }, cancel: {})
        let saved = InterfaceElement(kind: "saved", id: "p", record: "r1")
        await desk.show(.init(title: "", elements: [saved]), on: name)
        #expect(await desk.proof(in: name, on: 1, in: epoch) == nil)
        await desk.noteProof(.init(epoch: epoch, means: .pin), in: name, on: 2)
        #expect(await desk.proof(in: name, on: 1, in: epoch) == nil)
        await desk.noteProof(.init(epoch: epoch, means: .pin), in: name, on: 1)
        #expect(await desk.proof(in: name, on: 1, in: epoch) == .pin)
        #expect(await desk.proof(in: name, on: 2, in: epoch) == nil)
        #expect(await desk.proof(in: name, on: 1, in: UserAct.Epoch(2)) == nil)
        passed.withLock { $0 = .seconds(299) }
        #expect(await desk.proof(in: name, on: 1, in: epoch) == .pin)
        _ = try await desk.record(of: "p", in: name, on: 1)
        passed.withLock { $0 = .seconds(598) }
        #expect(await desk.proof(in: name, on: 1, in: epoch) == .pin)
        passed.withLock { $0 = .seconds(599) }
        #expect(await desk.proof(in: name, on: 1, in: epoch) == nil)
        // What is done after the pause does not bring it back.
        _ = try await desk.record(of: "p", in: name, on: 1)
        #expect(await desk.proof(in: name, on: 1, in: epoch) == nil)
    }
}
