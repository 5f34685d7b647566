// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillSecrets
internal import Crypto
internal import Foundation

/// A secret that a provider handed over and that has not passed the gate.
///
/// Its bytes are visible in this file only, so that nothing but `Gate.release` can send them anywhere.
struct HeldSecret: Sendable {
    fileprivate let bytes: SecretBytes

    init(_ secret: WireSecret) {
        bytes = secret.bytes
    }

    /// How many bytes it has: whether a code fits into a row of boxes is known before it is released.
    var byteCount: Int { bytes.count }

    /// Whether two secrets are the same.
    func isSame(as other: HeldSecret) -> Bool { bytes == other.bytes }

    /// Whether somebody who has the secret already has the same one.
    func isSame(as other: SecretBytes) -> Bool { bytes == other }

    /// Whether it can be a password: some text of a bounded length, without control characters.
    var isPlainText: Bool {
        (1...4_096).contains(bytes.count)
            && bytes.withUnsafeBytes { raw in
                !raw.contains { $0 < 0x20 || $0 == 0x7F } && String(validating: raw, as: UTF8.self) != nil
            }
    }

    /// A name for the secret that is good for telling it from others only, under a key that ends with the process.
    func fingerprint(_ key: SecretBytes) -> Data { Self.fingerprint(bytes, key) }

    static func fingerprint(_ bytes: SecretBytes, _ key: SecretBytes) -> Data {
        let key = key.withUnsafeBytes { SymmetricKey(data: $0) }
        return bytes.withUnsafeBytes { Data(HMAC<SHA256>.authenticationCode(for: $0, using: key)) }
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

    /// Whether it is one that somebody else gave.
    func isSame(as other: SecretBytes) -> Bool { password.isSame(as: other) }

    /// Whether it is one that a provider or an extension gave.
    func isSame(as other: HeldSecret) -> Bool { password.isSame(as: other) }

    /// The request that has a provider keep a password which was just made, as pending. It goes to no one else.
    func depositRequest(
        session: String, kind: String, context: RequestContext, request: Int = 0
    ) -> Saving.Save.Params {
        Saving.Save.Params(
            request: request, service: ServiceStatement(identity.service), user: identity.user,
            password: WireSecret(password.bytes), session: session, event: "generatedPasswordFilled", kind: kind,
            context: context)
    }

    /// See `HeldSecret.fingerprint`.
    func fingerprint(_ key: SecretBytes) -> Data { password.fingerprint(key) }
}

/// The one door through which a secret leaves: every release, whatever its path, is decided and logged here.
struct Gate: Sendable {
    /// How the user was authenticated, or why that was not necessary.
    enum Authentication: String, Sendable {
        case passphrase = "passphrase just now"
        case recent = "passphrase a while ago"
        case notAsked = "not asked, by preference"
        case provider = "by the provider's own interface"
        case remembered = "agreed to a while ago, for this program and place"
        case new = "not needed: the password is new"
    }

    /// What is to be released to whom.
    enum Purpose: Sendable {
        /// Into a document. `confirmed` is the origin that the browser stated again after everything else.
        case fill(chosen: VerifiedOrigin, confirmed: VerifiedOrigin?)
        /// A code that came in a message, into a document; the rest as above.
        case code(ReceivedCode, chosen: VerifiedOrigin, confirmed: VerifiedOrigin?)
        /// To git, for a place that it names, started by a program. `wasChosen`: the user saw what it was saved for.
        case git(GitRequest, caller: GitCaller, wasChosen: Bool)
        /// To the command line of the user, and what for.
        case reveal(String, for: String? = nil)
        /// Into a document: a password that was just made for it, and is kept.
        case generated(chosen: VerifiedOrigin, confirmed: VerifiedOrigin?)
        /// Onto a surface outside the page, where the user looks at such a password first.
        case showGenerated(VerifiedOrigin)
        /// To an extension that changes the password at its service. `association` is what was found about its app after
        /// everything else; `isNew` that it is the password to be set, which was just made and is kept.
        case modification(UpgradeTarget, association: VerifiedAssociation?, isNew: Bool)
        /// To an app. `confirmed` and `association` are what was found about both after everything else.
        case app(chosen: VerifiedApp, confirmed: VerifiedApp?, association: VerifiedAssociation?)
        /// The same of what the user chose in a provider's own list, of which nobody here knows what it was saved for.
        case appList(chosen: VerifiedApp, confirmed: VerifiedApp?, association: VerifiedAssociation?)
        /// A code that came in a message, to an app; the rest as above.
        case appCode(
            ReceivedCode, chosen: VerifiedApp, confirmed: VerifiedApp?, association: VerifiedAssociation?)

