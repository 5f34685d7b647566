// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

struct Login: Codable, Hashable, Sendable {
    let id: String
    let uri: String
    let username: String
    let password: String
}

enum SessionError: Error {
    case vaultLocked
    case notFound(id: String)
}

protocol CipherService: AnyObject {
    func unlock(password: String) async
    func login(id: String) async throws -> Login
    func logins(matching uris: [String]) async throws -> [Login]
}

protocol IdentityStore: AnyObject {
    func replaceCredentialIdentities(with identities: [ASPasswordCredentialIdentity]) async throws
    func removeAllCredentialIdentities() async throws
    func state() async -> ASCredentialIdentityStoreState
}

extension ASCredentialIdentityStore: IdentityStore {}

/// Everything that has a life of its own.
final class ServiceContainer {
    let cipherService: CipherService
    let identityService: IdentityService

    init(store: IdentityStore = ASCredentialIdentityStore.shared) {
        let ciphers = DefaultCipherService()
        cipherService = ciphers
        identityService = IdentityService(ciphers: ciphers, store: store)
    }
}

actor DefaultCipherService: CipherService {
    private var logins: [String: Login]?

    func unlock(password: String) async {
        logins = password.isEmpty ? nil : [:]
    }

    func login(id: String) async throws -> Login {
        guard let logins = logins else { throw SessionError.vaultLocked }
        guard let login = logins[id] else { throw SessionError.notFound(id: id) }
        return login
    }

    func logins(matching uris: [String]) async throws -> [Login] {
        guard let logins = logins else { throw SessionError.vaultLocked }
        return logins.values.sorted { first, _ in uris.contains(first.uri) }
    }
}

/// Older code of the same team, with completion handlers.
final class IdentityService {
    private let ciphers: CipherService
    private let store: IdentityStore

    init(ciphers: CipherService, store: IdentityStore) {
        self.ciphers = ciphers
        self.store = store
    }

    func syncAll() async {
        guard await store.state().isEnabled else { return }
        let logins = (try? await ciphers.logins(matching: [])) ?? []
        let identities = logins.map {
            ASPasswordCredentialIdentity(
                serviceIdentifier: ASCredentialServiceIdentifier(identifier: $0.uri, type: .URL),
                user: $0.username, recordIdentifier: $0.id)
        }
        do {
            if identities.isEmpty {
                try await store.removeAllCredentialIdentities()
            } else {
                try await store.replaceCredentialIdentities(with: identities)
            }
        } catch let error as ASCredentialIdentityStoreError where error.code == .storeBusy {
            NSLog("The store is busy.")
        } catch {
            NSLog("%@", error.localizedDescription)
        }
    }

    func remove(_ identity: ASPasswordCredentialIdentity, completion: @escaping (Bool) -> Void) {
        ASCredentialIdentityStore.shared.getState { state in
            guard state.isEnabled, state.supportsIncrementalUpdates else { return completion(false) }
            ASCredentialIdentityStore.shared.removeCredentialIdentities([identity]) { success, _ in
                DispatchQueue.main.async { completion(success) }
            }
        }
    }

    func removed(_ identity: ASPasswordCredentialIdentity) async -> Bool {
        await withCheckedContinuation { continuation in
            remove(identity) { continuation.resume(returning: $0) }
        }
    }
}
