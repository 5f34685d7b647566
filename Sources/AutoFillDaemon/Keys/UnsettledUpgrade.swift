// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation

/// A change of a password of which it is not known whether the service has made it: written down before the extension is asked,
/// and gone when it has worked, or when a sign-in has shown which of the two passwords counts.
struct UnsettledUpgrade: Codable, Sendable, Equatable {
    var id: String
    /// What the account was saved for, as `Origin.written` has it.
    var service: String
    var user: String
    /// Who keeps both passwords.
    var provider: String
    /// The name under which the provider keeps the new one as pending.
    var session: String
    /// In seconds since 1970.
    var date: Int64
    /// Tells the new password when it is seen again, and nothing else: HMAC under a key that is used for nothing else.
    var mark: Data
    var markKey: Data

    /// How long one is kept: as long as the built-in provider keeps what is pending.
    static let span: Int64 = 30 * 86_400
    /// The most that are kept.
    static let limit = 1_000

    init(
        id: String, service: String, user: String, provider: BundleIdentifier, session: String, date: Int64,
        marking candidate: HeldCredential
    ) {
        self.id = id
        self.service = service
        self.user = user
        self.provider = provider.rawValue
        self.session = session
        self.date = date
        markKey = SealedRegistry.makeSalt()
        mark = candidate.fingerprint(markKey.withUnsafeBytes { SecretBytes(copying: $0) })
    }

    /// Whether a password is the new one.
    func isNew(_ password: HeldSecret) -> Bool { password.fingerprint(key) == mark }

    /// Whether a password that somebody typed is the new one.
    func isNew(_ password: SecretBytes) -> Bool { HeldSecret.fingerprint(password, key) == mark }

    private var key: SecretBytes { markKey.withUnsafeBytes { SecretBytes(copying: $0) } }

    /// Whether it is kept no more.
    func isOver(at now: Int64) -> Bool { date + Self.span <= now }

    /// Whether it is about this account.
    func concerns(service: String, user: String) -> Bool {
        self.service == service && self.user == user
    }
}

extension SealedRegistry {
    /// Notes one, beside those that are there already; nothing is changed when it cannot be written.
    mutating func note(_ upgrade: UnsettledUpgrade) throws {
        let kept = unsettled.filter { !$0.isOver(at: upgrade.date) }
        try setUnsettled(Array((kept + [upgrade]).suffix(UnsettledUpgrade.limit)))
    }

    /// Forgets those that are meant, and returns them; nothing is changed when that cannot be written.
    @discardableResult
    mutating func settle(where isMeant: (UnsettledUpgrade) -> Bool) throws -> [UnsettledUpgrade] {
        let gone = unsettled.filter(isMeant)
        guard !gone.isEmpty else { return [] }
        try setUnsettled(unsettled.filter { !isMeant($0) })
        return gone
    }
}
