// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillSecrets
internal import AutoFillVault
internal import Foundation
internal import Glibc

/// The container of the provider: where its vault is, and where snapshots of it are written.
struct VaultLocation: Sendable {
    private static let snapshotPrefix = "snapshot-"

    let container: String
    let key: SecretBytes

    /// A name for a new snapshot.
    static func newSnapshotName() -> String {
        snapshotPrefix + UUID().uuidString.lowercased()
    }

    func open() throws -> Vault {
        try Vault(folder: container, key: key)
    }

    /// Opens a damaged vault, to read what can be read.
    func openDamaged() throws -> Vault {
        try Vault(salvaging: container, key: key)
    }

    /// Snapshots that nobody came for; a daemon that ended in between does not ask for them again.
    func removeLeftSnapshots() throws {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: container)) ?? []
        for file in files where file.hasPrefix(Self.snapshotPrefix) { unlink(path(file)) }
    }

    private func path(_ name: String) -> String { container + "/" + name }
}
