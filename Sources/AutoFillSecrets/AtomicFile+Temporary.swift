// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Files under a name for the time of a change. What a kill leaves of them is removed at the next start.
extension AtomicFile {
    private static let prefix = ".latchkey-"
    private static let suffix = ".tmp"
    /// Maximum number of names that are tried, and of entries of a folder that are looked at.
    private static let (attemptLimit, entryLimit) = (8, 20_000)

    /// A new name beside a file, of the kind that `removeLeft` finds.
    public static func temporaryName(in folder: String) -> String {
        folder + "/" + prefix + KeyDerivation.publicRandom(count: 8).map { String($0, radix: 16) }.joined() + suffix
    }

    /// Makes a file under such a name. It is locked as long as it is open, so that no other process removes it.
    static func makeTemporary(in folder: String) throws -> (path: String, file: Int32) {
        for _ in 0..<attemptLimit {
            let path = temporaryName(in: folder)
            let file = FileCalls.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { throw failure("cannot make a file in the folder", path) }
            var information = stat()
            // A file system may know no locks. Another holder was about to remove it, or has.
            let isLocked = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
            if isLocked, fstat(file, &information) == 0, information.st_nlink > 0 { return (path, file) }
            _ = unlink(path)
            _ = close(file)
        }
        throw SecretsError(.file, "cannot make a file in the folder", context: folder, systemError: EBUSY)
    }

    /// Removes the files that killed processes have left in folders and in the folders below them, those of a folder before those below it.
    ///
    /// - Parameters:
    ///   - depth: How many levels of folders below the given ones to look into. Symbolic links are not followed.
    /// - Returns: The names of those that could not be removed.
    public static func removeLeft(in folders: [String], depth: Int) -> [String] {
        var failed: [String] = []
        var open = folders.map { (path: $0, level: 0) }[...]
        var count = 0
        while let (path, level) = open.popFirst() {
            let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            guard let stream = fdopendir(descriptor) else {
                _ = close(descriptor)
                continue
            }
            defer { _ = closedir(stream) }
            while count < entryLimit, let entry = readdir(stream) {
                count += 1
                let kind = Int(entry.pointee.d_type)
                let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if kind == DT_DIR, level < depth, name != ".", name != ".." {
                    open.append((path + "/" + name, level + 1))
                } else if kind != DT_DIR, isTemporary(name), !remove(name, in: descriptor) {
                    failed.append(path + "/" + name)
                }
            }
        }
        return failed
    }

    private static func isTemporary(_ name: String) -> Bool {
        // SQLite adds the second one for a database.
        name.utf8.starts(with: prefix.utf8) && [suffix, suffix + "-journal"].contains { name.hasSuffix($0) }
    }

    /// Removes a file unless the process that writes it still runs. False when it could not be removed.
    private static func remove(_ name: String, in folder: Int32) -> Bool {
        let file = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        defer { if file >= 0 { _ = close(file) } }
        if file >= 0, flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return true }
        return unlinkat(folder, name, 0) == 0 || errno == ENOENT
    }
}
