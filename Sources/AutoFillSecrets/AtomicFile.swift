// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Replaces a small file so that, whatever happens, either the old or the new content is there.
public enum AtomicFile {
    /// Writes to a temporary file beside the target, waits for the disk, renames it, waits for the folder.
    ///
    /// When this returns, the new content survives a power cut. When it throws, the old file is as it was, on disk too: it keeps a second
    /// name until the folder is on disk, and is put back by that. Only with `unsettled` it is not known which of the two files a crash
    /// leaves; the old one is there meanwhile, unless it could not be put back either.
    ///
    /// - Parameters:
    ///   - path: Where to write. A symbolic link there is replaced, not followed; anything else is left alone.
    ///   - mode: The file's permissions, whatever the umask says.
    /// - Throws: `SecretsError` with `file` or `unsettled`, the path in `context` and the errno in `systemError`.
    public static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600) throws {
        var there = stat()
        let isThere = lstat(path, &there) == 0
        // A device or a pipe would go for everybody; root can do that.
        if isThere, ![S_IFREG, S_IFLNK, S_IFDIR].contains(there.st_mode & S_IFMT) {
            throw SecretsError(.file, "the path is not a file", context: path, systemError: EEXIST)
        }
        let folder = folder(of: path)
        let opened = try openFolder(folder)
        defer { _ = close(opened) }
        let (temporary, file) = try makeTemporary(in: folder)
        defer { _ = close(file) }
        var kept: String?
        do {
            guard bytes.withUnsafeBytes({ FileCalls.writeAll($0, to: file) }) else {
                throw failure("cannot write the file", path)
            }
            guard fchmod(file, mode) == 0 else { throw failure("cannot set the permissions", path) }
            guard FileCalls.synchronize(file) == 0 else { throw failure("cannot write to disk", path) }
            if isThere { kept = try keep(path, in: folder) }
            guard FileCalls.rename(temporary, path) == 0 else { throw failure("cannot replace the file", path) }
        } catch {
            for name in [temporary, kept] { _ = name.map(FileCalls.unlink) }
            throw error
        }
        if FileCalls.synchronize(opened) != 0 {
            let refusal = failure("cannot write the folder to disk", folder)
            // Without a second name the old file is gone, unless there was none.
            let isBack = kept.map { FileCalls.rename($0, path) == 0 } ?? (!isThere && FileCalls.unlink(path) == 0)
            guard isBack, FileCalls.synchronize(opened) == 0 else {
                throw SecretsError(
                    .unsettled, "the disk failed, and it is not known whether it has the change", context: path,
                    systemError: refusal.systemError)
            }
            throw refusal
        }
        if let kept { _ = FileCalls.unlink(kept) }
    }

    /// Removes a file, and waits until that is on disk.
    ///
    /// - Throws: `SecretsError` with `file`; the file may be gone all the same.
    public static func remove(_ path: String) throws {
        guard FileCalls.unlink(path) == 0 || errno == ENOENT else { throw failure("cannot remove the file", path) }
        try synchronizeFolder(folder(of: path))
    }

    /// Gives a file a second name, so that it outlives its replacement. `nil` in file systems that know no second names.
    private static func keep(_ path: String, in folder: String) throws -> String? {
        let name = temporaryName(in: folder)
        if FileCalls.link(path, name) == 0 { return name }
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw failure("cannot keep the file", path) }
        return nil
    }

    /// Waits until the names in a folder are on disk.
    ///
    /// - Throws: `SecretsError` with `file`.
    public static func synchronizeFolder(_ folder: String) throws {
        let descriptor = try openFolder(folder)
        defer { _ = close(descriptor) }
        guard FileCalls.synchronize(descriptor) == 0 else { throw failure("cannot write the folder to disk", folder) }
    }

    /// Makes an empty file with mode 0600 where there is none.
    ///
    /// - Returns: false when something is there already, which is left alone.
    /// - Throws: `SecretsError` with `file`.
    public static func createEmpty(at path: String) throws -> Bool {
        let file = FileCalls.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
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
        let descriptor = FileCalls.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw failure("cannot open the file", path) }
        defer { _ = close(descriptor) }
        guard FileCalls.synchronize(descriptor) == 0 else { throw failure("cannot write to disk", path) }
        try synchronizeFolder(folder(of: path))
    }

    private static func openFolder(_ folder: String) throws -> Int32 {
        let descriptor = FileCalls.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("cannot open the folder", folder) }
        return descriptor
    }

    private static func folder(of path: String) -> String {
        guard let parent = path.pathParent else { return "." }
        return parent.isEmpty ? "/" : parent
    }

    static func failure(_ what: String, _ path: String) -> SecretsError {
        let number = errno
        return SecretsError(
            .file,
            "\(what): \(String(cString: strerror(number)))",
            context: path,
            systemError: number
        )
    }
}
