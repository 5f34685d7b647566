// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation

/// A password change of which it is unknown whether the service has made it. It is written before the extension is asked, and removed when
/// the change has worked or a sign-in has shown which of the two passwords counts.
struct UnsettledUpgrade: Codable, Sendable, Equatable {
    var id: String
    /// The service that the account was saved for, as `Origin.written` gives it.
    var service: String
    var user: String
    /// The provider that keeps both passwords.
    var provider: String
    /// The name under which the provider keeps the new one as pending.
    var session: String
    /// The time of the change, in seconds since 1970.
    var date: Int64
    /// Recognises the new password and reveals nothing else: an HMAC under a key that is used for nothing else.
    var mark: Data
    var markKey: Data

    /// How long a change is told of, in seconds: as long as the built-in provider keeps pending passwords. It stays in the registry behind
    /// that, because a clock that is wrong once is no reason to forget it.
    static let span: Int64 = 30 * 86_400
    /// Maximum number of changes kept.
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

    /// Whether the time for which it is told of is over.
    func isOver(at now: Int64) -> Bool { date + Self.span <= now }

    /// Whether it is about this account.
    func concerns(service: String, user: String) -> Bool {
        self.service == service && self.user == user
    }
}

extension SealedRegistry {
    /// Adds a change to those noted before; nothing changes if it cannot be written.
    mutating func note(_ upgrade: UnsettledUpgrade) throws {
        try setUnsettled(Array((unsettled + [upgrade]).suffix(UnsettledUpgrade.limit)))
    }

    /// Removes the changes that satisfy a predicate, and returns them; nothing changes if that cannot be written.
    @discardableResult
    mutating func settle(where isMeant: (UnsettledUpgrade) -> Bool) throws -> [UnsettledUpgrade] {
        let gone = unsettled.filter(isMeant)
        guard !gone.isEmpty else { return [] }
        try setUnsettled(unsettled.filter { !isMeant($0) })
        return gone
    }
}
