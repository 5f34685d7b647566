// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillSecrets
internal import AutoFillVault
internal import Foundation
internal import Glibc

/// The container of the provider: where its vault is, and where snapshots of it come and go.
struct VaultLocation: Sendable {
    static let snapshotToRestore = "restore.snapshot"
    static let refusedSnapshot = "restore.snapshot.refused"
    private static let snapshotPrefix = "snapshot-"
    private static let checkFolder = "restore.check"

    let container: String
    let key: SecretBytes

    /// A name for a new snapshot.
    static func newSnapshotName() -> String {
        snapshotPrefix + UUID().uuidString.lowercased()
    }

    func open() throws -> Vault {
        try Vault(folder: container, key: key)
    }

    /// Snapshots that nobody came for; a daemon that ended in between does not ask for them again.
    func removeLeftSnapshots() throws {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: container)) ?? []
        for file in files where file.hasPrefix(Self.snapshotPrefix) { unlink(path(file)) }
    }

    /// Puts `restore.snapshot` in the place of the vault, if it is there. False when it is not.
    ///
    /// A copy is opened first and every row of it checked. If that fails the snapshot is kept under another name, the
    /// vault stays, and the error says why.
    func restoreIfAsked() throws -> Bool {
        let snapshot = path(Self.snapshotToRestore)
        var information = stat()
        guard lstat(snapshot, &information) == 0 else { return false }
        do {
            guard information.st_mode & S_IFMT == S_IFREG else {
                throw CredentialManagingError(.storageFailed, "It is not a file.")
            }
            let checked = try check(snapshot)
            defer { try? FileManager.default.removeItem(atPath: path(Self.checkFolder)) }
            try putInPlace(checked)
        } catch {
            try? FileManager.default.removeItem(atPath: path(Self.checkFolder))
            rename(snapshot, path(Self.refusedSnapshot))
            let reason = CredentialManagingError(error)
            throw CredentialManagingError(
                reason.code,
                "The backup cannot be restored; nothing was changed. \(reason.message)",
                hint: "It was kept as \(path(Self.refusedSnapshot))."
            )
        }
        unlink(snapshot)
        return true
    }

    /// Opens a copy in a folder of its own and checks every row. The file's path is the answer.
    private func check(_ snapshot: String) throws -> String {
        let folder = path(Self.checkFolder)
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let copy = folder + "/" + Self.vaultName
        try FileManager.default.copyItem(atPath: snapshot, toPath: copy)
        guard chmod(copy, 0o600) == 0 else { throw Self.failure() }
        let vault = try Vault(folder: folder, key: key)
        // A vault of another name would be a new and empty one, and as sound as can be.
        guard vault.path == copy else {
            throw CredentialManagingError(.internalError, "The vault's file has another name.")
        }
        try vault.verify()
        vault.close()
        try synchronize(copy)
        return copy
    }

    /// Replaces the vault in one step, so that after a crash there is the old one or the new one.
    private func putInPlace(_ checked: String) throws {
        // A change that a crash interrupted is undone from the journal beside the vault, which belongs to the old file
        // and would be played into the new one. A vault that does not open has nothing left to lose by it.
        if let old = try? open() { old.close() }
        unlink(path(Self.vaultName + "-journal"))
        guard rename(checked, path(Self.vaultName)) == 0 else { throw Self.failure() }
        try synchronize(container)
    }

    private func synchronize(_ path: String) throws {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure() }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.failure() }
    }

    private static let vaultName = "vault.latchkey"

    private static func failure() -> CredentialManagingError {
        CredentialManagingError(.storageFailed, String(cString: strerror(errno)) + ".")
    }

    private func path(_ name: String) -> String { container + "/" + name }
}
