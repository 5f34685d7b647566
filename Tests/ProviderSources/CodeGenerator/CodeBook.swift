// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import Foundation

struct CodeSource: Codable, Identifiable {
    var id: String
    var issuer: String
    var label: String
    var secret: Data

    /// Not a real one: what is tried here is everything around it.
    func code(at date: Date) -> String {
        let counter = UInt64(date.timeIntervalSince1970) / 30
        let number = secret.reduce(counter) { ($0 &* 31 &+ UInt64($1)) % 1_000_000 }
        return String(format: "%06d", Int(number))
    }
}

@available(iOS 18.0, *)
enum CodeBook {
    static let batch = 200

    static func load() -> [CodeSource] {
        let group = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.codes")
        guard let file = group?.appendingPathComponent("codes.plist"), let data = try? Data(contentsOf: file) else {
            return []
        }
        return (try? PropertyListDecoder().decode([CodeSource].self, from: data)) ?? []
    }

    /// Everything at first, batches later on.
    static func share(_ sources: [CodeSource]) async throws {
        let store = ASCredentialIdentityStore.shared
        let identities: [ASCredentialIdentity] = sources.flatMap { source -> [ASCredentialIdentity] in
            let service = ASCredentialServiceIdentifier(identifier: source.issuer, type: .domain)
            let code = ASOneTimeCodeCredentialIdentity(
                serviceIdentifier: service, label: source.label, recordIdentifier: source.id)
            code.rank = 1
            let password = ASPasswordCredentialIdentity(
                serviceIdentifier: service, user: source.label, recordIdentifier: source.id)
            return [code, password]
        }
        let state = await store.state()
        guard state.isEnabled else { throw ASCredentialIdentityStoreError(.storeDisabled) }
        if !state.supportsIncrementalUpdates {
            try await store.replaceCredentialIdentities(Array(identities.prefix(batch)))
        }
        for start in stride(from: batch, to: identities.count, by: batch) {
            let end = min(start + batch, identities.count)
            try await store.saveCredentialIdentities(Array(identities[start..<end]))
        }
        let kept = await store.credentialIdentities(forService: nil, credentialIdentityTypes: .oneTimeCode)
        let gone = kept.filter { identity in !sources.contains { $0.id == identity.recordIdentifier } }
        if !gone.isEmpty {
            try await store.removeCredentialIdentities(gone)
        }
    }
}
