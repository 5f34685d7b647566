// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

struct StoredPasskey: Hashable {
    var relyingParty: String
    var userName: String
    var userHandle: Data
    var credentialID: Data

    func matches(_ base64: String) -> Bool { credentialID == Data(base64Encoded: base64) }

    /// Not a signature: what is tried here is everything around it.
    func sign(_ hash: Data) -> Data { Data(hash.reversed()) }
}

final class PasskeyStore: @unchecked Sendable {
    static let shared = PasskeyStore()
    private let queue = DispatchQueue(label: "passkeys")
    private var keys: [Data: StoredPasskey] = [:]

    func all(for relyingParty: String) -> [StoredPasskey] {
        queue.sync { keys.values.filter { $0.relyingParty == relyingParty } }
    }

    func key(_ credentialID: Data) -> StoredPasskey? { queue.sync { keys[credentialID] } }
    func remove(_ credentialID: Data) { queue.async { self.keys[credentialID] = nil } }

    func make(_ identity: ASPasskeyCredentialIdentity, hash: Data) async -> ASPasskeyRegistrationCredential {
        let credentialID = Data((0..<16).map { _ in UInt8.random(in: 0...255) })
        let key = StoredPasskey(
            relyingParty: identity.relyingPartyIdentifier, userName: identity.userName,
            userHandle: identity.userHandle, credentialID: credentialID)
        queue.sync { keys[credentialID] = key }
        let known = ASPasskeyCredentialIdentity(
            relyingPartyIdentifier: key.relyingParty, userName: key.userName, credentialID: credentialID,
            userHandle: key.userHandle, recordIdentifier: nil)
        try? await ASCredentialIdentityStore.shared.saveCredentialIdentities([known])
        return ASPasskeyRegistrationCredential(
            relyingParty: key.relyingParty, clientDataHash: hash, credentialID: credentialID, attestationObject: Data())
    }
}
