// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation
internal import Synchronization

/// The file `$XDG_DATA_HOME/latchkey/keyring`. It is read at start, and always written whole.
final class KeyringFile: Sendable {
    private let path: String
    /// Held while the file is written. Nobody who only asks for the keyring waits for that.
    private let writing = Mutex(())
    private let current: Mutex<Keyring?>

    /// The keyring in the file; `nil` if there is no file.
    var keyring: Keyring? { current.withLock { $0 } }

    /// Reads the file.
    ///
    /// - Throws: an error when the file exists but cannot be read, so that it does not look like a new installation.
    init(path: String) throws {
        self.path = path
        guard let bytes = SmallFile.read(path, atMost: 1 << 16) else {
            guard !SmallFile.isThere(path) else {
                throw WireError(.storageFailed, "\(path) cannot be read.")
            }
            current = Mutex(nil)
            return
        }
        current = Mutex(try Keyring(decoding: bytes))
    }

    /// Writes a keyring; the old file stays if that fails. A registry count that has grown meanwhile is kept.
    func save(_ new: Keyring) throws {
        try write { old in old.map { new.counting(like: $0) } ?? new }
    }

    /// Stores the number of registry changes, if it is larger than the stored one.
    func count(_ registry: Int, _ deviceKey: DeviceKey) throws {
        try write { old in
            guard let old, try old.registryCount(deviceKey) < registry else { return nil }
            return try old.counting(deviceKey, registry: registry)
        }
    }

    private func write(_ change: (Keyring?) throws -> Keyring?) throws {
        try writing.withLock { _ in
            guard let new = try change(keyring) else { return }
            try AtomicFile.write(new.encoded(), to: path)
            current.withLock { $0 = new }
        }
    }
}
