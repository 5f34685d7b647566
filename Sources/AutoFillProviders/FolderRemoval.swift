// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Glibc

/// Deletes a folder with untrusted content: folders in it may be nested deeper than a path can name, and have no permissions.
///
/// Each inner folder is first moved up into the top one, so that no path is longer than two names and three descriptors
/// are enough. Links are deleted and never followed.
package struct FolderRemoval {
    private let top: Int32
    /// Number of file systems above this one.
    private let depth: Int
    private let end: ContinuousClock.Instant
    private var moved = 0

    /// Deletes a folder and everything in it.
    ///
    /// - Parameter patience: Time limit. A process that still writes there could otherwise keep this busy forever.
    /// - Returns: Whether everything was deleted.
    package static func remove(_ path: String, patience: Duration = .seconds(30)) -> Bool {
        let top = openFolder(AT_FDCWD, path)
        if top >= 0 {
            var removal = FolderRemoval(top: top, depth: 0, end: .now + patience)
            removal.empty()
            close(top)
        }
        // The path is not a folder, but for instance a link.
        if rmdir(path) != 0, errno == ENOTDIR { unlink(path) }
        return !SmallFile.isThere(path)
    }

    private mutating func empty() {
        // Each round moves everything up by one level.
        while true {
            var isChanged = false
            for name in Self.names(in: top) where unlinkat(top, name, 0) != 0 && ContinuousClock.now < end {
                if flatten(name) { isChanged = true }
            }
            if !isChanged || ContinuousClock.now > end { return }
        }
    }

    /// Moves the content of an inner folder up and deletes the folder. Returns whether anything changed.
    private mutating func flatten(_ name: [CChar]) -> Bool {
        let folder = Self.openFolder(top, name)
        guard folder >= 0 else { return false }
        defer { close(folder) }
        var isChanged = false
        for inner in Self.names(in: folder) where unlinkat(folder, inner, 0) != 0 {
            // Moving a folder rewrites its `..` entry, so the folder has to be writable.
            fchmodat(folder, inner, 0o700, AT_SYMLINK_NOFOLLOW)
            var result: Int32
            repeat {
                moved += 1
                result = renameat(folder, inner, top, ".latchkey-\(moved)")
            } while result != 0 && (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR)
            if result == 0 || errno == EXDEV && removeOther(inner, in: folder) { isChanged = true }
        }
        return unlinkat(top, name, AT_REMOVEDIR) == 0 || isChanged
    }

    /// Deletes a folder that cannot be moved, because it is on another file system or on a lower layer of this one.
    private func removeOther(_ name: [CChar], in folder: Int32) -> Bool {
        let other = Self.openFolder(folder, name)
        guard other >= 0, depth < 16 else {
            if other >= 0 { close(other) }
            return false
        }
        var removal = FolderRemoval(top: other, depth: depth + 1, end: end)
        removal.empty()
        close(other)
        return unlinkat(folder, name, AT_REMOVEDIR) == 0
    }

    private static func openFolder(_ folder: Int32, _ name: UnsafePointer<CChar>) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let opened = openat(folder, name, flags)
        if opened >= 0 {
            fchmod(opened, 0o700)
            return opened
        }
        guard errno == EACCES else { return -1 }
        fchmodat(folder, name, 0o700, AT_SYMLINK_NOFOLLOW)
        return openat(folder, name, flags)
    }

    private static func names(in folder: Int32) -> [[CChar]] {
        // The stream closes its descriptor.
        guard let stream = fdopendir(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else { return [] }
        defer { closedir(stream) }
        var names: [[CChar]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                Array(bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) }) + [0]
            }
            if name != [46, 0], name != [46, 46, 0] { names.append(name) }
        }
        return names
    }
}
