// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

/// Keeps the identity store in step with the database.
@MainActor
class IdentityStoreUpdates {
    private let store = ASCredentialIdentityStore.shared

    func passwordAdded(_ identity: ASPasswordCredentialIdentity, completion: @escaping (Error?) -> Void) {
        store.getState { state in
            guard state.isEnabled else {
                completion(ASCredentialIdentityStoreError(.storeDisabled))
                return
            }
            guard state.supportsIncrementalUpdates else {
                self.replaceEverything(completion: completion)
                return
            }
            self.store.saveCredentialIdentities([identity]) { success, error in
                completion(success ? nil : error)
            }
        }
    }

    func passwordRemoved(_ identity: ASPasswordCredentialIdentity, completion: @escaping (Bool) -> Void) {
        ASCredentialIdentityStore.shared.getState { state in
            if state.isEnabled && state.supportsIncrementalUpdates {
                self.store.removeCredentialIdentities([identity]) { success, _ in
                    DispatchQueue.main.async {
                        completion(success)
                    }
                }
            } else {
                completion(false)
            }
        }
    }

    func replaceEverything(completion: @escaping (Error?) -> Void) {
        let identities = PasswordDatabase.shared.credentialIdentities
        store.replaceCredentialIdentities(with: identities) { bool, error in
            if let error = error {
                completion(error)
            } else {
                completion(bool ? nil : ASCredentialIdentityStoreError(.internalError))
            }
        }
    }

    func signedOut(completion: @escaping (Bool, Error?) -> Void) {
        store.removeAllCredentialIdentities(completion)
    }

    /// Nobody waits for these.
    func signedInAgain() {
        store.removeAllCredentialIdentities()
        store.removeAllCredentialIdentities(nil)
        store.replaceCredentialIdentities(with: PasswordDatabase.shared.credentialIdentities, completion: nil)
        store.saveCredentialIdentities(PasswordDatabase.shared.credentialIdentities)
    }
}
