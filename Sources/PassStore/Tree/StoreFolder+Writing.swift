// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension StoreFolder {
    /// Writes a new entry, in one step and for good; folders that are missing are made.
    ///
    /// - Throws: `PassStoreError` with `exists` when there is something of this name, which is left as it is.
    public func add(_ bytes: [UInt8], as name: EntryName) throws(PassStoreError) {
        let folder = try open(name.folders, making: true)
        defer { close(folder) }
        let temporary = try writeTemporary(bytes, in: folder)
        defer { unlinkat(folder, temporary, 0) }
        // A link, unlike a renaming, never replaces what is there.
        guard linkat(folder, temporary, folder, name.file, 0) == 0 else {
            if errno == EEXIST { throw PassStoreError(.exists, "There is an entry of this name already.") }
            throw Self.failure("The entry cannot be written")
        }
        fsync(folder)
    }

    /// Replaces an entry, in one step and for good, if it still is what the caller has seen.
    ///
    /// - Throws: `PassStoreError` with `changed` when it is not.
    public func replace(_ seen: [UInt8], with bytes: [UInt8], in name: EntryName) throws(PassStoreError) {
        let folder = try open(name.folders)
        defer { close(folder) }
        let temporary = try writeTemporary(bytes, in: folder)
        var isDone = false
        defer { if !isDone { unlinkat(folder, temporary, 0) } }
        try requireSeen(seen, name)
        guard renameat(folder, temporary, folder, name.file) == 0 else {
            throw Self.failure("The entry cannot be replaced")
        }
        isDone = true
        fsync(folder)
    }

    /// Removes an entry if it still is what the caller has seen, and folders that are empty then, as pass does.
    public func remove(_ seen: [UInt8], _ name: EntryName) throws(PassStoreError) {
        try requireSeen(seen, name)
        var folders = name.folders
        let folder = try open(folders)
        defer { close(folder) }
        guard unlinkat(folder, name.file, 0) == 0 else { throw Self.failure("The entry cannot be removed") }
        fsync(folder)
        while let last = folders.popLast(), let above = try? open(folders) {
            defer { close(above) }
            guard unlinkat(above, last, AT_REMOVEDIR) == 0 else { return }
        }
    }

    private func requireSeen(_ seen: [UInt8], _ name: EntryName) throws(PassStoreError) {
        guard try ciphertext(of: name) == seen else {
            throw PassStoreError(.changed, "Another program changed the entry meanwhile; nothing was changed.")
        }
    }

    /// A file with the bytes on disk, of a name that pass and this room pass over.
    private func writeTemporary(_ bytes: [UInt8], in folder: Int32) throws(PassStoreError) -> String {
        let name = ".latchkey-\(String(UInt64.random(in: .min ... .max), radix: 16)).tmp"
        let file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Self.failure("The store cannot be written") }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                write(file, buffer.baseAddress?.advanced(by: written), buffer.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = Self.failure("The store cannot be written")
                close(file)
                unlinkat(folder, name, 0)
                throw failure
            }
            written += count
        }
        guard fsync(file) == 0, close(file) == 0 else {
            let failure = Self.failure("The store cannot be written")
            unlinkat(folder, name, 0)
            throw failure
        }
        return name
    }
}
