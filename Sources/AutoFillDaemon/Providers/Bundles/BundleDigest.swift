// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Crypto
internal import Foundation
internal import Glibc

/// The digest of everything in a bundle: what the user enabled is what runs.
struct BundleDigest: Sendable {
    /// Files of one bundle, at most; beyond it the bundle is refused rather than half looked at.
    private static let fileLimit = 20_000

    private struct Entry: Equatable {
        let path: String
        /// What shows that a file is the same as when it was read: a change of content changes the last of these.
        let facts: [Int64]
    }

    private struct Known {
        let entries: [Entry]
        let digest: String
    }

    private var known: [String: Known] = [:]

    /// SHA-256 in hexadecimal over the names, kinds, executable bits and contents of all files below a folder.
    ///
    /// Reads contents only when something about a file has changed since the last time. Throws `storageFailed` for what
    /// cannot be read, and for links that lead out of the folder.
    mutating func digest(of root: String) throws(WireError) -> String {
        let entries = try Self.entries(below: root)
        if let known = known[root], known.entries == entries { return known.digest }
        var hash = SHA256()
        for entry in entries {
            hash.update(data: Data(entry.path.utf8) + [0])
            try Self.add(entry, of: root, to: &hash)
        }
        let digest = hash.finalize().map { String(format: "%02x", $0) }.joined()
        known[root] = Known(entries: entries, digest: digest)
        return digest
    }

    private static func entries(below root: String) throws(WireError) -> [Entry] {
        guard let walk = FileManager.default.enumerator(atPath: root) else {
            throw WireError(.storageFailed, "\(root) cannot be read.")
        }
        var entries: [Entry] = []
        for case let path as String in walk {
            var information = stat()
            guard lstat(root + "/" + path, &information) == 0 else {
                throw WireError(.storageFailed, "\(root)/\(path) cannot be read.")
            }
            guard entries.count < fileLimit else {
                throw WireError(.storageFailed, "\(root) has more than \(fileLimit) files.")
            }
            entries.append(
                Entry(
                    path: path,
                    facts: [
                        Int64(information.st_mode), Int64(information.st_dev), Int64(information.st_ino),
                        Int64(information.st_size), Int64(information.st_mtim.tv_sec),
                        Int64(information.st_mtim.tv_nsec), Int64(information.st_ctim.tv_sec),
                        Int64(information.st_ctim.tv_nsec),
                    ]))
        }
        return entries.sorted { $0.path < $1.path }
    }

    private static func add(_ entry: Entry, of root: String, to hash: inout SHA256) throws(WireError) {
        let path = root + "/" + entry.path
        switch mode_t(entry.facts[0]) & S_IFMT {
        case S_IFREG:
            hash.update(data: Data([mode_t(entry.facts[0]) & S_IXUSR != 0 ? 2 : 1]))
            guard let file = FileHandle(forReadingAtPath: path) else {
                throw WireError(.storageFailed, "\(path) cannot be read.")
            }
            defer { try? file.close() }
            // The length first, so that no two trees of files read as the same bytes.
            hash.update(data: withUnsafeBytes(of: entry.facts[3].littleEndian) { Data($0) })
            do {
                while let part = try file.read(upToCount: 1 << 20), !part.isEmpty { hash.update(data: part) }
            } catch {
                throw WireError(.storageFailed, "\(path) cannot be read.")
            }
        case S_IFDIR:
            hash.update(data: Data([3]))
        case S_IFLNK:
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path),
                isInside(target, from: entry.path)
            else { throw WireError(.storageFailed, "\(path) is a link that leads out of the bundle.") }
            hash.update(data: Data([4]) + Data(target.utf8) + [0])
        default:
            throw WireError(.storageFailed, "\(path) is neither file nor folder.")
        }
    }

    /// Whether a relative link stays below the folder, going step by step.
    private static func isInside(_ target: String, from path: String) -> Bool {
        guard !target.hasPrefix("/") else { return false }
        var depth = path.split(separator: "/").count - 1
        for component in target.split(separator: "/") {
            switch component {
            case "..": depth -= 1
            case ".": continue
            default: depth += 1
            }
            if depth < 0 { return false }
        }
        return true
    }
}
