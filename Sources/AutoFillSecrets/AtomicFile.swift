// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Replaces a small file so that, whatever happens, either the old or the new content is there.
public enum AtomicFile {
    /// Writes to a temporary file beside the target, waits for the disk, renames it, waits for the folder.
    ///
    /// When this returns, the new content survives a power cut. When it throws before the rename, which includes a full
    /// disk, the old file is as it was.
    ///
    /// - Parameters:
    ///   - path: Where to write. A symbolic link there is replaced, not followed; anything else is left alone.
    ///   - mode: The file's permissions, whatever the umask says.
    /// - Throws: `SecretsError` with `file`, the path in `context` and the errno in `systemError`.
    public static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600) throws {
        var there = stat()
        // A device or a pipe would go for everybody; root can do that.
        if lstat(path, &there) == 0, ![S_IFREG, S_IFLNK, S_IFDIR].contains(there.st_mode & S_IFMT) {
            throw SecretsError(.file, "the path is not a file", context: path, systemError: EEXIST)
        }
        let folder = folder(of: path)
        let suffix = KeyDerivation.publicRandom(count: 8).map { String($0, radix: 16) }.joined()
        let temporary = folder + "/.latchkey-\(suffix).tmp"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure("cannot make a file in the folder", temporary) }
        var isOpen = true
        do {
            try writeAll(bytes, to: file, path: path)
            guard fchmod(file, mode) == 0 else { throw failure("cannot set the permissions", path) }
            guard fsync(file) == 0 else { throw failure("cannot write to disk", path) }
            isOpen = false
            guard close(file) == 0 else { throw failure("cannot write to disk", path) }
            guard rename(temporary, path) == 0 else { throw failure("cannot replace the file", path) }
        } catch {
            if isOpen { _ = close(file) }
            _ = unlink(temporary)
            throw error
        }
        try synchronizeFolder(folder)
    }

    /// Waits until the names in a folder are on disk.
    ///
    /// - Throws: `SecretsError` with `file`.
    public static func synchronizeFolder(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("cannot open the folder", folder) }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("cannot write the folder to disk", folder) }
    }

    /// Makes an empty file with mode 0600 where there is none.
    ///
    /// - Returns: false when something is there already, which is left alone.
    /// - Throws: `SecretsError` with `file`.
    public static func createEmpty(at path: String) throws -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            if errno == EEXIST { return false }
            throw failure("cannot make the file", path)
        }
        guard close(file) == 0 else { throw failure("cannot make the file", path) }
        return true
    }

    /// Waits until a file's content is on disk, and its name too.
    ///
    /// - Throws: `SecretsError` with `file`.
    public static func synchronize(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw failure("cannot open the file", path) }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("cannot write to disk", path) }
        try synchronizeFolder(folder(of: path))
    }

    private static func folder(of path: String) -> String {
        guard let parent = path.pathParent else { return "." }
        return parent.isEmpty ? "/" : parent
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32, path: String) throws {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(file, buffer.baseAddress?.advanced(by: written), buffer.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("cannot write the file", path) }
            written += count
        }
    }

    private static func failure(_ what: String, _ path: String) -> SecretsError {
        let number = errno
        return SecretsError(
            .file,
            "\(what): \(String(cString: strerror(number)))",
            context: path,
            systemError: number
        )
    }
}
