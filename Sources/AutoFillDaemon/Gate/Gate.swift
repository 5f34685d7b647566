// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillSecrets

/// A secret that a provider handed over and that has not passed the gate.
///
/// Its bytes are visible in this file only, so that nothing but `Gate.release` can send them anywhere.
struct HeldSecret: Sendable {
    fileprivate let bytes: SecretBytes

    init(_ secret: WireSecret) {
        bytes = secret.bytes
    }
}

/// A credential that has not passed the gate.
struct HeldCredential: Sendable {
    let identity: CredentialIdentity
    let provider: BundleIdentifier
    let password: HeldSecret

    init(identity: CredentialIdentity, provider: BundleIdentifier, password: HeldSecret) {
        self.identity = identity
        self.provider = provider
        self.password = password
    }

    /// What a provider answered for an identity; nothing for an answer of another type or without its secret.
    init?(_ answer: CredentialStatement, for identity: CredentialIdentity, of provider: BundleIdentifier) {
        let secret = identity.type == .oneTimeCode ? answer.code : answer.password
        guard answer.type == identity.type.rawValue, let secret else { return nil }
        self.init(identity: identity, provider: provider, password: HeldSecret(secret))
    }
}

/// The one door through which a secret leaves: every release, whatever its path, is decided and logged here.
struct Gate: Sendable {
    /// How the user was authenticated, or why that was not necessary.
    enum Authentication: String, Sendable {
        case passphrase = "passphrase just now"
        case recent = "passphrase a while ago"
        case notAsked = "not asked, by preference"
        case provider = "by the provider's own interface"
    }

    /// What is to be released to whom.
    enum Purpose: Sendable {
        /// Into a document. `confirmed` is the origin that the browser stated again after everything else.
        case fill(chosen: VerifiedOrigin, confirmed: VerifiedOrigin?)
        /// To the command line of the user.
        case reveal(String)
    }

    /// The user's act.
    struct Act: Sendable {
        let surface: AuthenticationPolicy.Surface
        let requirement: AuthenticationPolicy.Requirement
        /// Whether what was required has happened.
        let isSatisfied: Bool
        let authentication: Authentication
    }

    /// Why a release is refused.
    struct Refusal: Error, Equatable {
        let reason: String
    }

    let log: AuditLog
    let now: @Sendable () -> Int64

    /// Releases a credential, or refuses. Either way the audit log has a line first; without a log there is no release.
    func release(_ credential: HeldCredential, for purpose: Purpose, act: Act) throws -> WireSecret {
        do throws(Refusal) {
            try check(credential, purpose, act)
        } catch {
            try log.append(line("refused", credential, purpose, act, reason: error.reason))
            throw WireError(.refused, "Nothing was filled: \(error.reason).", reason: error.reason)
        }
        try log.append(line("released", credential, purpose, act, reason: nil))
        return WireSecret(credential.password.bytes)
    }

    /// Logs a refusal that came before there was a credential to release.
    func refuse(
        _ identity: CredentialIdentity, of provider: BundleIdentifier, requester: String, surface: String,
        reason: String
    ) throws -> WireError {
        try log.append(
            AuditLine(
                time: now(), event: "refused", provider: provider.rawValue, service: identity.service.value,
                user: identity.user, requester: requester, act: surface, authentication: nil, reason: reason))
        return WireError(.refused, "Nothing was filled: \(reason).", reason: reason)
    }

    private func check(_ credential: HeldCredential, _ purpose: Purpose, _ act: Act) throws(Refusal) {
        guard act.isSatisfied else { throw Refusal(reason: "the user was not asked as the preferences demand") }
        switch purpose {
        case .fill(let chosen, let confirmed):
            guard let confirmed, confirmed == chosen else { throw Refusal(reason: "the page has changed since") }
            guard act.surface != .bar || act.requirement != .authentication || act.authentication == .passphrase
            else { throw Refusal(reason: "a tap inside a page authenticates nobody") }
            if case .refused(let refusal) = MatchPolicy.decide(saved: credential.identity.service, for: chosen.origin) {
                throw Refusal(reason: refusal.rawValue)
            }
        case .reveal:
            guard act.surface == .terminal else { throw Refusal(reason: "only the command line reveals") }
        }
    }

    private func line(
        _ event: String, _ credential: HeldCredential, _ purpose: Purpose, _ act: Act, reason: String?
    ) -> AuditLine {
        let requester =
            switch purpose {
            case .fill(let chosen, _): chosen.origin.description
            case .reveal(let program): program
            }
        return AuditLine(
            time: now(), event: event, provider: credential.provider.rawValue,
            service: credential.identity.service.value, user: credential.identity.user, requester: requester,
            act: act.surface.rawValue, authentication: act.authentication.rawValue, reason: reason)
    }
}
