// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillRelease

/// How many accounts a browser is given the passwords of before the passphrase is asked for, so that one that was taken over, or somebody at
/// the keyboard for a minute, does not empty the vault.
struct FillLimit: Sendable {
    /// An account, whichever page it is filled into.
    struct Account: Hashable, Sendable {
        private let identity: CredentialIdentity
        private let provider: BundleIdentifier

        init(_ identity: CredentialIdentity, of provider: BundleIdentifier) {
            self.identity = identity
            self.provider = provider
        }
    }

    /// The most accounts within `span`.
    static let accounts = 20
    static let span = Duration.seconds(600)
    /// Why the passphrase is asked for.
    static let sentence =
        "The passwords of \(accounts) accounts were filled within ten minutes, so this takes your passphrase."

    private var filled: [Account: ContinuousClock.Instant] = [:]
    private var epoch: UserAct.Epoch?

    /// Whether a fill of this account takes the passphrase.
    func isReached(by account: Account, in epoch: UserAct.Epoch, at now: ContinuousClock.Instant) -> Bool {
        guard epoch == self.epoch else { return false }
        let recent = filled.filter { now < $0.value + Self.span }
        return recent.count >= Self.accounts && recent[account] == nil
    }

    /// - Parameter wasProven: whether the user gave the passphrase for this fill; it counts for those before as well.
    mutating func count(
        _ account: Account, wasProven: Bool, in epoch: UserAct.Epoch, at now: ContinuousClock.Instant
    ) {
        if wasProven || epoch != self.epoch { filled = [:] }
        self.epoch = epoch
        filled = filled.filter { now < $0.value + Self.span }
        filled[account] = now
    }
}
