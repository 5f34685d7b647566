// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import Crypto
internal import Foundation
internal import Glibc

/// The digest of everything in a bundle, which ensures that the bundle the user enabled is the one that runs.
package struct BundleDigest: Sendable {
    /// The digested entries, compared to skip reading unchanged contents again.
    private let entries: [BundleTree.Entry]
    /// SHA-256 in hexadecimal.
    package let text: String

    /// Digests the names, kinds, executable bits and contents of all files below a folder.
    ///
    /// Contents are read only if something about a file has changed since `known`.
    ///
    /// - Parameter known: The digest of the last time.
    /// - Throws: `storageFailed` when something cannot be read, when the bundle exceeds its bounds, or when a link
    ///   leads out of the folder.
    package init(of root: String, known: BundleDigest? = nil, bounds: BundleTree.Bounds = .init()) throws(WireError) {
        let tree = try BundleTree(below: root, bounds: bounds)
        entries = tree.entries
        if let known, known.entries == tree.entries {
            text = known.text
            return
        }
        var hash = SHA256()
        for entry in tree.entries {
            hash.update(data: Data(entry.path.utf8) + [0])
            switch entry.kind {
            case S_IFREG: try Self.add(entry, of: tree, to: &hash)
            case S_IFDIR: hash.update(data: Data([3]))
            // `BundleTree` admits only links besides files and folders.
            default: hash.update(data: Data([4]) + Data((entry.target ?? "").utf8) + [0])
            }
        }
        text = hash.finalize().map { String(format: "%02x", $0) }.joined()
    }

    private static func add(_ entry: BundleTree.Entry, of tree: BundleTree, to hash: inout SHA256) throws(WireError) {
        hash.update(data: Data([entry.isExecutable ? 2 : 1]))
        // The length comes first, so that no two different trees feed the same bytes to the hash.
        hash.update(data: withUnsafeBytes(of: entry.size.littleEndian) { Data($0) })
        let file = try tree.open(entry)
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var rest = entry.size
        while rest > 0 {
            let count = read(file, &buffer, min(buffer.count, Int(rest)))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw WireError(.storageFailed, "\(tree.root)/\(entry.path) cannot be read.")
            }
            buffer.withUnsafeBytes { hash.update(bufferPointer: .init(rebasing: $0[..<count])) }
            rest -= Int64(count)
        }
    }
}