        /// Whether it is the password that an account has. What the command line shows may be notes or an earlier password.
        var isOfTheAccount: Bool {
            switch self {
            case .fill, .git, .app, .appList: true
            case .modification(_, _, let isNew): !isNew
            case .code, .appCode, .reveal, .generated, .showGenerated: false
            }
        }
    }

    /// What the user agreed to beyond the choice, on a surface outside the page, now or earlier.
    enum Agreement: Hashable, Sendable {
        case to(Consent)
        /// That what was saved for another place is used here: both names were shown.
        case foreign
        /// That it is offered here from now on.
        case keeping
    }

    /// The user's act.
    struct Act: Sendable {
        let surface: AuthenticationPolicy.Surface
        let requirement: AuthenticationPolicy.Requirement
        /// Whether what was required has happened.
        let isSatisfied: Bool
        let authentication: Authentication
        var agreements: Set<Agreement> = []
    }

    /// Why a release is refused.
    struct Refusal: Error, Equatable {
        let reason: String
    }

    let log: AuditLog
    let policy: MatchPolicy
    let now: @Sendable () -> Int64
    /// Is told of the passwords that are released as those of accounts.
    var known: KnownPasswords?

    /// Releases a credential, or refuses. Either way the audit log has a line first; without a log there is no release.
    ///
    /// - Parameter client: The browser on whose word the page's origin rests.
    func release(
        _ credential: HeldCredential, for purpose: Purpose, act: Act, client: String? = nil
    ) throws -> WireSecret {
        let basis: String?
        do throws(Refusal) {
            basis = try check(credential, purpose, act)
        } catch {
            try log.append(line("refused", credential, purpose, act, client, reason: error.reason))
            throw WireError(.refused, "Nothing was filled: \(error.reason).", reason: error.reason)
        }
        try log.append(line("released", credential, purpose, act, client, reason: basis))
        if purpose.isOfTheAccount { known?.released(credential) }
        return WireSecret(credential.password.bytes)
    }

