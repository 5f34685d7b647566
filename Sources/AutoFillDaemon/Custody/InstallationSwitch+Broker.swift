// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC

extension InstallationSwitch {
    /// Finishes an interrupted switch for a daemon that runs; nothing is opened or written before.
    ///
    /// - Throws: `storageFailed` if that cannot be done.
    @DaemonActor static func finish(for broker: Broker) throws {
        let unfinished = InstallationSwitch(in: broker.directories)
        guard unfinished.isUnfinished else { return }
        try unfinished.finish()
        broker.keyringFile = try KeyringFile(path: broker.directories.data + "/keyring")
    }
}
