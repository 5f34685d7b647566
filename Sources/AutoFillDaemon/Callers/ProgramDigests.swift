// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillRelease
internal import Crypto
internal import Foundation
internal import Glibc

/// Caches digests of programs until a file's metadata changes.
struct ProgramDigests: Sendable {
    /// Size limit in bytes; a larger file is refused, because no program is that large.
    static let sizeLimit: off_t = 512 << 20
    /// Files kept; beyond it the oldest is forgotten.
    private static let memoryLimit = 256

    private struct Known {
        let facts: [Int64]
        let digest: String
    }

    private var known: [String: Known] = [:]
    private var order: [String] = []

    init() {}

    /// SHA-256 in hexadecimal of an open file.
    ///
    /// - Parameter path: the key under which the digest is cached; the content is read from the descriptor alone.
    mutating func digest(of descriptor: Int32, at path: String) throws(CallerRefusal) -> String {
        let before = try Self.facts(descriptor)
        if let known = known[path], known.facts == before { return known.digest }
        var hash = SHA256()
        var part = [UInt8](repeating: 0, count: 1 << 18)
        var offset: off_t = 0
        while true {
            let count = pread(descriptor, &part, part.count, offset)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw CallerRefusal("\(path) cannot be read") }
            if count == 0 { break }
            hash.update(data: Data(part[..<count]))
            offset += off_t(count)
        }
        // A file that changed while it was read has no valid digest.
        guard try Self.facts(descriptor) == before else { throw CallerRefusal("\(path) changes while it is looked at") }
        let digest = hash.finalize().map { String(format: "%02x", $0) }.joined()
        if known.updateValue(Known(facts: before, digest: digest), forKey: path) == nil { order.append(path) }
        if order.count > Self.memoryLimit { known[order.removeFirst()] = nil }
        return digest
    }

    private static func facts(_ descriptor: Int32) throws(CallerRefusal) -> [Int64] {
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw CallerRefusal("its executable is not a regular file")
        }
        guard information.st_size <= sizeLimit else { throw CallerRefusal("its executable is too large to look at") }
        return [
            Int64(bitPattern: UInt64(information.st_dev)), Int64(bitPattern: UInt64(information.st_ino)),
            Int64(information.st_size),
            Int64(information.st_mtim.tv_sec), Int64(information.st_mtim.tv_nsec),
            Int64(information.st_ctim.tv_sec), Int64(information.st_ctim.tv_nsec),
        ]
    }
}
