// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Looks into programs for the functions by which interpreters are reached: names that stand whole in the file, between two
/// zeros, as in a table of symbols. One that hides them is not told by it.
struct InterpreterFunctions: Sendable {
    private static let longest = InterpreterPolicy.functions.map(\.utf8.count).max() ?? 0

    /// By digest: a file of the same contents has the same functions.
    private var known: [String: String?] = [:]

    init() {}

    /// The first such function of an open file; nothing where there is none.
    mutating func function(in descriptor: Int32, _ digest: String) -> String? {
        if let known = known[digest] { return known }
        if known.count > 256 { known = [:] }
        let found = Self.look(descriptor)
        known[digest] = .some(found)
        return found
    }

    /// Reads part by part: the file is somebody else's and may be shortened meanwhile, which a mapping would not survive.
    private static func look(_ descriptor: Int32) -> String? {
        let wanted = Dictionary(grouping: InterpreterPolicy.functions) { $0.utf8.count }
        var part = [UInt8](repeating: 0, count: 1 << 18)
        /// What stands behind the last zero of the part before.
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
            // A text longer than any name is none of them, however it goes on.
            let keeps = min(end - last, longest + 1)
            part.withUnsafeMutableBytes { buffer in
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[(end - keeps)..<end]))
            }
            rest = keeps
        }
    }

    /// The first name that stands whole, and where the last zero was.
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
