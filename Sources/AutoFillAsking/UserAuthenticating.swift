// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillRelease
package import AutoFillSecrets

/// What asking needs to know of the session: whether it is unlocked, what the preferences demand, and how a passphrase is verified.
@DaemonActor package protocol UserAuthenticating: AnyObject, Sendable {
    var time: TimeSource { get }
    /// Whether there is a keyring.
    var isInitialized: Bool { get }
    var isUnlocked: Bool { get }
    /// The time between the last unlock and the next lock.
    var epoch: UserAct.Epoch { get }
    /// Whether the preference demands the passphrase for each release.
    var asksAlways: Bool { get }
    /// How the user counts as authenticated while nobody asks.
    var standingAuthentication: UserAct.Authentication { get }

    /// What has to happen before a choice counts.
    func requirement(of choice: UserChoice) -> UserAct.Requirement

    /// Verifies the passphrase, locked or not.
    ///
    /// - Throws: `wrongPassphrase`, `tooManyAttempts`, or `notInitialized`.
    func authenticate(passphrase: SecretBytes) async throws

    /// Unlocks. Throws as `authenticate` does, and `storageFailed` where files are damaged.
    func unlock(passphrase: SecretBytes) async throws

    /// Spends the passphrase that was given for the request that is answered now. Returns whether there was one.
    func spendFreshAuthentication() -> Bool

    /// Throws `notInitialized` or `locked` unless there are keys.
    func checkUnlocked() throws

    /// The user did something, which puts off the idle lock.
    func userActed()
}
