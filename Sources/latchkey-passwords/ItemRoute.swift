// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillSecrets
internal import AutoFillVault
internal import Foundation
internal import SecurityCodes

/// The way from requests to the vault, off the main actor.
///
/// Changes are made one after the other, each with what it means for the identity store: an answer is given when the
/// vault has the change for good and the identity store has been told.
actor ItemRoute {
    private enum Standing {
        case waiting
        case opened(Vault)
        case failed(VaultLocation)
    }

    let advisor = PasswordAdvisor()
    private var standing = Standing.waiting
    private let identities: IdentityReport
    private var lastChange: Task<Void, Never>?
    /// The last listing, so that its later pages need not open every item again.
    private var listing: (search: String, removed: Bool, items: [CredentialItem], unreadable: Int?)?
    /// Where the vault is, once the provider was started.
    private var location: VaultLocation?

    init(store: ASCredentialIdentityStore) {
        identities = IdentityReport(store: store)
    }

    /// Opens the vault in the provider's container.
    ///
    /// A vault that does not open is not the end: every request then says why, and tries again.
    func open(_ launch: ProviderLaunch) throws {
        let key = launch.key.withUnsafeBytes { SecretBytes(copying: $0) }
        let location = VaultLocation(container: launch.container.path, key: key)
        try location.removeLeftSnapshots()
        standing = .failed(location)
        self.location = location
        // The store is brought up to date beside the first requests: who taps a suggestion does not wait for it.
        if let vault = try? vault() { reportInTurn(vault) }
    }

    /// The vault, opened now if that has failed before.
    func vault() throws -> Vault {
        switch standing {
        case .waiting: throw CredentialManagingError(.internalError, "The provider has not been started.")
        case .opened(let vault): return vault
        case .failed(let location):
            do {
                let vault = try location.open()
                if try !vault.pendingIdentityChanges().isEmpty { identities.isBehind = true }
                standing = .opened(vault)
                return vault
            } catch {
                // What can be read of a damaged vault is better than none of it. The next request tries again.
                if (error as? VaultError)?.code == .damaged, let rest = try? location.openDamaged() { return rest }
                throw CredentialManagingError(error)
            }
        }
    }

    /// The credential for an identity; nothing when there is no such item, or it is of another user or service.
    func credential(of id: String, user: String, service: ServiceText) throws -> ASPasswordCredential? {
        try credential(of: id) { $0.user == user && $0.services.map(ServiceText.init).contains(service) }
    }

    /// The credential of an item that the user chose from the list.
    func credential(of id: String) throws -> ASPasswordCredential? {
        try credential(of: id) { _ in true }
    }

    /// The current code for an identity; nothing when there is no such item, or it is of another user or service, or has no
    /// authenticator.
    func code(of id: String, user: String, service: ServiceText, at time: Date = Date()) throws -> String? {
        try code(of: id, at: time) { $0.user == user && $0.services.map(ServiceText.init).contains(service) }
    }

    /// The current code of an item that the user chose from the list.
    func code(of id: String, at time: Date = Date()) throws -> String? {
        try code(of: id, at: time) { _ in true }
    }

    private func code(of id: String, at time: Date, where isRight: (VaultItem) -> Bool) throws -> String? {
        let vault = try vault()
        do {
            let item = try vault.item(id)
            guard item.removed == nil, isRight(item), let link = try vault.authenticator(of: id) else { return nil }
            return try AuthenticatorKey(link).code(at: Int64(time.timeIntervalSince1970))?.text
        } catch let error as VaultError where error.code == .notFound {
            return nil
        } catch {
            throw CredentialManagingError(error)
        }
    }

    /// Every item that is not removed.
    func listed() throws -> [CredentialItem] {
        try listing(search: "", removed: false).items
    }

    /// Every item of a search, or every removed one, and how many cannot be read of a damaged vault.
    func listing(search: String, removed: Bool) throws -> (items: [CredentialItem], unreadable: Int?) {
        if let listing, listing.search == search, listing.removed == removed {
            return (listing.items, listing.unreadable)
        }
        let (found, unreadable) = try reading { try $0.readableItems(search: search, includingRemoved: removed) }
        let items = found.filter { ($0.removed != nil) == removed }.map { CredentialItem($0) }
        listing = (search, removed, items, unreadable)
        return (items, unreadable)
    }

    /// Puts a new vault with what can be read in the place of a damaged one, when the changes before are done.
    func repair() async throws -> CredentialRepair? {
        try await inTurn { route in try route.repairVault() }.value
    }

    private func repairVault() throws -> CredentialRepair? {
        guard let location else { return nil }
        if case .opened(let vault) = standing { vault.close() }
        standing = .failed(location)
        forgetListing()
        do {
            let repaired = try Vault.repair(folder: location.container, key: location.key)
            identities.isBehind = true
            reportInTurn(try vault())
            return CredentialRepair(kept: repaired.kept, lost: repaired.lost)
        } catch {
            throw CredentialManagingError(error)
        }
    }

    /// Has the next listing read from the vault again.
    func forgetListing() {
        listing = nil
    }

    /// Reads from the vault, with its errors made the provider's.
    func reading<Value>(_ body: (Vault) throws -> Value) throws -> Value {
        let vault = try vault()
        do {
            return try body(vault)
        } catch {
            throw CredentialManagingError(error)
        }
    }

    /// Changes the vault when the changes before are done, then tells the identity store.
    ///
    /// - Parameters:
    ///   - body: Makes the change and gives the items as they are now.
    ///   - id: The item that is changed, where it is there already.
    func changing(
        _ id: String? = nil,
        _ body: @escaping @Sendable (Vault) throws -> [VaultItem]
    ) async throws -> [CredentialItem] {
        let change = inTurn { route in
            let (vault, before, after) = try route.change(id, body)
            await route.advisor.note(after)
            await route.identities.push(vault, before: before, after: after)
            return after.map { CredentialItem($0) }
        }
        return try await change.value
    }

    private func change(
        _ id: String?,
        _ body: (Vault) throws -> [VaultItem]
    ) throws -> (Vault, before: [VaultItem], after: [VaultItem]) {
        try reading { vault in
            guard !vault.isDamaged else { throw CredentialManagingError.damagedVault }
            let before = try id.map { [try vault.item($0)] } ?? []
            let after = try body(vault)
            listing = nil
            return (vault, before, after)
        }
    }

    private func reportInTurn(_ vault: Vault) {
        _ = inTurn { route in await route.identities.push(vault, before: [], after: []) }
    }

    private func inTurn<Value: Sendable>(
        _ body: @escaping @Sendable (isolated ItemRoute) async throws -> Value
    ) -> Task<Value, any Error> {
        let last = lastChange
        let task = Task {
            await last?.value
            return try await body(self)
        }
        lastChange = Task { _ = await task.result }
        return task
    }

    private func credential(of id: String, where isRight: (VaultItem) -> Bool) throws -> ASPasswordCredential? {
        let vault = try vault()
        do {
            let item = try vault.item(id)
            guard item.removed == nil, isRight(item) else { return nil }
            let password = try vault.password(of: id)
            return ASPasswordCredential(user: item.user, password: SecretText(password).unsafeString())
        } catch let error as VaultError where error.code == .notFound {
            return nil
        } catch {
            throw CredentialManagingError(error)
        }
    }
}
