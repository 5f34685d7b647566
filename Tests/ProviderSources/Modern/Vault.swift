// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

@MainActor
final class Vault {
    struct Item {
        var id: String
        var host: String
        var user: String
        var password: String
    }

    struct Passkey {
        var relyingParty: String
        var user: String
        var credentialID: Data
    }

    var isLocked: Bool
    private(set) var items = [Item(id: "r1", host: "shiny.example.com", user: "rmondello", password: "correct horse")]
    private(set) var passkeys = [
        Passkey(relyingParty: "shiny.example.com", user: "rmondello", credentialID: Data([7, 7]))
    ]

    init(isLocked: Bool = false) {
        self.isLocked = isLocked
    }

    func item(_ id: String?) -> Item? {
        items.first { $0.id == id }
    }

    func knows(credentialID: Data) -> Bool {
        passkeys.contains { $0.credentialID == credentialID }
    }

    func code(for label: String) -> String {
        "654321"
    }

    func save(_ credential: ASPasswordCredential, host: String) {
        items.append(Item(id: UUID().uuidString, host: host, user: credential.user, password: credential.password))
    }

    func assertion(
        for request: ASPasskeyCredentialRequest,
        _ identity: ASPasskeyCredentialIdentity
    ) -> ASPasskeyAssertionCredential? {
        guard knows(credentialID: identity.credentialID) else { return nil }
        let assertion = ASPasskeyAssertionCredential(
            userHandle: identity.userHandle,
            relyingParty: identity.relyingPartyIdentifier,
            signature: Data([0x30, 0x45]),
            clientDataHash: request.clientDataHash,
            authenticatorData: Data(repeating: 0, count: 37),
            credentialID: identity.credentialID
        )
        assertion.extensionOutput = assertionOutput(for: request.extensionInput)
        return assertion
    }

    /// Identities of all kinds, for the identity store.
    var identities: [any ASCredentialIdentity] {
        let passwords: [any ASCredentialIdentity] = items.map {
            ASPasswordCredentialIdentity(
                serviceIdentifier: .init(identifier: $0.host, type: .domain),
                user: $0.user,
                recordIdentifier: $0.id
            )
        }
        let passkeys: [any ASCredentialIdentity] = passkeys.map {
            ASPasskeyCredentialIdentity(
                relyingPartyIdentifier: $0.relyingParty,
                userName: $0.user,
                credentialID: $0.credentialID,
                userHandle: Data($0.user.utf8)
            )
        }
        return passwords + passkeys
    }
}
