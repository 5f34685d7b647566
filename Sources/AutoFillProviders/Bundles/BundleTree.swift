// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets
internal import Glibc

/// Everything below a bundle's folder, within bounds.
///
/// Each folder and file is opened by its name inside its open parent, and links are not followed. So everything read
/// lies in the bundle, even if paths are exchanged meanwhile. A file counts by its nominal size, even if it is sparse.
package struct BundleTree: Sendable {
    /// The limits for a bundle; one that exceeds them is refused as a whole.
    package struct Bounds: Sendable {
        /// Files, folders and links together.
        package var entries = 20_000
        /// Folders inside one another.
        package var depth = 32
        /// Maximum length of a path below the bundle's folder, in bytes.
        package var path = 1_024
        /// Maximum size of one file and of all files together, in bytes.
        package var file: Int64 = 512 << 20
        package var total: Int64 = 512 << 20
    }

    package struct Entry: Equatable, Sendable {
        package let path: String
        /// File attributes that identify an unchanged file; a change of content changes the last of them.
        package let facts: [Int64]
        /// The target of a link, as written in the link.
        package let target: String?

        package var kind: UInt32 { mode_t(facts[0]) & S_IFMT }
        package var isExecutable: Bool { mode_t(facts[0]) & S_IXUSR != 0 }
        package var size: Int64 { facts[3] }
    }

    package let root: String
    /// Sorted by path.
    package let entries: [Entry]

    /// Walks through the folder.
    ///
    /// - Throws: `storageFailed` with a reason for the bundle's author.
    package init(below root: String, bounds: Bounds = Bounds()) throws(WireError) {
        self.root = root
        var entries: [Entry] = []
        var total: Int64 = 0
        var waiting = [""]
        while let folder = waiting.popLast() {
            guard folder.pathParts.count <= bounds.depth else {
                throw Self.failure(root, "has folders more than \(bounds.depth) deep")
            }
            let names = try Self.names(in: folder, of: root, atMost: bounds.entries - entries.count)
            for (name, information, target) in names {
                let path = folder.isEmpty ? name : folder + "/" + name
                guard path.utf8.count <= bounds.path else {
                    throw Self.failure(root, "has a path of more than \(bounds.path) bytes")
                }
                let entry = Entry(path: path, facts: Self.facts(information), target: target)
                switch entry.kind {
                case S_IFDIR: waiting.append(path)
                case S_IFREG:
                    guard entry.size <= bounds.file else {
                        throw Self.failure(root, "has a file of more than \(bounds.file >> 20) MiB: \(path)")
                    }
                    total += entry.size
                    guard total <= bounds.total else {
                        throw Self.failure(root, "has more than \(bounds.total >> 20) MiB")
                    }
                case S_IFLNK: break
                default: throw Self.failure(root, "has something that is neither file nor folder: \(path)")
                }
                entries.append(entry)
            }
        }
        self.entries = entries.sorted { $0.path < $1.path }
        try refuseLinksThatLeave()
    }

    /// Opens a file if it is the same one that was found before. The caller closes it.
    package func open(_ entry: Entry) throws(WireError) -> Int32 {
        let folder = entry.path.pathParent ?? ""
        let name = entry.path.lastPathPart
        let parent = try Self.folder(folder, of: root)
        defer { close(parent) }
        let file = openat(parent, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw Self.failure(root, "has a file that cannot be read: \(entry.path)") }
        var information = stat()
        guard fstat(file, &information) == 0, Self.facts(information) == entry.facts else {
            close(file)
            throw Self.failure(root, "changes while it is read: \(entry.path)")
        }
        return file
    }

    /// Refuses links that lead out of the bundle.
    ///
    /// A link has to lead through folders of the bundle to something in the bundle. It may not lead through another
    /// link, because `d/..` is somewhere else if `d` is a link.
    private func refuseLinksThatLeave() throws(WireError) {
        let kinds = Dictionary(entries.map { ($0.path, $0.kind) }, uniquingKeysWith: { first, _ in first })
        for entry in entries {
            guard let target = entry.target else { continue }
            var place = Array(entry.path.pathParts.dropLast())
            var isInside = target.utf8.first != 0x2F && !target.isEmpty && target.utf8.count <= 1_024
            let components = target.pathParts.filter { $0 != "." }
            for (number, component) in components.enumerated() where isInside {
                if component == ".." {
                    isInside = !place.isEmpty
                    if isInside { place.removeLast() }
                } else {
                    place.append(component)
                    let kind = kinds[place.joined(separator: "/")]
                    isInside = number + 1 == components.count ? kind != nil : kind == S_IFDIR
                }
            }
            guard isInside else {
                throw Self.failure(
                    root, "has a link that leads out of it, nowhere, or through another link: \(entry.path)")
            }
        }
    }

    private static func facts(_ information: stat) -> [Int64] {
        [
            Int64(information.st_mode), Int64(bitPattern: UInt64(information.st_dev)),
            Int64(bitPattern: UInt64(information.st_ino)),
            Int64(information.st_size), Int64(information.st_mtim.tv_sec), Int64(information.st_mtim.tv_nsec),
            Int64(information.st_ctim.tv_sec), Int64(information.st_ctim.tv_nsec),
        ]
    }

    /// The entries of a folder: their names, attributes, and the targets of links.
    private static func names(
        in folder: String, of root: String, atMost limit: Int
    ) throws(WireError) -> [(String, stat, String?)] {
        let descriptor = try self.folder(folder, of: root)
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            throw failure(root, "cannot be read: \(folder)")
        }
        defer { closedir(stream) }
        var found: [(String, stat, String?)] = []
        while let entry = readdir(stream) {
            // File names are bytes. A name that is not UTF-8 cannot be shown to the user, so it is refused.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let name else { throw failure(root, "has a name that is not text") }
            if name == "." || name == ".." { continue }
            guard found.count < limit else { throw failure(root, "has too many files") }
            var information = stat()
            guard fstatat(dirfd(stream), name, &information, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw failure(root, "changes while it is read: \(name)")
            }
            var target: String?
            if information.st_mode & S_IFMT == S_IFLNK {
                var buffer = [CChar](repeating: 0, count: 2_048)
                let count = readlinkat(dirfd(stream), name, &buffer, buffer.count)
                guard count > 0, count < buffer.count,
                    let text = String(validating: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
                else { throw failure(root, "has a link that cannot be read: \(name)") }
                target = text
            }
            found.append((name, information, target))
        }
        return found
    }

    /// Opens a folder step by step, each inside its parent, and only on the bundle's own file system.
    private static func folder(_ path: String, of root: String) throws(WireError) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
        var current = Glibc.open(root, flags)
        guard current >= 0 else { throw failure(root, "cannot be read") }
        var base = stat()
        fstat(current, &base)
        for component in path.pathParts {
            let next = openat(current, component, flags)
            close(current)
            guard next >= 0 else { throw failure(root, "has a folder that cannot be read: \(path)") }
            var information = stat()
            guard fstat(next, &information) == 0, information.st_dev == base.st_dev else {
                close(next)
                throw failure(root, "has another file system in it: \(path)")
            }
            current = next
        }
        return current
    }

    private static func failure(_ root: String, _ reason: String) -> WireError {
        WireError(.storageFailed, "\(root) \(reason).", reason: reason)
    }
}
