// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillRelease
package import AutoFillSecrets

/// The part of the session that asking needs: whether it is unlocked, what the preferences demand, and passphrase checks.
@DaemonActor package protocol UserAuthenticating: AnyObject, Sendable {
    var time: TimeSource { get }
    /// Whether there is a keyring.
    var isInitialized: Bool { get }
    var isUnlocked: Bool { get }
    /// Whether a PIN is set, which unlocks too.
    var hasPIN: Bool { get }
    /// Whether a fingerprint is taken in place of the passphrase where the preference asks for it.
    var takesFingerprints: Bool { get }
    /// The lock epoch: the time between an unlock and the next lock.
    var epoch: UserAct.Epoch { get }
    /// Whether the preference demands the passphrase for each release.
    var asksAlways: Bool { get }
    /// How the user counts as authenticated when no question is asked.
    func standingAuthentication(isFill: Bool) -> UserAct.Authentication

    /// The requirement to meet before a choice counts.
    func requirement(of choice: UserChoice) -> UserAct.Requirement

    /// Verifies the passphrase, locked or not.
    ///
    /// - Parameter takesPIN: Whether the PIN does as well, while unlocked.
    /// - Returns: What was given: `passphrase` or `pin`.
    /// - Throws: `wrongPassphrase`, `tooManyAttempts`, or `notInitialized`.
    func authenticate(passphrase: SecretBytes, takesPIN: Bool) async throws -> UserAct.Authentication

    /// Unlocks the keyring, with the passphrase or the PIN.
    ///
    /// - Returns: What was given: `passphrase` or `pin`.
    /// - Throws: as `authenticate` does, and `storageFailed` when files are damaged.
    @discardableResult func unlock(passphrase: SecretBytes) async throws -> UserAct.Authentication

    /// Spends the passphrase or the PIN given for the request now being answered. Returns which it was; `nil` for none.
    func spendFreshAuthentication() -> UserAct.Authentication?

    /// Checks that the keys are available.
    ///
    /// - Throws: `notInitialized` or `locked` when they are not.
    func checkUnlocked() throws

    /// Postpones the idle lock, because the user did something.
    func userActed()
}
