// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillCredentials
package import AutoFillIPC
package import AutoFillMatching
package import AutoFillSecrets
internal import Crypto
package import Foundation

/// A secret from a provider that has not passed the gate.
///
/// Its bytes are accessible in this file only, so that only `Gate.release` can send them anywhere.
package struct HeldSecret: Sendable {
    fileprivate let bytes: SecretBytes

    package init(_ secret: WireSecret) {
        bytes = secret.bytes
    }

    /// The length in bytes. It may be known before the release, to decide whether a code fits a row of boxes.
    package var byteCount: Int { bytes.count }

    /// Whether two secrets are the same.
    package func isSame(as other: HeldSecret) -> Bool { bytes == other.bytes }

    /// Whether a secret that the caller already has is the same.
    package func isSame(as other: SecretBytes) -> Bool { bytes == other }

    /// Whether it can be a password: some text of a bounded length, without control characters.
    package var isPlainText: Bool {
        (1...4_096).contains(bytes.count)
            && bytes.withUnsafeBytes { raw in
                !raw.contains { $0 < 0x20 || $0 == 0x7F } && String(validating: raw, as: UTF8.self) != nil
            }
    }

    /// A keyed digest that only serves to tell secrets apart. The key is gone when the process ends.
    package func fingerprint(_ key: SecretBytes) -> Data { Self.fingerprint(bytes, key) }

    package static func fingerprint(_ bytes: SecretBytes, _ key: SecretBytes) -> Data {
        let key = key.withUnsafeBytes { SymmetricKey(data: $0) }
        return bytes.withUnsafeBytes { Data(HMAC<SHA256>.authenticationCode(for: $0, using: key)) }
    }
}

/// A credential that has not passed the gate.
package struct HeldCredential: Sendable {
    package let identity: CredentialIdentity
    package let provider: BundleIdentifier
    package let password: HeldSecret

    package init(identity: CredentialIdentity, provider: BundleIdentifier, password: HeldSecret) {
        self.identity = identity
        self.provider = provider
        self.password = password
    }

    /// Reads a provider's answer for an identity, or returns `nil` if it has another type or lacks its secret.
    package init?(_ answer: CredentialStatement, for identity: CredentialIdentity, of provider: BundleIdentifier) {
        let secret = identity.type == .oneTimeCode ? answer.code : answer.password
        guard answer.type == identity.type.rawValue, let secret else { return nil }
        self.init(identity: identity, provider: provider, password: HeldSecret(secret))
    }

    /// Whether the password equals one from another source.
    package func isSame(as other: SecretBytes) -> Bool { password.isSame(as: other) }

    /// Whether the password equals one from a provider or an extension.
    package func isSame(as other: HeldSecret) -> Bool { password.isSame(as: other) }

    /// The number of characters, and of those that they are drawn from: the classes that occur, or 1 if all characters are the same.
    package var makeup: (length: Int, alphabet: Int) {
        password.bytes.withUnsafeBytes { raw in
            let length = raw.count { $0 & 0xC0 != 0x80 }
            guard raw.contains(where: { $0 != raw.first }) else { return (length, 1) }
            var classes: [UInt8: Int] = [:]
            for byte in raw {
                switch byte {
                case 0x30...0x39: classes[0] = 10
                case 0x41...0x5A: classes[1] = 26
                case 0x61...0x7A: classes[2] = 26
                default: classes[3] = 33
                }
            }
            return (length, classes.values.reduce(0, +))
        }
    }

    /// The request to its provider to save a newly generated password as pending. It is sent to no one else.
    package func depositRequest(
        session: String, kind: String, context: RequestContext, request: Int = 0
    ) -> Saving.Save.Params {
        Saving.Save.Params(
            request: request, service: ServiceStatement(identity.service), user: identity.user,
            password: WireSecret(password.bytes), session: session, event: "generatedPasswordFilled", kind: kind,
            context: context)
    }

    /// See `HeldSecret.fingerprint`.
    package func fingerprint(_ key: SecretBytes) -> Data { password.fingerprint(key) }
}

/// The only way for a secret to leave the daemon: every release is decided and logged here.
package struct Gate: Sendable {
    private let log: AuditLog
    private let policy: MatchPolicy
    private let now: @Sendable () -> Int64
    private let released: (@Sendable (HeldCredential) -> Void)?

    /// - Parameters:
    ///   - now: The time in seconds since 1970.
    ///   - released: Called with each released password that belongs to an account.
    package init(
        log: AuditLog, policy: MatchPolicy, now: @escaping @Sendable () -> Int64,
        released: (@Sendable (HeldCredential) -> Void)? = nil
    ) {
        self.log = log
        self.policy = policy
        self.now = now
        self.released = released
    }

    /// Releases a credential, or refuses. The audit log gets a line first in both cases; without a log there is no release.
    ///
    /// - Parameters:
    ///   - act: The user's act, which is spent even if the release is refused.
    ///   - client: The browser that stated the page's origin.
    /// - Throws: `refused` with the reason, or `storageFailed` when the line cannot be written.
    package func release(
        _ credential: HeldCredential, for purpose: any ReleasePurpose, act: UserAct, at moment: ReleaseMoment,
        client: String? = nil
    ) throws -> WireSecret {
        let basis: String?
        do throws(ReleaseRefusal) {
            try moment.check(purpose, act)
            try act.spend(on: credential, at: purpose.destination)
            basis = try purpose.check(credential, act, policy)
        } catch {
            try log.append(line("refused", credential, purpose, act, client, reason: error.reason))
            throw WireError(.refused, "\(purpose.failed): \(error.reason).", reason: error.reason)
        }
        try log.append(line("released", credential, purpose, act, client, reason: basis))
        if purpose.isOfTheAccount { released?(credential) }
        return WireSecret(credential.password.bytes)
    }

    /// Refuses early if a change since the user's act would make `release` refuse. Releases nothing and does not spend the act.
    ///
    /// - Throws: `refused` with the reason, or `storageFailed` when the line cannot be written.
    package func require(
        _ credential: HeldCredential, for purpose: any ReleasePurpose, act: UserAct, at moment: ReleaseMoment,
        client: String? = nil
    ) throws {
        do throws(ReleaseRefusal) {
            try moment.check(purpose, act)
        } catch {
            try log.append(line("refused", credential, purpose, act, client, reason: error.reason))
            throw WireError(.refused, "\(purpose.failed): \(error.reason).", reason: error.reason)
        }
    }

    /// Logs a refusal that was decided before a credential was fetched, and returns the error for it.
    package func refuse(
        _ identity: CredentialIdentity, of provider: BundleIdentifier, requester: String, client: String? = nil,
        surface: String, reason: String, purpose: String? = nil
    ) throws -> WireError {
        try log.append(
            AuditLine(
                time: now(), event: "refused", provider: provider.rawValue, service: identity.service.value,
                user: identity.user, requester: requester, client: client, act: surface, authentication: nil,
                reason: reason, purpose: purpose))
        return WireError(.refused, "Nothing was filled: \(reason).", reason: reason)
    }

    private func line(
        _ event: String, _ credential: HeldCredential, _ purpose: any ReleasePurpose, _ act: UserAct,
        _ client: String?, reason: String?
    ) -> AuditLine {
        AuditLine(
            time: now(), event: event, provider: credential.provider.rawValue,
            service: credential.identity.service.value, user: credential.identity.user,
            requester: purpose.requester, client: client, act: act.surface.rawValue,
            authentication: act.authentication.rawValue, reason: reason, purpose: purpose.wanted)
    }
}
