// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillMatching
internal import AutoFillProviders

/// The kinds of change for an account.
enum UpgradeKind: String, Sendable {
    case strongPassword = "strong-password"
    case signInWithApple = "sign-in-with-apple"
}

/// Whether an account can be changed by an extension, decided from what is known before anything is asked.
enum UpgradeOffer: Equatable, Sendable {
    case offered(UpgradeTarget)
    case refused(Refusal)

    /// Why there is no offer.
    enum Refusal: String, Equatable, Sendable {
        case insecure = "the account is not one of an https site on its own port"
        case noExtension = "no extension that is enabled changes passwords of this site"
        case notAssociated = "the site has not confirmed the extension's app"
        case onlyOtherKinds = "the extension of this site does not change to strong passwords"
        case onlyPasswords = "the extension of this site does not change to Sign in with Apple"
        case noClient = "the extension of this site does not say how Apple knows its app"
        case returnNotAssociated = "the site of the return URL has not confirmed the extension's app"
        case contested = "several extensions claim to be of the same app"
        case notKept = "the provider that keeps the account does not save passwords"
    }

    /// An enabled extension, with the facts about its app and the site.
    struct Candidate: Equatable, Sendable {
        let target: UpgradeTarget
        let changesPasswords: Bool
        /// Whether its app states a domain that covers the site.
        let statesHost: Bool
        /// Whether the site has confirmed the app.
        let isVerified: Bool
        /// Whether it converts accounts to Sign in with Apple; `target.apple` is how Apple knows its app.
        var converts = false
        /// Whether the site to which Apple answers has confirmed the app.
        var isReturnVerified = false
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - origin: the origin that the account was saved for; `nil` if it is not a place of the web.
    ///   - candidates: the enabled extensions in the user's order.
    ///   - keeperSaves: whether the provider that keeps the account saves passwords.
    init(_ kind: UpgradeKind = .strongPassword, origin: Origin?, candidates: [Candidate], keeperSaves: Bool) {
        guard let origin, origin.scheme == .https, origin.port == 443 else {
            self = .refused(.insecure)
            return
        }
        let stating = candidates.filter(\.statesHost)
        guard !stating.isEmpty else {
            self = .refused(.noExtension)
            return
        }
        let verified = stating.filter(\.isVerified)
        let isAble: (Candidate) -> Bool = { kind == .strongPassword ? $0.changesPasswords : $0.converts }
        guard let first = verified.first(where: isAble) else {
            let others: Refusal = kind == .strongPassword ? .onlyOtherKinds : .onlyPasswords
            self = .refused(verified.isEmpty ? .notAssociated : others)
            return
        }
        // If two extensions claim one app, at most one is right, and the daemon cannot tell which.
        guard candidates.count(where: { $0.target.app == first.target.app }) == 1 else {
            self = .refused(.contested)
            return
        }
        switch kind {
        case .strongPassword: self = keeperSaves ? .offered(first.target) : .refused(.notKept)
        case .signInWithApple:
            guard first.target.apple != nil else {
                self = .refused(.noClient)
                return
            }
            self = first.isReturnVerified ? .offered(first.target) : .refused(.returnNotAssociated)
        }
    }
}

/// An extension that a password is given to, as the user enabled it.
struct UpgradeTarget: Equatable, Sendable {
    let identifier: BundleIdentifier
    let name: String
    let app: AppIdentifier
    /// The rules for the new password; `nil` if the extension states none.
    let rules: String?
    /// The app's client at Apple; `nil` if the extension states none.
    var apple: AppleClient?
    /// Whether its app opts out of questions about its passwords after a sign-in.
    var optsOutOfPromptsOnSignIn = false

    /// The name in the audit log.
    var description: String { "\(identifier) of \(app)" }
}
