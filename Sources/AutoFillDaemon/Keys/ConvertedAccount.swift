// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillMatching
internal import Foundation

/// The fate of the password of an account that signs in with Apple.
enum PasswordFate: String, Codable, Equatable, Sendable {
    /// It is to be removed, and could not be yet.
    case pending
    /// Its provider has removed it; the built-in one keeps what is removed for thirty days.
    case removed
    /// The item is used for other places too, and is kept for those.
    case detached
    /// Its provider cannot remove passwords for others: the user has to.
    case kept
    /// No password was saved.
    case notSaved = "none"
}

/// A record that an extension has converted an account to Sign in with Apple. It is sealed and written before the password is removed.
struct ConvertedAccount: Codable, Sendable, Equatable {
    /// The service that the account was saved for, as `Origin.written` gives it.
    var service: String
    var user: String
    /// The provider that kept its password.
    var provider: String
    /// The provider's record identifier; `nil` if the account was not saved.
    var record: String?
    /// The app whose extension has converted it.
    var app: String
    /// The time of the conversion, in seconds since 1970.
    var date: Int64
    var password: PasswordFate

    /// Maximum number of records kept.
    static let limit = 2_000

    /// Whether it is about this account.
    func concerns(service: String, user: String) -> Bool {
        self.service == service && self.user == user
    }

    /// Whether it is this very record of a provider's.
    func isOf(_ provider: BundleIdentifier, record: String?) -> Bool {
        self.provider == provider.rawValue && self.record != nil && self.record == record
    }

    /// Whether it is about this account of a provider; compared by service and user name if the provider gives no record identifiers.
    func isOf(_ provider: BundleIdentifier, _ identity: CredentialIdentity) -> Bool {
        guard record == nil, identity.recordIdentifier == nil else {
            return isOf(provider, record: identity.recordIdentifier)
        }
        return self.provider == provider.rawValue
            && Origin(written: identity.service.value)?.written == service && identity.user == user
    }
}

extension SealedRegistry {
    /// Stores a record in place of an earlier one about the account; nothing changes if it cannot be written.
    mutating func note(_ account: ConvertedAccount) throws {
        let others = converted.filter { !$0.concerns(service: account.service, user: account.user) }
        try setConverted(Array((others + [account]).suffix(ConvertedAccount.limit)))
    }

    /// Stores the fate of a password.
    mutating func note(_ fate: PasswordFate, of account: ConvertedAccount) throws {
        try setConverted(
            converted.map { known in
                guard known == account else { return known }
                var changed = known
                changed.password = fate
                return changed
            })
    }

    /// Removes the records of accounts that sign in with a password again; nothing changes if that cannot be written.
    mutating func forgetConverted(where isMeant: (ConvertedAccount) -> Bool) throws {
        guard converted.contains(where: isMeant) else { return }
        try setConverted(converted.filter { !isMeant($0) })
    }

    /// How many states and nonces are remembered; the oldest are forgotten first.
    static let usedLimit = 4_000

    /// Remembers states and nonces as used, and returns whether all of them were unused. Nothing changes if one was used before.
    mutating func use(_ marks: [Data]) throws -> Bool {
        guard Set(marks).count == marks.count, Set(marks).isDisjoint(with: used) else { return false }
        try setUsed(Array((used + marks).suffix(Self.usedLimit)))
        return true
    }
}
