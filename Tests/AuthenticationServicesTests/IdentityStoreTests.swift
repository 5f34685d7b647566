// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct IdentityStoreTests {
    private let recorder = StoreRecorder()

    private func store() async throws -> (ASCredentialIdentityStore, DaemonEnd) {
        let end = try await DaemonEnd.started(recorder: recorder) { ASCredentialProviderViewController() }
        return (end.store, end)
    }

    private func identity(_ user: String, _ host: String = "a.example") -> ASPasswordCredentialIdentity {
        ASPasswordCredentialIdentity(
            serviceIdentifier: .init(identifier: host, type: .domain),
            user: user,
            recordIdentifier: "r"
        )
    }

    private func changeWithoutWaiting(_ store: ASCredentialIdentityStore) {
        for _ in 0..<20 {
            store.saveCredentialIdentities([identity("u")])
            store.removeCredentialIdentities([identity("u")])
        }
        store.saveCredentialIdentities([identity("last")])
    }

    @Test
    func isDisabledWithoutADaemon() async throws {
        let store = ASCredentialIdentityStore(connection: StoreConnection())
        let state = await store.state()
        #expect(!state.isEnabled)
        #expect(!state.supportsIncrementalUpdates)
        await #expect(throws: ASCredentialIdentityStoreError(.storeDisabled)) {
            try await store.removeAllCredentialIdentities()
        }
        await #expect(throws: ASCredentialIdentityStoreError(.storeDisabled)) {
            try await store.saveCredentialIdentities([identity("u")])
        }
    }

    @Test
    func isDisabledWhereTheStateCannotBeAsked() async throws {
        recorder.fail("store.state", with: WireError(.locked, "locked"))
        let (store, end) = try await store()
        #expect(await !store.state().isEnabled)
        _ = end
    }

    @Test
    func savesRemovesAndReplaces() async throws {
        let (store, end) = try await store()
        let both: [any ASCredentialIdentity] = [identity("u1"), identity("u2")]
        try await store.saveCredentialIdentities(both)
        #expect(recorder.identities == ["0 a.example u1 r", "0 a.example u2 r"])
        try await store.removeCredentialIdentities([identity("u1")])
        #expect(recorder.identities == ["0 a.example u2 r"])
        try await store.replaceCredentialIdentities(with: [identity("u3")])
        #expect(recorder.identities == ["0 a.example u3 r"])
        try await store.replaceCredentialIdentities([identity("u4")] as [any ASCredentialIdentity])
        #expect(recorder.identities == ["0 a.example u4 r"])
        try await store.removeAllCredentialIdentities()
        #expect(recorder.identities == [])
        _ = end
    }

    @Test
    func keepsTheOrderOfChangesThatNobodyWaitsFor() async throws {
        let (store, end) = try await store()
        changeWithoutWaiting(store)
        _ = await store.state()
        #expect(recorder.identities == ["0 a.example last r"])
        #expect(
            recorder.methods.dropLast() == (0..<20).flatMap { _ in ["store.save", "store.remove"] } + ["store.save"]
        )
        _ = end
    }

    @Test
    func callsHandlersOnTheMainActor() async throws {
        let (store, end) = try await store()
        let arrived = Arrival<String>()
        store.getState { state in
            MainActor.assertIsolated()
            arrived.arrive("\(state.isEnabled)")
        }
        #expect(await arrived.next() == "true")
        store.saveCredentialIdentities([identity("u")]) { success, error in
            MainActor.assertIsolated()
            arrived.arrive("\(success) \(error == nil)")
        }
        #expect(await arrived.next() == "true true")
        recorder.fail("store.removeAll", with: WireError(.identityStore(2), "busy"))
        store.removeAllCredentialIdentities { success, error in
            guard let error, case ASCredentialIdentityStoreError.storeBusy = error else { return arrived.arrive("?") }
            arrived.arrive("\(success)")
        }
        #expect(await arrived.next() == "false")
        _ = end
    }

    @Test(arguments: [
        (WireError(.identityStore(0), "x"), ASCredentialIdentityStoreError.Code.internalError),
        (WireError(.identityStore(1), "x"), .storeDisabled),
        (WireError(.identityStore(2), "x"), .storeBusy),
        (WireError(.identityStore(3), "x"), .internalError),
        (WireError(.busy, "x"), .storeBusy),
        (WireError(.notPermitted, "x"), .storeDisabled),
        (WireError(.locked, "x"), .storeDisabled),
        (WireError(.methodNotFound, "x"), .internalError),
        (WireError(.init(rawValue: 999_999), "x"), .internalError),
    ])
    func makesTheDaemonsErrorsApples(error: WireError, code: ASCredentialIdentityStoreError.Code) async throws {
        recorder.fail("store.save", with: error)
        let (store, end) = try await store()
        do {
            try await store.saveCredentialIdentities([identity("u")])
            Issue.record("it was saved")
        } catch let error as ASCredentialIdentityStoreError {
            #expect(error.code == code)
        }
        _ = end
    }

    @Test
    func failsWhenTheDaemonGoesAway() async throws {
        let (store, end) = try await store()
        end.peer.close()
        let refusal = await Refusal.of { try await store.saveCredentialIdentities([identity("u")]) }
        #expect(refusal != nil)
        #expect(recorder.identities == [])
    }

    @Test
    func sendsALongListInParts() async throws {
        let (store, end) = try await store()
        let many = (0..<5000).map { identity("user\($0)") }
        try await store.replaceCredentialIdentities(with: many)
        #expect(recorder.methods == ["store.begin", "store.append", "store.append", "store.append", "store.commit"])
        #expect(recorder.counts == [2000, 2000, 1000])
        #expect(recorder.identities.count == 5000)
        try await store.removeCredentialIdentities(Array(many.dropLast()))
        #expect(recorder.identities == ["0 a.example user4999 r"])
        _ = end
    }

    @Test
    func sendsLongIdentitiesInParts() async throws {
        let (store, end) = try await store()
        let many = (0..<100).map { identity(String(repeating: "\"", count: 10_000) + "\($0)") }
        try await store.saveCredentialIdentities(many)
        #expect(recorder.methods.first == "store.begin")
        #expect(recorder.identities.count == 100)
        _ = end
    }

    @Test(arguments: ["store.begin", "store.append", "store.commit"])
    func leavesABatchThatFailsUncommitted(method: String) async throws {
        recorder.fail(method, with: WireError(.identityStore(2), "busy"))
        let (store, end) = try await store()
        let many = (0..<2001).map { identity("user\($0)") }
        await #expect(throws: (any Error).self) { try await store.saveCredentialIdentities(many) }
        #expect(recorder.identities == [])
        #expect(recorder.methods.contains("store.commit") == (method == "store.commit"))
        _ = end
    }

    @Test
    func sendsNothingOfAListWithAnIdentityThatIsTooLong() async throws {
        let (store, end) = try await store()
        let long = identity(String(repeating: "x", count: 1 << 20))
        await #expect(throws: (any Error).self) { try await store.saveCredentialIdentities([identity("u"), long]) }
        #expect(recorder.methods == [])
        // What comes after a refusal still goes through.
        try await store.saveCredentialIdentities([identity("u")])
        #expect(recorder.identities.count == 1)
        _ = end
    }

    @Test
    func savesIdentitiesOfCodesBesidePasswords() async throws {
        let (store, end) = try await store()
        let code = ASOneTimeCodeCredentialIdentity(
            serviceIdentifier: .init(identifier: "a.example", type: .domain),
            label: "codes",
            recordIdentifier: "c"
        )
        try await store.saveCredentialIdentities([identity("u"), code] as [any ASCredentialIdentity])
        #expect(recorder.identities == ["0 a.example u r", "0 a.example codes c"])
        _ = end
    }

    @Test
    func sendsNothingOfAListWithATypeItDoesNotKnow() async throws {
        final class Unknown: NSObject, ASCredentialIdentity {
            let serviceIdentifier = ASCredentialServiceIdentifier(identifier: "a.example", type: .domain)
            let user = "u"
            let recordIdentifier: String? = nil
            var rank = 0
        }
        let (store, end) = try await store()
        let error = await #expect(throws: ASCredentialIdentityStoreError.self) {
            try await store.saveCredentialIdentities([identity("u"), Unknown()] as [any ASCredentialIdentity])
        }
        #expect(
            error?.localizedDescription == "Nothing was changed: identity 2 of 2 is of a type that is not known.")
        #expect(recorder.methods == [])
        _ = end
    }

    @Test
    func sendsAPasskeyBesideTheOthersAndReadsItBack() async throws {
        let (store, end) = try await store()
        let passkey = ASPasskeyCredentialIdentity(
            relyingPartyIdentifier: "a.example",
            userName: "anna",
            credentialID: Data([7, 0]),
            userHandle: Data([9]),
            recordIdentifier: "p"
        )
        passkey.rank = 3
        try await store.saveCredentialIdentities([identity("u"), passkey] as [any ASCredentialIdentity])
        #expect(recorder.identities == ["0 a.example u r", "0 a.example anna p"])
        let statement = try #require(IdentityStatement(passkey))
        let read = try #require(statement.credentialIdentity as? ASPasskeyCredentialIdentity)
        #expect(read.relyingPartyIdentifier == "a.example")
        #expect(read.userName == "anna")
        #expect(read.credentialID == Data([7, 0]))
        #expect(read.userHandle == Data([9]))
        #expect(read.recordIdentifier == "p")
        #expect(read.rank == 3)
        _ = end
    }

    @Test(arguments: ["", "plain", "\"\\\"", "\u{0}\u{1f}\n", "ü😀", String(repeating: "\u{7}", count: 50)])
    func neverTakesAnIdentityForShorterThanItIs(text: String) throws {
        let identity = IdentityStatement(
            type: text,
            service: .init(type: .min, identifier: text),
            user: text,
            recordIdentifier: text,
            rank: .min,
            strict: false,
            period: .min,
            credentialId: text,
            userHandle: text
        )
        let params = Provider.AppendBatch.Params(batch: 0, identities: [identity])
        let encoded = Message.request(id: .integer(0), method: "", params: try JSONValue(encoding: params)).encoded()
        let empty = Message.request(
            id: .integer(0),
            method: "",
            params: try JSONValue(encoding: Provider.AppendBatch.Params(batch: 0, identities: []))
        ).encoded()
        #expect(encoded.count - empty.count <= IdentityParts.sizeBound(of: identity))
    }
}
