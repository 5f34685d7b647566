// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging

/// Unlocks when the user logs in to the computer.
@DaemonActor final class LoginFeature {
    let broker: Broker

    init(_ broker: Broker) {
        self.broker = broker
    }

    /// Whether a login unlocks, in the words of `status`.
    var state: String { broker.login.state(keyring: broker.keyringFile.keyring) }

    /// Lets the login password unlock from now on.
    ///
    /// - Throws: The errors of `LoginUnlock.enable`; `locked`.
    func enable(_ params: Settings.EnableLogin.Params) throws {
        try broker.login.enable(params, in: broker.unlockedSession())
    }

    /// How the key is derived from the login password.
    ///
    /// - Throws: `notFound` where unlocking at login is not enabled; `storageFailed`.
    func terms() throws -> Login.Terms.Answer {
        try broker.login.terms(keyring: broker.keyringFile.keyring, locks: broker.lockCount)
    }

    /// Unlocks with the key that was derived from the login password. It is checked where Latchkey is unlocked already, so that `status`
    /// knows of a changed password.
    ///
    /// - Throws: The errors of `LoginUnlock.deviceKey`; `locked` where Latchkey was locked since `terms`: the lid may have been closed.
    func unlock(_ params: Login.Unlock.Params) async throws {
        let deviceKey: DeviceKey
        do {
            deviceKey = try broker.login.deviceKey(derived: params.key.bytes, keyring: broker.keyringFile.keyring)
        } catch {
            broker.logger.notice("not unlocked at login", metadata: ["reason": "\(WireError(saying: error).message)"])
            throw error
        }
        guard !broker.isUnlocked else { return }
        guard broker.lockCount == params.locks else { throw Broker.lockedMeanwhile }
        do {
            broker.opened(try broker.openedKeys(deviceKey), by: .login)
        } catch {
            throw WireError(saying: error)
        }
        await broker.tellObserversAndWait { await $0.sessionOpened() }
        broker.logger.info("unlocked", metadata: ["by": "\(broker.authentication.means.rawValue)"])
    }

    /// Goes on with a login password that the user has changed. It unlocks nothing.
    ///
    /// - Throws: The errors of `LoginUnlock.rewrap`.
    func rewrap(_ params: Login.Rewrap.Params) throws {
        try broker.login.rewrap(params, keyring: broker.keyringFile.keyring)
        broker.logger.info("the new login password unlocks")
    }
}
