// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Glibc
internal import PasswordsModel

/// The settings of the app's window: each that is on has a file without contents in the folder of Latchkey's settings.
struct SettingsFiles: WindowSettings {
    private let returning: String

    init(_ directories: Directories) {
        returning = directories.config + "/app-returns-at-lock"
    }

    var returnsAtLock: Bool { SmallFile.isThere(returning) }

    func setReturnsAtLock(_ isOn: Bool) throws {
        if isOn {
            try AtomicFile.write([], to: returning)
        } else if unlink(returning) != 0, errno != ENOENT {
            throw WireError(.storageFailed, "The setting cannot be taken away.")
        }
    }
}
