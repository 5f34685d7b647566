// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

/// `$XDG_DATA_HOME/latchkey/keyring`: read at start, written whole.
struct KeyringFile: Sendable {
    private let path: String
    private(set) var keyring: Keyring?

    /// Reads the file; one that is there but cannot be read throws rather than looking like a new installation.
    init(path: String) throws {
        self.path = path
        guard let bytes = SmallFile.read(path, atMost: 1 << 16) else {
            guard !FileManager.default.fileExists(atPath: path) else {
                throw WireError(.storageFailed, "\(path) cannot be read.")
            }
            return
        }
        keyring = try Keyring(decoding: bytes)
    }

    /// Writes a keyring; what was there stays when that fails.
    mutating func save(_ new: Keyring) throws {
        try AtomicFile.write(new.encoded(), to: path)
        keyring = new
    }
}
