// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation
internal import Synchronization

/// The file `$XDG_DATA_HOME/latchkey/keyring`. It is read at start, and always written whole.
final class KeyringFile: Sendable {
    private struct State {
        var keyring: Keyring?
        /// Whether the disk is known to hold it.
        var isSettled = true
    }

    private let path: String
    /// Why the file gave no keyring at start; `nil` if it gave one, or there is none.
    let problem: WireError?
    /// Held while the file is written. Nobody who only asks for the keyring waits for that.
    private let writing = Mutex(())
    private let state: Mutex<State>

    /// The keyring that counts; `nil` if there is none.
    var keyring: Keyring? { state.withLock { $0.keyring } }

    /// Whether the disk is known to hold that keyring. After a change that failed, a crash may leave the other one.
    var isSettled: Bool { state.withLock { $0.isSettled } }

    /// Reads the file.
    ///
    /// - Throws: an error when the file exists but cannot be read, so that it does not look like a new installation.
    init(path: String) throws {
        self.path = path
        problem = nil
        guard let bytes = SmallFile.read(path, atMost: 1 << 16) else {
            guard !SmallFile.isThere(path) else {
                throw WireError(.storageFailed, "\(path) cannot be read.")
            }
            state = Mutex(State())
            return
        }
        state = Mutex(State(keyring: try Keyring(decoding: bytes)))
    }

    private init(path: String, problem: WireError) {
        self.path = path
        self.problem = problem
        state = Mutex(State())
    }

    /// Reads the file at start. One that cannot be read gives no keyring, and `problem` says why.
    static func reading(_ path: String) -> KeyringFile {
        do {
            return try KeyringFile(path: path)
        } catch {
            return KeyringFile(path: path, problem: problem(error, path))
        }
    }

    private static func problem(_ error: any Error, _ path: String) -> WireError {
        var problem = WireError(saying: error)
        if problem.code == .storageFailed {
            if !problem.message.contains(path) {
                problem.message = "\(problem.message.prefix(1).uppercased())\(problem.message.dropFirst()) (\(path))."
            }
            problem.hint = "Put a backup in its place: `latchkey restore FILE --replace`."
        } else {
            problem.hint = problem.hint ?? "Update Latchkey."
        }
        return problem
    }

    /// What is wrong with the file now; `nil` if it can be read.
    func check() -> WireError? {
        guard keyring != nil || problem != nil else { return nil }
        do {
            let file = try KeyringFile(path: path)
            return file.keyring == nil ? WireError(.storageFailed, "The keyring is missing (\(path)).") : nil
        } catch {
            return Self.problem(error, path)
        }
    }

    /// Writes the keyring in memory again.
    func rewrite() throws {
        try writing.withLock { _ in
            if let keyring { try AtomicFile.write(keyring.encoded(), to: path) }
        }
    }

    /// Writes a keyring; the old one counts if that fails. A registry count that has grown meanwhile is kept.
    ///
    /// - Throws: `SecretsError` with `unsettled` if it is not known which of the two a crash leaves; `settle` tries again.
    func save(_ new: Keyring) throws {
        do {
            try write { old in old.map { new.counting(like: $0) } ?? new }
        } catch {
            if (error as? SecretsError)?.code == .unsettled { state.withLock { $0.isSettled = false } }
            throw error
        }
    }

    /// Writes what counts once more, where it is not known whether the disk holds it. False while it still is not.
    func settle() -> Bool {
        writing.withLock { _ in
            guard !isSettled else { return true }
            do {
                if let keyring {
                    try AtomicFile.write(keyring.encoded(), to: path)
                } else {
                    try AtomicFile.remove(path)
                }
                state.withLock { $0.isSettled = true }
                return true
            } catch {
                return false
            }
        }
    }

    /// Stores the number of registry changes, if it is larger than the stored one.
    func count(_ registry: Int, _ deviceKey: DeviceKey) throws {
        // Passphrase and recovery code are the same in both, so a failure leaves nothing unknown that was known.
        try write { old in
            guard let old, try old.registryCount(deviceKey) < registry else { return nil }
            return try old.counting(deviceKey, registry: registry)
        }
    }

    private func write(_ change: (Keyring?) throws -> Keyring?) throws {
        try writing.withLock { _ in
            guard let new = try change(keyring) else { return }
            try AtomicFile.write(new.encoded(), to: path)
            state.withLock { $0 = State(keyring: new) }
        }
    }
}
