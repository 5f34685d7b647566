// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

enum SyncOutcome: Equatable {
    case disabled
    case busy
    case replaced
    case saved
    case failed(Int)
}

@MainActor
struct IdentitySync {
    var store = ASCredentialIdentityStore.shared

    func sync(_ identities: [any ASCredentialIdentity]) async -> SyncOutcome {
        let state = await store.state()
        guard state.isEnabled else { return .disabled }
        do {
            if state.supportsIncrementalUpdates {
                try await store.saveCredentialIdentities(identities)
                return .saved
            } else {
                try await store.replaceCredentialIdentities(identities)
                return .replaced
            }
        } catch ASCredentialIdentityStoreError.storeDisabled {
            return .disabled
        } catch let error as ASCredentialIdentityStoreError where error.code == .storeBusy {
            return .busy
        } catch {
            return .failed((error as NSError).code)
        }
    }

    func everythingOf(_ host: String) async -> [any ASCredentialIdentity] {
        await store.credentialIdentities(
            forService: ASCredentialServiceIdentifier(identifier: host, type: .domain),
            credentialIdentityTypes: [.password, .passkey]
        )
    }
}
