// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillCredentials
public import AutoFillMatching
internal import Synchronization

/// A proof that the user acted on one credential for one destination.
///
/// Only code that asks the user, and the guard of the bar, can create one (`@_spi(UserAct)`). It is valid for the
/// credential and the destination that the user was shown, until Latchkey locks, and for one release.
public final class UserAct: Sendable {
    /// The surface on which the user acted.
    public enum Surface: String, Hashable, Sendable {
        /// Inside a page. An act there is a choice, never an authentication.
        case bar
        case popup
        case window
        /// The command line.
        case terminal
        /// Beside a field of a native app. Other programs of an X11 session can press there, so an act is a choice, never an
        /// authentication.
        case panel
    }

    /// The requirement that had to be met.
    public enum Requirement: Hashable, Sendable {
        case nothing
        /// The user agrees on a surface outside the page.
        case confirmation
        /// The user proves their identity, which includes agreement.
        case authentication
    }

    /// How the user was authenticated, or why authentication was not necessary.
    public enum Authentication: String, Hashable, Sendable {
        case passphrase = "passphrase just now"
        case pin = "PIN just now"
        case recent = "passphrase a while ago"
        case recentPIN = "PIN a while ago"
        case recentFingerprint = "fingerprint a while ago"
        case recentLogin = "login a while ago"
        case fingerprint = "fingerprint just now"
        case notAsked = "not asked, by preference"
        case provider = "by the provider's own interface"
        case remembered = "agreed to a while ago, for this program and place"
        case new = "not needed: the password is new"

        /// The same, once some time has passed.
        package var afterAWhile: Self {
            switch self {
            case .passphrase: .recent
            case .pin: .recentPIN
            case .fingerprint: .recentFingerprint
            default: self
            }
        }
    }

    /// Something the user agreed to beyond the choice, on a surface outside the page, now or earlier.
    public enum Agreement: Hashable, Sendable {
        case to(Consent)
        /// A credential saved for another place is used here, after both names were shown.
        case foreign
        /// The credential is also offered here from now on.
        case keeping
    }

    /// The time between an unlock and the lock after it.
    public struct Epoch: Hashable, Sendable {
        private let number: Int

        /// - Parameter number: The number of locks before this epoch.
        package init(_ number: Int) {
            self.number = number
        }
    }

    package let surface: Surface
    package let requirement: Requirement
    package let authentication: Authentication
    package let agreements: Set<Agreement>
    package let epoch: Epoch
    private let identity: CredentialIdentity
    private let provider: BundleIdentifier
    private let destination: Destination
    private let isSpent = Mutex(false)

    /// - Parameters:
    ///   - identity: The credential that the user chose, or was asked about.
    ///   - provider: The provider that holds it.
    ///   - destination: The place where the user wants it.
    ///   - epoch: The epoch in which asking began.
    @_spi(UserAct) public init(
        for identity: CredentialIdentity, of provider: BundleIdentifier, to destination: Destination, in epoch: Epoch,
        on surface: Surface, requirement: Requirement, authentication: Authentication,
        agreements: Set<Agreement> = []
    ) {
        self.identity = identity
        self.provider = provider
        self.destination = destination
        self.epoch = epoch
        self.surface = surface
        self.requirement = requirement
        self.authentication = authentication
        self.agreements = agreements
    }

    /// Spends the act, even if it turns out not to be valid for this release.
    func spend(on credential: HeldCredential, at destination: Destination) throws(ReleaseRefusal) {
        let wasSpent = isSpent.withLock { isSpent in
            defer { isSpent = true }
            return isSpent
        }
        guard !wasSpent else { throw ReleaseRefusal(reason: "the user's consent was used for another release already") }
        guard identity == credential.identity, provider == credential.provider else {
            throw ReleaseRefusal(reason: "the user agreed to another credential")
        }
        guard self.destination == destination else {
            throw ReleaseRefusal(reason: "the user agreed to it for another place")
        }
        guard requirement != .authentication || isAuthenticated else {
            throw ReleaseRefusal(reason: "the user was not asked as the preferences demand")
        }
    }

    /// Whether the user was authenticated for this very release. Neither the PIN nor a finger is taken for what was saved for another site.
    private var isAuthenticated: Bool {
        switch authentication {
        case .passphrase, .provider: true
        case .pin: destination.takesPIN && isForItsOwnSite
        case .fingerprint: destination.takesFingerprint && isForItsOwnSite
        default: false
        }
    }

    private var isForItsOwnSite: Bool {
        agreements.allSatisfy {
            switch $0 {
            case .foreign, .to(.sharedService): false
            case .to, .keeping: true
            }
        }
    }
}
