// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
public import Foundation

/// The provider's index of credential identities, by which AutoFill suggests.
///
/// Every change is made whole or not at all, and changes are made in the order in which they were asked for. Completion
/// handlers are called on the main actor. A containing app reaches the store by itself, as often as Latchkey is started
/// anew; in a process that is part of no provider the store is disabled.
///
/// The methods that take identities of passwords alone are deprecated by Apple and are not marked here, so that calling
/// them warns nobody.
///
/// Sendable unchecked: what changes is behind the locks of `connection`.
open class ASCredentialIdentityStore: NSObject, @unchecked Sendable {
    private static let theOne = ASCredentialIdentityStore(connection: StoreConnection(app: .shared))

    /// The store of this provider.
    open class var shared: ASCredentialIdentityStore { theOne }

    let connection: StoreConnection

    package init(connection: StoreConnection) {
        self.connection = connection
        super.init()
    }

    /// Gives the state to a handler.
    open func getState(_ completion: @escaping (ASCredentialIdentityStoreState) -> Void) {
        guard let completion = Delivery(completion) else { return }
        let state = connection.state()
        Task { @MainActor in completion.call(await state.value) }
    }

    /// The state of the store.
    open nonisolated(nonsending) func state() async -> ASCredentialIdentityStoreState {
        await connection.state().value
    }

    /// Adds identities; one that is there already is replaced.
    open func saveCredentialIdentities(
        _ credentialIdentities: [ASPasswordCredentialIdentity],
        completion: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        change(.save, credentialIdentities, completion)
    }

    /// Adds identities; one that is there already is replaced.
    open nonisolated(nonsending) func saveCredentialIdentities(
        _ credentialIdentities: [ASPasswordCredentialIdentity]
    ) async throws {
        try await change(.save, credentialIdentities)
    }

    /// Adds identities of any type; one that is there already is replaced.
    open func saveCredentialIdentities(
        _ credentialIdentities: [any ASCredentialIdentity],
        completion: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        change(.save, credentialIdentities, completion)
    }

    /// Adds identities of any type; one that is there already is replaced.
    open nonisolated(nonsending) func saveCredentialIdentities(
        _ credentialIdentities: [any ASCredentialIdentity]
    ) async throws {
        try await change(.save, credentialIdentities)
    }

    /// Removes identities; one that is not there is no error.
    open func removeCredentialIdentities(
        _ credentialIdentities: [ASPasswordCredentialIdentity],
        completion: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        change(.remove, credentialIdentities, completion)
    }

    /// Removes identities; one that is not there is no error.
    open nonisolated(nonsending) func removeCredentialIdentities(
        _ credentialIdentities: [ASPasswordCredentialIdentity]
    ) async throws {
        try await change(.remove, credentialIdentities)
    }

    /// Removes identities of any type; one that is not there is no error.
    open func removeCredentialIdentities(
        _ credentialIdentities: [any ASCredentialIdentity],
        completion: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        change(.remove, credentialIdentities, completion)
    }

    /// Removes identities of any type; one that is not there is no error.
    open nonisolated(nonsending) func removeCredentialIdentities(
        _ credentialIdentities: [any ASCredentialIdentity]
    ) async throws {
        try await change(.remove, credentialIdentities)
    }

    /// Removes every identity.
    open func removeAllCredentialIdentities(_ completion: ((Bool, (any Error)?) -> Void)? = nil) {
        report(connection.removeAll(), completion)
    }

    /// Removes every identity.
    open nonisolated(nonsending) func removeAllCredentialIdentities() async throws {
        try await connection.removeAll().value
    }

    /// Puts these identities in the place of all that are there.
    open func replaceCredentialIdentities(
        with newCredentialIdentities: [ASPasswordCredentialIdentity],
        completion: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        change(.replace, newCredentialIdentities, completion)
    }

    /// Puts these identities in the place of all that are there.
    open nonisolated(nonsending) func replaceCredentialIdentities(
        with newCredentialIdentities: [ASPasswordCredentialIdentity]
    ) async throws {
        try await change(.replace, newCredentialIdentities)
    }

    /// Puts these identities, of any type, in the place of all that are there.
    open func replaceCredentialIdentities(
        _ newCredentialIdentities: [any ASCredentialIdentity],
        completion: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        change(.replace, newCredentialIdentities, completion)
    }

    /// Puts these identities, of any type, in the place of all that are there.
    open nonisolated(nonsending) func replaceCredentialIdentities(
        _ newCredentialIdentities: [any ASCredentialIdentity]
    ) async throws {
        try await change(.replace, newCredentialIdentities)
    }

    /// The identities that the store holds, for a service (`nil` for all) and of some types (`[]` for all).
    ///
    /// None where the store is disabled.
    open nonisolated(nonsending) func credentialIdentities(
        forService serviceIdentifier: ASCredentialServiceIdentifier? = nil,
        credentialIdentityTypes: ASCredentialIdentityStore.IdentityTypes = []
    ) async -> [any ASCredentialIdentity] {
        let service = serviceIdentifier.map { ServiceStatement(type: $0.type.rawValue, identifier: $0.identifier) }
        let found = connection.identities(for: service, types: credentialIdentityTypes.names)
        return (try? await found.value)?.compactMap(\.credentialIdentity) ?? []
    }

    private func change(
        _ operation: StoreConnection.Operation,
        _ identities: [any ASCredentialIdentity],
        _ completion: ((Bool, (any Error)?) -> Void)?
    ) {
        report(connection.change(operation, identities.map(IdentityStatement.init)), completion)
    }

    private nonisolated(nonsending) func change(
        _ operation: StoreConnection.Operation,
        _ identities: [any ASCredentialIdentity]
    ) async throws {
        try await connection.change(operation, identities.map(IdentityStatement.init)).value
    }

    private func report(_ change: Task<Void, any Error>, _ completion: ((Bool, (any Error)?) -> Void)?) {
        guard let completion = Delivery(completion) else { return }
        Task { @MainActor in
            switch await change.result {
            case .success: completion.call(true, nil)
            case .failure(let error): completion.call(false, error)
            }
        }
    }
}
