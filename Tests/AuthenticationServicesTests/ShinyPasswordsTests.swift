// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Synchronization
import Testing

@testable import AuthenticationServices

/// The provider of `ShinyPasswords.swift`, run. One test after the other: they share its database, which one of them unlocks.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ShinyPasswordsTests {
    private func identity(_ record: String?, _ user: String = "rmondello") -> IdentityStatement {
        .init(
            type: "password",
            service: .init(type: 0, identifier: "shiny.example.com"),
            user: user,
            recordIdentifier: record,
            rank: 1
        )
    }

    @Test
    func providesThePasswordOfASuggestion() async throws {
        let end = try await DaemonEnd.started { CredentialProviderViewController() }
        let credential = try await end.provide(1, identity("1"))
        #expect(credential.password?.bytes == SecretBytes(utf8: "correct horse"))
    }

    @Test(arguments: [("9", 1101), (nil, 1101), ("3", 1100)] as [(String?, Int)])
    func refusesASuggestion(record: String?, code: Int) async throws {
        let end = try await DaemonEnd.started { CredentialProviderViewController() }
        #expect(await Refusal.of { try await end.provide(1, identity(record)) } == Refusal(code))
    }

    @Test
    func listsTheMostRelevantFirst() async throws {
        let end = try await DaemonEnd.started { CredentialProviderViewController() }
        let sections = try await end.list(1, [.init(type: 1, identifier: "https://dull.example.com/login")])
        #expect(sections.first?.rows.map(\.subtitle) == ["dull.example.com", "shiny.example.com", "shiny.example.com"])
        #expect(try await end.select("1").password?.bytes == SecretBytes(utf8: "battery staple"))
    }

    @Test
    func fillsTheIdentityStore() async throws {
        let recorder = StoreRecorder()
        recorder.state.withLock { $0.standing = .init(enabled: true, supportsIncrementalUpdates: false) }
        let end = try await DaemonEnd.started(recorder: recorder) { CredentialProviderViewController() }
        let updates = CredentialIdentityUpdates(store: end.store)
        let finished = Arrival<Bool>()
        let identity = try #require(PasswordDatabase.shared.identities.first)
        updates.passwordAdded(identity) { finished.arrive($0 == nil) }
        #expect(await finished.next() == true)
        #expect(recorder.methods == ["store.state", "store.replace"])
        recorder.state.withLock { $0.standing = .init(enabled: true, supportsIncrementalUpdates: true) }
        updates.passwordAdded(identity) { finished.arrive($0 == nil) }
        #expect(await finished.next() == true)
        #expect(recorder.methods.suffix(2) == ["store.state", "store.save"])
        recorder.state.withLock { $0.standing = .init(enabled: false, supportsIncrementalUpdates: true) }
        updates.passwordAdded(identity) { finished.arrive($0 == nil) }
        #expect(await finished.next() == true)
        #expect(recorder.methods.last == "store.state")
        recorder.fail("store.removeAll", with: WireError(.identityStore(1), "disabled"))
        try await updates.signedOut()
        #expect(CredentialIdentityUpdates.describe(ASCredentialIdentityStoreError(.storeBusy)) == "busy")
    }

    @Test
    func providesByRequest() async throws {
        let end = try await DaemonEnd.started { RequestProviderViewController() }
        #expect(try await end.provide().password?.bytes == SecretBytes(utf8: "since iOS 17"))
    }

    @Test
    func asksForTheMasterPassword() async throws {
        let end = try await DaemonEnd.started { CredentialProviderViewController() }
        #expect(await Refusal.of { try await end.provide(1, identity("3", "locked")) } == Refusal(1100))
        end.beginInterface(2, identity("3", "locked"))
        let asking = try await end.interface(2)
        #expect(asking.title == "Shiny Passwords")
        #expect(asking.kinds == ["message", "secure", "button"])
        let (field, button) = (asking.elements[1].id, asking.elements[2].id)
        try await end.act(button, "press", request: 2, fields: [field: "wrong"])
        let again = try await end.interface(2)
        #expect(again.kinds == ["message", "secure", "button", "message"])
        #expect(again.elements[3].style == "error")
        // Another field, so that the wrong text does not stay in it.
        #expect(again.elements[1].id != field)
        try await end.act(button, "press", request: 2, fields: [again.elements[1].id: "open sesame"])
        #expect(try await end.answer(2).password?.bytes == SecretBytes(utf8: "behind a master password"))
        PasswordDatabase.shared.lock()
    }

    @Test
    func configuresItself() async throws {
        let end = try await DaemonEnd.started { CredentialProviderViewController() }
        _ = try await end.call(Provider.Configure.self, .init(request: 1))
        #expect(end.screens.count == 0)
    }
}
