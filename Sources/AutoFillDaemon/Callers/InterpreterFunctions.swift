// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Searches programs for the names of functions that start interpreters.
///
/// A name counts if it stands between two zero bytes, as in a symbol table. A program that hides its symbols is not detected.
struct InterpreterFunctions: Sendable {
    private static let longest = InterpreterPolicy.functions.map(\.utf8.count).max() ?? 0

    /// Results by digest: files with the same content have the same functions.
    private var known: [String: String?] = [:]

    init() {}

    /// The first such function in an open file; `nil` if there is none.
    mutating func function(in descriptor: Int32, _ digest: String) -> String? {
        if let known = known[digest] { return known }
        if known.count > 256 { known = [:] }
        let found = Self.look(descriptor)
        known[digest] = .some(found)
        return found
    }

    /// Reads the file in parts and does not map it: its owner may truncate it meanwhile, and access to a truncated mapping crashes.
    private static func look(_ descriptor: Int32) -> String? {
        let wanted = Dictionary(grouping: InterpreterPolicy.functions) { $0.utf8.count }
        var part = [UInt8](repeating: 0, count: 1 << 18)
        /// Number of bytes kept from the previous part: those after its last zero byte.
        var rest = 0
        var offset: off_t = 0
        while true {
            let count = part.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress?.advanced(by: rest), buffer.count - rest, offset)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return nil }
            offset += off_t(count)
            let end = rest + count
            let (found, last) = part.withUnsafeBytes { search($0[..<end], wanted) }
            if let found { return found }
            // A text longer than every name matches none, so no more of it is kept.
            let keeps = min(end - last, longest + 1)
            part.withUnsafeMutableBytes { buffer in
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[(end - keeps)..<end]))
            }
            rest = keeps
        }
    }

    /// The first whole name among the bytes, and the offset after the last zero byte.
    private static func search(
        _ bytes: Slice<UnsafeRawBufferPointer>, _ wanted: [Int: [String]]
    ) -> (found: String?, last: Int) {
        guard let start = bytes.base.baseAddress else { return (nil, 0) }
        var offset = bytes.startIndex
        while offset < bytes.endIndex, let zero = memchr(start + offset, 0, bytes.endIndex - offset) {
            let length = UnsafeRawPointer(zero) - (start + offset)
            if length > 0, length <= longest, let names = wanted[length] {
                for name in names where memcmp(start + offset, name, length) == 0 { return (name, offset) }
            }
            offset += length + 1
        }
        return (nil, offset)
    }
}
