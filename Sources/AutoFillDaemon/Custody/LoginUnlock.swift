// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

/// Unlocking at login, if the user has enabled it: the file `$XDG_DATA_HOME/latchkey/login-key`.
///
/// The daemon never has the login password. It gets a key that was derived from it, by the command line when the user enables this and by
/// `latchkey-login` at a login.
@DaemonActor final class LoginUnlock {
    private let path: String
    /// Whether the last login was with another password than the one that was set. Known until the daemon ends.
    private var isOutdated = false

    nonisolated init(path: String) {
        self.path = path
    }

    /// Lets the login password unlock from now on.
    ///
    /// - Throws: `invalidParams` for a key or salt that is none, and for a cost that no login takes; `locked`; `storageFailed`.
    func enable(_ params: Settings.EnableLogin.Params, in session: UnlockedSession) throws {
        let cost = try? Argon2Cost(
            memoryKiB: params.memoryKiB, iterations: params.iterations, parallelism: params.parallelism)
        guard let cost, LoginPassword.takes(cost) else {
            throw WireError(
                .invalidParams,
                "This cost is out of bounds. A login takes 64 to 256 MiB, 5 to 16 passes and 1 to 4 lanes.")
        }
        let (derived, salt) = try Self.read(params.key, params.salt)
        try save(LoginKey(try session.keys.deviceKey, derived: derived, salt: salt, cost: cost))
    }

    /// Ends unlocking at login. Without a login key there is nothing to do.
    ///
    /// - Throws: `storageFailed` if the file stays.
    func disable() throws {
        isOutdated = false
        guard SmallFile.isThere(path) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
            try AtomicFile.synchronizeFolder(String(path.dropLast("/login-key".count)))
        } catch {
            throw WireError(.storageFailed, "\(path) cannot be removed, so a login may still unlock.")
        }
    }

    /// The state for `status`: `off`, `on`, `changed` or `damaged`.
    func state(keyring: Keyring?) -> String {
        do {
            guard let key = try read(), key.generation == keyring?.generation else { return "off" }
            return isOutdated ? "changed" : "on"
        } catch {
            return "damaged"
        }
    }

    /// How the key is derived from the login password.
    ///
    /// - Parameter locks: How often Latchkey was locked.
    /// - Throws: `notFound` where unlocking at login is not enabled; `storageFailed` where the file is damaged.
    func terms(keyring: Keyring?, locks: Int) throws -> Login.Terms.Answer {
        let key = try key(keyring)
        return .init(
            salt: LoginPassword.text(ofSalt: key.salt), memoryKiB: key.cost.memoryKiB,
            iterations: key.cost.iterations, parallelism: key.cost.parallelism, locks: locks)
    }

    /// The device key that a derived key opens.
    ///
    /// - Throws: the errors of `terms`; `invalidParams`; `wrongPassphrase` if the login password is another one.
    func deviceKey(derived text: SecretBytes, keyring: Keyring?) throws -> DeviceKey {
        let key = try key(keyring)
        guard let derived = LoginPassword.bytes(ofKey: text) else {
            throw WireError(.invalidParams, "A derived key has 64 hexadecimal digits.")
        }
        do {
            let deviceKey = try key.unlock(derived: derived)
            isOutdated = false
            return deviceKey
        } catch {
            // Other errors, such as a lack of memory, do not mean that the password has changed.
            if (error as? SecretsError)?.code == .wrongLoginPassword { isOutdated = true }
            throw WireError(saying: error)
        }
    }

    /// Goes on with a new login password, which the user gave together with the old one.
    ///
    /// - Throws: the errors of `deviceKey`; `storageFailed`, and the old password stays then.
    func rewrap(_ params: Login.Rewrap.Params, keyring: Keyring?) throws {
        let old = try key(keyring)
        let deviceKey = try deviceKey(derived: params.key.bytes, keyring: keyring)
        let (derived, salt) = try Self.read(params.newKey, params.newSalt)
        guard salt != old.salt else { throw WireError(.invalidParams, "A new password takes a new salt.") }
        try save(LoginKey(deviceKey, derived: derived, salt: salt, cost: old.cost))
    }

    private func key(_ keyring: Keyring?) throws -> LoginKey {
        do {
            guard let key = try read(), key.generation == keyring?.generation else {
                throw WireError(.notFound, "Unlocking at login is not enabled.", hint: "See `latchkey login enable`.")
            }
            return key
        } catch {
            throw WireError(saying: error)
        }
    }

    private func read() throws -> LoginKey? {
        guard SmallFile.isThere(path) else { return nil }
        guard let bytes = SmallFile.read(path, atMost: 1 << 16) else {
            throw WireError(.storageFailed, "\(path) cannot be read.")
        }
        return try LoginKey(decoding: bytes)
    }

    private func save(_ key: LoginKey) throws {
        do {
            try AtomicFile.write(key.encoded(), to: path)
        } catch {
            throw WireError(saying: error)
        }
        isOutdated = false
    }

    private static func read(_ key: WireSecret, _ salt: String) throws -> (SecretBytes, [UInt8]) {
        guard let derived = LoginPassword.bytes(ofKey: key.bytes), let salt = LoginPassword.bytes(ofSalt: salt) else {
            throw WireError(.invalidParams, "A derived key has 64 hexadecimal digits, and a salt 32.")
        }
        return (derived, salt)
    }
}