    /// Logs a refusal that came before there was a credential to release.
    func refuse(
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

    /// Returns what the release rests on, where that is more than that it was saved for this place.
    private func check(_ credential: HeldCredential, _ purpose: Purpose, _ act: Act) throws(Refusal) -> String? {
        guard act.isSatisfied else { throw Refusal(reason: "the user was not asked as the preferences demand") }
        switch purpose {
        case .fill(let chosen, let confirmed):
            guard let confirmed, confirmed == chosen else { throw Refusal(reason: "the page has changed since") }
            guard act.surface != .bar || act.requirement != .authentication || act.authentication == .passphrase
            else { throw Refusal(reason: "a tap inside a page authenticates nobody") }
            return try basis(of: SavedService(credential.identity), for: chosen, act)
        case .generated(let chosen, let confirmed):
            guard confirmed == chosen else { throw Refusal(reason: "the page has changed since it was made") }
            // What is new is for the very place it was made for, and one that somebody has elsewhere is not new.
            guard policy.match(SavedService(credential.identity), for: chosen.chain).decision == .exact,
                credential.identity.recordIdentifier == nil
            else { throw Refusal(reason: "it was not made for this place") }
            return try basis(of: SavedService(credential.identity), for: chosen, act)
        case .showGenerated(let chosen):
            guard act.surface == .window, credential.identity.recordIdentifier == nil,
                policy.match(SavedService(credential.identity), for: chosen.chain).decision == .exact
            else { throw Refusal(reason: "it is shown outside of the page it was made for, or nowhere") }
            return nil
        case .code(let code, let chosen, let confirmed):
            guard let confirmed, confirmed == chosen else { throw Refusal(reason: "the page has changed since") }
            guard act.surface != .bar || act.requirement != .authentication || act.authentication == .passphrase
            else { throw Refusal(reason: "a tap inside a page authenticates nobody") }
            guard code.secret.isSame(as: credential.password) else { throw Refusal(reason: "it is another code") }
            // Decided once more, by what the message itself says and not by the row that was tapped.
            let standing = CodeOffers(policy.suffixes).standing(of: code.binding, in: chosen.chain)
            guard let basis = standing.basis else { throw Refusal(reason: standing.refusedBecause) }
            return basis
        case .git(let request, _, let wasChosen):
            guard act.surface != .bar, act.surface != .popup else {
                throw Refusal(reason: "git is answered outside of browsers")
            }
            let match = policy.match(SavedService(credential.identity), supposing: request.origin)
            if let refusal = match.refusal { throw Refusal(reason: refusal.rawValue) }
            guard match.decision == .exact || match.decision == .sameSite else {
                throw Refusal(reason: "it was saved for another site")
            }
            guard
                let fit = GitFit(credential.identity.service, isExact: match.decision == .exact, for: request)
            else { throw Refusal(reason: "it was saved for another repository") }
            guard fit != .elsewhere || wasChosen else {
                throw Refusal(reason: "only the user can know whether it belongs here")
            }
            return nil
        case .reveal:
            guard act.surface == .terminal else { throw Refusal(reason: "only the command line reveals") }
            return nil
        case .modification(let target, let association, let isNew):
            guard act.surface != .bar else {
                throw Refusal(reason: "a change of a password is asked for outside of pages")
            }
            guard isNew == (credential.identity.recordIdentifier == nil && act.authentication == .new) else {
                throw Refusal(reason: "what is new was just made, and what is not was saved")
            }
            let own = association.flatMap { $0.app == target.app ? $0 : nil }
            let match = policy.match(credential.identity, for: own.map { [$0] } ?? [])
            guard match.decision == .associated else {
                throw Refusal(reason: (match.refusal ?? .notAssociated).rawValue)
            }
            return nil
        case .app(let chosen, let confirmed, let association):
            try check(credential, chosen: chosen, confirmed: confirmed, association, act)
            return nil
        case .appList(let chosen, let confirmed, let association):
            // The place it is asked for here is the app's, whatever it was saved for: beside all that an app takes, the user has
            // to have agreed to that, and to have been there.
            guard credential.identity.recordIdentifier == nil, act.agreements.contains(.foreign) else {
                throw Refusal(reason: "only the user can know whether it belongs here")
            }
            guard act.authentication == .passphrase else {
                throw Refusal(reason: "what was chosen in a provider's own list takes the passphrase")
            }
            try check(credential, chosen: chosen, confirmed: confirmed, association, act)
            return "chosen in the provider's own list, as the user said"
        case .appCode(let code, let chosen, let confirmed, let association):
            return try basis(of: code, credential, chosen: chosen, confirmed: confirmed, association, act)
        }
    }

    /// Decides once more whether a credential is for an app, by what is verified of it.
    private func check(
        _ credential: HeldCredential, chosen: VerifiedApp, confirmed: VerifiedApp?,
        _ association: VerifiedAssociation?, _ act: Act
    ) throws(Refusal) {
        guard act.surface == .terminal || act.surface == .window else {
            throw Refusal(reason: "nothing was chosen on a surface of Latchkey's")
        }
        guard let confirmed, confirmed == chosen else {
            throw Refusal(reason: "the app is not what it was when it asked")
        }
        let own = association.flatMap { $0.app == confirmed.identifier ? $0 : nil }
        let match = policy.match(credential.identity, for: own.map { [$0] } ?? [])
        guard match.decision == .associated else {
            throw Refusal(reason: (match.refusal ?? .notAssociated).rawValue)
        }
    }

    /// Decides once more whether a code is for an app, by what the message itself says and what is verified of the app.
    private func basis(
        of code: ReceivedCode, _ credential: HeldCredential, chosen: VerifiedApp, confirmed: VerifiedApp?,
        _ association: VerifiedAssociation?, _ act: Act
    ) throws(Refusal) -> String {
        guard act.surface == .terminal || act.surface == .window else {
            throw Refusal(reason: "nothing was chosen on a surface of Latchkey's")
        }
        guard let confirmed, confirmed == chosen else {
            throw Refusal(reason: "the app is not what it was when it asked")
        }
        guard code.secret.isSame(as: credential.password) else { throw Refusal(reason: "it is another code") }
        guard let association, association.app == confirmed.identifier, let host = association.host else {
            throw Refusal(reason: MatchRefusal.notAssociated.rawValue)
        }
        let standing = CodeOffers(policy.suffixes).standing(of: code.binding, forAppWith: [host])
        guard standing.basis != nil else { throw Refusal(reason: standing.refusedBecause) }
        return standing == .unbound ? "bound to no site" : "bound to a host that names the app"
    }

    /// Decides the match once more, and that the user agreed to everything it demands.
    private func basis(of saved: SavedService, for chosen: VerifiedOrigin, _ act: Act) throws(Refusal) -> String? {
        let match = policy.match(saved, for: chosen.chain)
        if let refusal = match.refusal {
            guard act.agreements.contains(.foreign), policy.mayBeUsedAnyway(saved, in: chosen.chain) else {
                throw Refusal(reason: refusal.rawValue)
            }
            guard act.surface != .bar, act.authentication == .passphrase else {
                throw Refusal(reason: "what was saved for another place takes the passphrase")
            }
            return "used here anyway, as the user said" + (act.agreements.contains(.keeping) ? ", and from now on" : "")
        }
        for consent in match.consent where !act.agreements.contains(.to(consent)) {
            throw Refusal(reason: "the user did not agree to it \(consent.words)")
        }
        let agreed = match.consent.map { $0.words + ", agreed to" }
        let relation = match.decision == .sameSite ? ["another host of the same site"] : []
        let whole = (relation + agreed).joined(separator: "; ")
        return whole.isEmpty ? nil : whole
    }

    private func line(
        _ event: String, _ credential: HeldCredential, _ purpose: Purpose, _ act: Act, _ client: String?,
        reason: String?
    ) -> AuditLine {
        let requester =
            switch purpose {
            case .fill(let chosen, _), .code(_, let chosen, _), .generated(let chosen, _), .showGenerated(let chosen):
                chosen.origin.description
            case .git(let request, _, _): request.site
            case .reveal(let program, _): program
            case .app(let chosen, _, _), .appList(let chosen, _, _), .appCode(_, let chosen, _, _): chosen.description
            case .modification(let target, _, _): target.description
            }
        let wanted: String? =
            switch purpose {
            case .fill, .code, .app, .appList, .appCode: nil
            case .generated: "a generated password"
            case .showGenerated: "show, a generated password"
            case .modification(_, _, let isNew): isNew ? "a generated password, to change to" : "to be changed"
            case .git(_, let caller, _): caller.isByGit ? "git, started by \(caller.program)" : caller.program
            case .reveal(_, let wanted): wanted
            }
        return AuditLine(
            time: now(), event: event, provider: credential.provider.rawValue,
            service: credential.identity.service.value, user: credential.identity.user, requester: requester,
            client: client, act: act.surface.rawValue, authentication: act.authentication.rawValue, reason: reason,
            purpose: wanted)
    }
}
