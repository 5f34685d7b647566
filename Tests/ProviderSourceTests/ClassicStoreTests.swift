// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import ProviderTesting
import Synchronization
import Testing

@testable import AuthenticationServices
@testable import ClassicProvider

extension ClassicProviderTests {
    /// What the app does to the identity store.
    @MainActor
    @Suite(.serialized, .timeLimit(.minutes(1)))
    struct Store {
        private let recorder = StoreRecorder()
        private let identities = PasswordDatabase().credentialIdentities

        private func started(enabled: Bool = true, incremental: Bool = true) async throws -> DaemonEnd {
            recorder.state.withLock { $0.standing = .init(enabled: enabled, supportsIncrementalUpdates: incremental) }
            PasswordDatabase.shared = PasswordDatabase()
            return try await DaemonEnd.started(recorder: recorder, store: .shared) {
                CredentialProviderViewController()
            }
        }

        private func add() async throws -> String {
            let arrived = Arrival<String>()
            IdentityStoreUpdates().passwordAdded(try #require(identities.first)) { error in
                arrived.arrive(error.map { ErrorTexts.text(for: $0) } ?? "added")
            }
            return try #require(await arrived.next())
        }

        /// Nothing when it is never told.
        private func remove() async throws -> Bool? {
            let arrived = Arrival<Bool>()
            IdentityStoreUpdates().passwordRemoved(try #require(identities.first)) { arrived.arrive($0) }
            return await arrived.next()
        }

        @Test(
            arguments: [
                (true, true, "added", ["store.state", "store.save"]),
                (true, false, "added", ["store.state", "store.replace"]),
                (false, true, "disabled", ["store.state"]),
                (false, false, "disabled", ["store.state"]),
            ]
        )
        func addsAsTheStateAllows(enabled: Bool, incremental: Bool, text: String, methods: [String]) async throws {
            let end = try await started(enabled: enabled, incremental: incremental)
            #expect(try await add() == text)
            #expect(recorder.methods == methods)
            _ = end
        }

        @Test(arguments: [(0, "internal"), (1, "disabled"), (2, "busy"), (7, "internal")])
        func isToldWhyNothingWasAdded(code: Int, text: String) async throws {
            let end = try await started()
            recorder.fail("store.save", with: WireError(.identityStore(code), "no"))
            let told = try await add()
            #expect(told == text || told == "ASCredentialIdentityStoreErrorDomain \(code)")
            #expect(recorder.identities == [])
            _ = end
        }

        @Test(arguments: [(true, true, true), (true, false, false), (false, true, false)])
        func removesAsTheStateAllows(enabled: Bool, incremental: Bool, isRemoved: Bool) async throws {
            let end = try await started(enabled: enabled, incremental: incremental)
            #expect(try await remove() == isRemoved)
            #expect(recorder.methods.contains("store.remove") == isRemoved)
            _ = end
        }

        @Test
        func isToldThatNothingWasRemoved() async throws {
            let end = try await started()
            recorder.fail("store.remove", with: WireError(.busy, "busy"))
            #expect(try await remove() == false)
            _ = end
        }

        @Test
        func clearsTheStoreWhenTheUserSignsOut() async throws {
            let end = try await started()
            #expect(try await add() == "added")
            let arrived = Arrival<Bool>()
            IdentityStoreUpdates().signedOut { success, error in arrived.arrive(success && error == nil) }
            #expect(await arrived.next() == true)
            #expect(recorder.identities == [])
            recorder.fail("store.removeAll", with: WireError(.notPermitted, "disabled"))
            IdentityStoreUpdates().signedOut { success, error in
                guard let error else { return arrived.arrive(true) }
                arrived.arrive(success || !ErrorTexts.isExpected { throw error })
            }
            #expect(await arrived.next() == false)
            _ = end
        }

        @Test
        func keepsTheOrderOfWhatNobodyWaitsFor() async throws {
            let end = try await started()
            IdentityStoreUpdates().signedInAgain()
            _ = await ASCredentialIdentityStore.shared.state()
            #expect(
                recorder.methods == [
                    "store.removeAll", "store.removeAll", "store.replace", "store.save", "store.state",
                ]
            )
            #expect(recorder.identities.count == 2)
            _ = end
        }

        @Test
        func worksBehindAProtocolOfTheApps() async throws {
            let end = try await started(incremental: false)
            let sync = IdentityStoreSync()
            #expect(await sync.sync(identities))
            try await sync.remove(identities)
            #expect(recorder.methods == ["store.state", "store.replace", "store.remove"])
            recorder.fail("store.save", with: WireError(.identityStore(1), "disabled"))
            #expect(await sync.sync(identities) == false)
            recorder.fail("store.remove", with: WireError(.identityStore(2), "busy"))
            await #expect(
                throws: ASCredentialIdentityStoreError(.storeBusy, userInfo: ["NSLocalizedDescription": "busy"])
            ) {
                try await sync.remove(identities)
            }
            _ = end
        }
    }
}
