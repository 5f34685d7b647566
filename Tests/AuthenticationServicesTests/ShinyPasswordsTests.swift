// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Synchronization
import Testing

@testable import AuthenticationServices

/// The provider of `ShinyPasswords.swift`, run.
@MainActor
@Suite(.timeLimit(.minutes(1)))
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
        #expect(credential.password.bytes == SecretBytes(utf8: "correct horse"))
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
        #expect(try await end.select("0.0").password.bytes == SecretBytes(utf8: "battery staple"))
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
        #expect(try await end.provide().password.bytes == SecretBytes(utf8: "since iOS 17"))
    }

    @Test
    func configuresItself() async throws {
        let ending = RequestEnding()
        let controller = CredentialProviderViewController()
        controller.beginRequest(with: ASCredentialProviderExtensionContext(ending: ending))
        controller.prepareInterfaceForExtensionConfiguration()
        guard case .configured = await ending.wait() else {
            Issue.record("it did not end its configuration")
            return
        }
    }
}
