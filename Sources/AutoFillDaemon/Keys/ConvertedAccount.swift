// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillMatching
internal import Foundation

/// What has become of the password of an account that signs in with Apple.
enum PasswordFate: String, Codable, Equatable, Sendable {
    /// It is to be removed, and could not be yet.
    case pending
    /// Its provider has removed it; the built-in one keeps what is removed for thirty days.
    case removed
    /// The item is of other places too, and keeps it for those.
    case detached
    /// Its provider cannot remove passwords for others: the user has to.
    case kept
    /// Nobody had saved one.
    case notSaved = "none"
}

/// How an account signs in since an extension has converted it: written down, sealed, before its password is removed.
struct ConvertedAccount: Codable, Sendable, Equatable {
    /// What the account was saved for, as `Origin.written` has it.
    var service: String
    var user: String
    /// Who kept its password.
    var provider: String
    /// The provider's own name for it; nothing where nobody had saved it.
    var record: String?
    /// The app whose extension has converted it.
    var app: String
    /// In seconds since 1970.
    var date: Int64
    var password: PasswordFate

    /// The most that are kept.
    static let limit = 2_000

    /// Whether it is about this account.
    func concerns(service: String, user: String) -> Bool {
        self.service == service && self.user == user
    }

    /// Whether it is this very record of a provider's.
    func isOf(_ provider: BundleIdentifier, record: String?) -> Bool {
        self.provider == provider.rawValue && self.record != nil && self.record == record
    }

    /// Whether it is this account of a provider's; by service and user name where the provider names no records.
    func isOf(_ provider: BundleIdentifier, _ identity: CredentialIdentity) -> Bool {
        guard record == nil, identity.recordIdentifier == nil else {
            return isOf(provider, record: identity.recordIdentifier)
        }
        return self.provider == provider.rawValue
            && Origin(written: identity.service.value)?.written == service && identity.user == user
    }
}

extension SealedRegistry {
    /// Writes one down, in the place of what was known of the account; nothing is changed when it cannot be written.
    mutating func note(_ account: ConvertedAccount) throws {
        let others = converted.filter { !$0.concerns(service: account.service, user: account.user) }
        try setConverted(Array((others + [account]).suffix(ConvertedAccount.limit)))
    }

    /// Writes down what has become of a password.
    mutating func note(_ fate: PasswordFate, of account: ConvertedAccount) throws {
        try setConverted(
            converted.map { known in
                guard known == account else { return known }
                var changed = known
                changed.password = fate
                return changed
            })
    }

    /// Forgets those that are meant: they sign in with a password again. Nothing is changed when that cannot be written.
    mutating func forgetConverted(where isMeant: (ConvertedAccount) -> Bool) throws {
        guard converted.contains(where: isMeant) else { return }
        try setConverted(converted.filter { !isMeant($0) })
    }

    /// How many states and nonces are remembered; the oldest are forgotten first.
    static let usedLimit = 4_000

    /// Remembers states and nonces as used; whether none of them was used before. Nothing is changed where one was.
    mutating func use(_ marks: [Data]) throws -> Bool {
        guard Set(marks).count == marks.count, Set(marks).isDisjoint(with: used) else { return false }
        try setUsed(Array((used + marks).suffix(Self.usedLimit)))
        return true
    }
}
