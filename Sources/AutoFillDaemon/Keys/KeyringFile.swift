// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation
internal import Synchronization

/// `$XDG_DATA_HOME/latchkey/keyring`: read at start, written whole.
final class KeyringFile: Sendable {
    private let path: String
    private let current: Mutex<Keyring?>

    /// What the file holds; `nil` where there is none.
    var keyring: Keyring? { current.withLock { $0 } }

    /// Reads the file; one that is there but cannot be read throws rather than looking like a new installation.
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

    /// Writes a keyring; what was there stays when that fails. What was counted meanwhile stays counted.
    func save(_ new: Keyring) throws {
        try current.withLock { current in
            let new = current.map { new.counting(like: $0) } ?? new
            try AtomicFile.write(new.encoded(), to: path)
            current = new
        }
    }

    /// Counts changes of the registry, if there are more of them.
    func count(_ registry: Int, _ deviceKey: DeviceKey) throws {
        try current.withLock { current in
            guard let old = current, try old.registryCount(deviceKey) < registry else { return }
            let new = try old.counting(deviceKey, registry: registry)
            try AtomicFile.write(new.encoded(), to: path)
            current = new
        }
    }
}
