// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import Crypto
internal import Foundation
internal import Glibc

/// The digest of everything in a bundle: what the user enabled is what runs.
package struct BundleDigest: Sendable {
    /// What was digested, to be recognised without reading it again.
    private let entries: [BundleTree.Entry]
    /// SHA-256 in hexadecimal.
    package let text: String

    /// Digests the names, kinds, executable bits and contents of all files below a folder.
    ///
    /// Reads contents only when something about a file has changed since the last time. Throws `storageFailed` for what
    /// cannot be read, for what is beyond the bounds of a bundle, and for links that lead out of the folder.
    ///
    /// - Parameter known: of the last time.
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
            // `BundleTree` lets nothing else through.
            default: hash.update(data: Data([4]) + Data((entry.target ?? "").utf8) + [0])
            }
        }
        text = hash.finalize().map { String(format: "%02x", $0) }.joined()
    }

    private static func add(_ entry: BundleTree.Entry, of tree: BundleTree, to hash: inout SHA256) throws(WireError) {
        hash.update(data: Data([entry.isExecutable ? 2 : 1]))
        // The length first, so that no two trees of files read as the same bytes.
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
