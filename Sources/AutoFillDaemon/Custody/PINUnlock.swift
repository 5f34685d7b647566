// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillSecrets

/// The PIN of this session, where the user has set one. It unlocks, and answers what is asked only because time has passed.
///
/// It is in memory alone, so the first unlock after a start takes the passphrase. It is gone after three wrong tries without a right one
/// between them, with the logins in which it was set, and with the daemon.
@DaemonActor final class PINUnlock {
    /// The user's logins now, by names that mean nothing else; `nil` where nobody states them.
    typealias Logins = @Sendable () async -> Set<String>?

    /// How many wrong tries it takes until the PIN is gone.
    private nonisolated static let tries = 3

    private struct Held {
        let pin: SessionPIN
        /// The logins in which it was set; `nil` where nobody states any.
        let logins: Set<String>?
    }

    private let cost: Argon2Cost
    private let logins: Logins
    private var held: Held?
    private var triesLeft: Int
    /// How often a PIN was forgotten.
    private var endings: Int
    /// Runs between the derivation of a key and its use; tests lock there.
    var whenDerived: @DaemonActor () async -> Void
    /// Runs when a PIN that was set is gone.
    var whenForgotten: @DaemonActor () -> Void

    nonisolated init(cost: Argon2Cost, logins: @escaping Logins) {
        self.cost = cost
        self.logins = logins
        (held, triesLeft, endings, whenDerived, whenForgotten) = (nil, Self.tries, 0, {}, {})
    }

    var isSet: Bool { held != nil }

    /// Wraps the device key of a session under a PIN, in place of the one before.
    ///
    /// - Throws: `invalidParams` for what is no PIN or is guessed first; `locked` where the session has ended or a PIN was forgotten
    ///   meanwhile.
    func set(_ typed: SecretBytes, in session: UnlockedSession) async throws {
        let (cost, before) = (self.cost, endings)
        let deviceKey = try session.keys.deviceKey
        let now = await logins()
        let pin: SessionPIN
        do {
            pin = try await Task.detached { try SessionPIN(deviceKey, pin: typed, cost: cost) }.value
        } catch {
            throw WireError(saying: error)
        }
        await whenDerived()
        try session.check()
        guard endings == before else { throw Broker.lockedMeanwhile }
        held = Held(pin: pin, logins: now?.isEmpty == true ? nil : now)
        triesLeft = Self.tries
    }

    func forget() {
        let wasSet = isSet
        held = nil
        endings += 1
        if wasSet { whenForgotten() }
    }

    /// Forgets the PIN where all logins in which it was set have ended.
    func forgetAfterLogout() async {
        guard let held, let begun = held.logins else { return }
        guard let now = await logins(), !begun.isDisjoint(with: now) else { return forget() }
    }

    /// The device key of a keyring, if what was typed is the PIN. Anything that can be a PIN counts as a try, before it is looked at.
    ///
    /// - Returns: `nil` where it is not, or no PIN is set: then it may be the passphrase.
    func deviceKey(typed: SecretBytes, generation: [UInt8]?) async -> DeviceKey? {
        guard SessionPIN.hasForm(typed) else { return nil }
        await forgetAfterLogout()
        guard let held, triesLeft > 0 else { return nil }
        // Another keyring has taken the place of the one it was set for.
        guard held.pin.generation == generation else {
            forget()
            return nil
        }
        triesLeft -= 1
        let before = endings
        let opened = await Task.detached { Result { try held.pin.unlock(pin: typed) } }.value
        guard endings == before else { return nil }
        switch opened {
        case .success(let deviceKey):
            triesLeft = Self.tries
            return deviceKey
        case .failure(let error):
            // Without memory to look at it, it was no try. A right one may have begun anew meanwhile.
            if (error as? SecretsError)?.code != .wrongPIN { triesLeft = min(triesLeft + 1, Self.tries) }
            if triesLeft == 0 { forget() }
            return nil
        }
    }

    /// The device key of a keyring that the PIN opens, or else what `otherwise` gives for the passphrase.
    ///
    /// - Throws: What `otherwise` throws; with `wrongPassphrase` and `tooManyAttempts` it says what has become of the PIN.
    func deviceKey(
        typed: SecretBytes, generation: [UInt8]?, otherwise: () async throws -> DeviceKey
    ) async throws -> (DeviceKey, isByPIN: Bool) {
        let wasSet = isSet
        if let deviceKey = await deviceKey(typed: typed, generation: generation) { return (deviceKey, true) }
        do {
            let deviceKey = try await otherwise()
            triesLeft = Self.tries
            return (deviceKey, false)
        } catch let error as WireError where [.wrongPassphrase, .tooManyAttempts].contains(error.code) {
            throw wasSet ? stating(error, of: typed) : error
        }
    }

    /// An error about something typed, with what has become of the PIN.
    private func stating(_ error: WireError, of typed: SecretBytes) -> WireError {
        var stated = error
        stated.takesPIN = isSet
        guard SessionPIN.hasForm(typed) else { return stated }
        let left = triesLeft == 1 ? "one more try" : "\(triesLeft) more tries"
        switch (error.code, isSet) {
        case (.wrongPassphrase, true):
            stated.message = "That is neither the PIN nor the passphrase. The PIN has \(left)."
        case (.wrongPassphrase, false): stated.message = "That is not the passphrase, and the PIN is gone."
        case (_, true): stated.message += " The PIN has \(left)."
        case (_, false): stated.message += " The PIN is gone."
        }
        return stated
    }
}
