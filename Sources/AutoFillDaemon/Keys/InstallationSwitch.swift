// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation
internal import Glibc

/// Puts a whole installation (keyring, registry, containers, groups) in the place of the present one, and keeps the present one aside.
///
/// The new installation is complete in a folder of its own in the data folder. One rename, of that folder to `switching`, decides: before
/// it nothing has changed, after it every start ends with the new installation in place. The moves behind it write no data, and each can
/// be repeated. `docs/vault-format.md`, section 6, states the order.
struct InstallationSwitch {
    /// The parts of an installation. The new one has each of them; folders may be empty.
    private static let parts = ["containers", "groups", "registry", "keyring"]
    /// Files that belong to the present keyring and registry, and that no new installation has.
    private static let leftovers = ["login-key", "registry.next"]

    private let data: String
    private let identities: String
    /// rename(2). Tests fail it.
    var renaming: (_ old: String, _ new: String) -> Int32 = { rename($0, $1) }
    private var switching: String { data + "/switching" }
    /// The folder for the present installation while it is moved.
    private var replacing: String { data + "/replacing" }

    init(in directories: Directories) {
        data = directories.data
        identities = directories.state + "/identities"
    }

    /// Whether a switch was decided and is not finished.
    var isUnfinished: Bool { SmallFile.isThere(switching) || SmallFile.isThere(replacing) }

    /// Switches to the installation in a folder.
    ///
    /// - Parameter folder: a folder in the data folder, complete and on disk. It is gone afterwards.
    /// - Throws: `storageFailed`. The message says whether nothing was changed, or the switch is finished at the next unlock.
    func perform(from folder: String) throws {
        for name in Self.leftovers { _ = unlink(folder + "/" + name) }
        for name in ["containers", "groups"] { try Directories.makePrivate(folder + "/" + name) }
        try Directories.makePrivate(replacing)
        do {
            try move(folder, switching)
            try AtomicFile.synchronizeFolder(data)
            try moveParts()
        } catch {
            guard goBack(to: folder) else {
                throw WireError(
                    .storageFailed,
                    "The disk failed while the data were exchanged (\(Self.reason(error))). All of them are there, in \(data).",
                    hint: "Make room if the disk is full, and run `latchkey unlock`: it finishes the restore.")
            }
            throw WireError(.storageFailed, "Nothing was changed: \(Self.reason(error)).")
        }
        // The new installation is in place. What is left to do is repeated at the next start if it fails now.
        try? tidy()
    }

    /// Finishes a switch that was interrupted. Without one there is nothing to do.
    ///
    /// - Throws: `storageFailed` when a part cannot be moved; then nothing may be opened or written.
    func finish() throws {
        guard isUnfinished else { return }
        do {
            if SmallFile.isThere(switching) {
                try Directories.makePrivate(replacing)
                try moveParts()
            }
            try tidy()
        } catch {
            throw WireError(
                .storageFailed, "A restore that was interrupted cannot be finished: \(Self.reason(error)).",
                hint: "All data are in \(data). Make room there if the disk is full, and run `latchkey unlock`.")
        }
    }

    private func moveParts() throws {
        for name in Self.leftovers where SmallFile.isThere(data + "/" + name) {
            try move(data + "/" + name, replacing + "/" + name)
        }
        for name in Self.parts where SmallFile.isThere(switching + "/" + name) {
            if SmallFile.isThere(data + "/" + name) { try move(data + "/" + name, replacing + "/" + name) }
            try move(switching + "/" + name, data + "/" + name)
        }
    }

    /// Moves everything back. False if a move fails; then `finish` goes forward from there.
    private func goBack(to folder: String) -> Bool {
        do {
            if SmallFile.isThere(switching) {
                for name in Self.parts.reversed() where !SmallFile.isThere(switching + "/" + name) {
                    try move(data + "/" + name, switching + "/" + name)
                }
                for name in Self.parts.reversed() + Self.leftovers where SmallFile.isThere(replacing + "/" + name) {
                    try move(replacing + "/" + name, data + "/" + name)
                }
                try move(switching, folder)
                try AtomicFile.synchronizeFolder(data)
            }
            _ = rmdir(replacing)
            return true
        } catch {
            return false
        }
    }

    /// Gives the old installation its name and removes what describes it.
    private func tidy() throws {
        if SmallFile.isThere(switching) { try FileManager.default.removeItem(atPath: switching) }
        // The identity stores describe the replaced vault; providers fill new ones.
        if SmallFile.isThere(identities) { try FileManager.default.removeItem(atPath: identities) }
        // A login must not open what was put aside.
        _ = unlink(replacing + "/login-key")
        if SmallFile.isThere(replacing), rmdir(replacing) != 0 {
            let next = (Self.replaced(in: data).map(\.number).max() ?? 0) + 1
            try move(replacing, "\(data)/replaced-\(next)")
        }
        try AtomicFile.synchronizeFolder(data)
    }

    private func move(_ old: String, _ new: String) throws {
        guard renaming(old, new) == 0 else {
            throw WireError(
                .storageFailed, "\(old.lastPathPart) cannot be moved: \(String(cString: strerror(errno)))")
        }
    }

    private static func reason(_ error: any Error) -> String {
        (error as? SecretsError)?.reason ?? WireError(saying: error).message
    }

    // MARK: What was replaced

    /// The installations that were replaced and are kept, oldest first.
    static func replaced(in data: String) -> [ReplacedInstallation] {
        let prefix = "replaced-"
        return (SmallFile.names(in: data, atMost: 10_000) ?? []).compactMap { name in
            guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)), number > 0,
                name == prefix + String(number)
            else { return nil }
            var information = stat()
            guard lstat(data + "/" + name, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else {
                return nil
            }
            return ReplacedInstallation(
                number: number, path: data + "/" + name, date: Int64(information.st_ctim.tv_sec))
        }.sorted { $0.number < $1.number }
    }
}
