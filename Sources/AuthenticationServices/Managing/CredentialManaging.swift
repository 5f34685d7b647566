// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Lets Latchkey's own programs list, add, edit, remove and reveal what a provider keeps: the capability `manage`.
///
/// A provider that offers it hands one to `CredentialProviderExtension.main`. Passwords asked for here have passed the
/// daemon's gate. Every method throws `CredentialManagingError`; anything else that it throws becomes a malfunction
/// without a text, since nobody knows what such a text would hold. Requests can come at the same time.
public protocol CredentialManaging: Sendable {
    /// A page of at most 200 items and of at most half a MiB, as `CredentialItemPage.cursor` of the page before says.
    ///
    /// - Parameters:
    ///   - search: Text that a service or the user contains; empty for all.
    ///   - removed: Whether removed items are asked for instead of the others.
    func items(matching search: String, removed: Bool, cursor: Int?) async throws -> CredentialItemPage

    /// One item, with its notes.
    func item(_ id: String) async throws -> CredentialItem

    /// Adds all items or none.
    func add(_ items: [NewCredentialItem]) async throws -> [CredentialItem]

    /// Changes one item.
    func edit(_ id: String, _ changes: CredentialItemChanges) async throws -> CredentialItem

    /// Removes an item, so that it can still be restored.
    func remove(_ id: String) async throws -> CredentialItem

    /// Brings a removed item back.
    func restore(_ id: String) async throws -> CredentialItem

    /// The password of an item.
    func password(of id: String) async throws -> SecretText

    /// The current code of an item's authenticator. There is none by default.
    func oneTimeCode(of id: String) async throws -> CurrentOneTimeCode

    /// The link with the set-up key of an item's authenticator. There is none by default.
    func authenticator(of id: String) async throws -> SecretText

    /// The passwords that an item had before, the last one first.
    func history(of id: String) async throws -> [PastPassword]

    /// Writes a consistent copy of what the provider keeps into its container and says the file's name. The copy is the
    /// caller's to remove.
    func snapshot() async throws -> String

    /// Opens every record in the provider's container, and returns the number of items that are not removed. Refused by default.
    ///
    /// - Throws: `storageFailed` about the first record that does not open or is missing.
    func check() async throws -> Int

    /// Makes damaged files of the provider's anew with what can still be read of them, and keeps the damaged ones. `nil` where the
    /// provider cannot; it cannot by default.
    func repair() async throws -> CredentialRepair?

    /// The generated passwords that were filled and not saved yet, the newest first. None by default.
    func pendingPasswords() async throws -> [PendingCredential]

    /// The password of one of them.
    func pendingPassword(of id: String) async throws -> SecretText

    /// Forgets one of them.
    func removePendingPassword(_ id: String) async throws
}

/// A code of an authenticator, and how long it is good.
public struct CurrentOneTimeCode: Sendable {
    /// What has to be typed.
    public let code: SecretText
    /// For how many seconds it is the current one, from 1 to the authenticator's period.
    public let secondsLeft: Int

    /// A code with its seconds.
    public init(code: SecretText, secondsLeft: Int) {
        (self.code, self.secondsLeft) = (code, secondsLeft)
    }
}

/// What a repair has kept and lost.
public struct CredentialRepair: Sendable, Equatable {
    /// How many items there are now.
    public let kept: Int
    /// How many items could not be read.
    public let lost: Int

    /// A repair with its numbers.
    public init(kept: Int, lost: Int) {
        (self.kept, self.lost) = (kept, lost)
    }
}

extension CredentialManaging {
    /// Repairs nothing.
    public func repair() async throws -> CredentialRepair? { nil }

    /// There is none.
    public func oneTimeCode(of id: String) async throws -> CurrentOneTimeCode {
        throw CredentialManagingError(.notFound, "The item has no authenticator.")
    }

    /// There is none.
    public func authenticator(of id: String) async throws -> SecretText {
        throw CredentialManagingError(.notFound, "The item has no authenticator.")
    }

    /// There is no container to check, by default.
    public func check() async throws -> Int {
        throw CredentialManagingError(
            .storageFailed, "The provider keeps nothing in a container that could be checked.")
    }

    /// None.
    public func pendingPasswords() async throws -> [PendingCredential] { [] }

    /// There is none.
    public func pendingPassword(of id: String) async throws -> SecretText {
        throw CredentialManagingError(.notFound, "There is no such generated password.")
    }

    /// There is none.
    public func removePendingPassword(_ id: String) async throws {
        throw CredentialManagingError(.notFound, "There is no such generated password.")
    }
}
