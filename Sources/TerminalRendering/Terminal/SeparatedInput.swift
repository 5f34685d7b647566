// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Texts read from a descriptor, separated by a byte.
package struct SeparatedInput {
    /// Maximum length of one text, in bytes.
    package static let limit = 64 << 20

    private let descriptor: Int32
    private let separator: UInt8
    private var buffer: [UInt8] = []
    /// The start of the part of the buffer that has not been handed out.
    private var start = 0
    /// The length of that part known to contain no separator.
    private var searched = 0
    private var isAtEnd = false
    private var isOver = false

    package init(_ descriptor: Int32, separator: UInt8) {
        self.descriptor = descriptor
        self.separator = separator
    }

    /// Lends the next text. Returns `nil` after the last one, which has no separator after it and may be empty.
    package mutating func next<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) throws -> Result? {
        guard !isOver else { return nil }
        while true {
            if let end = buffer[(start + searched)...].firstIndex(of: separator) {
                defer {
                    start = end + 1
                    searched = 0
                }
                return try lend(start..<end, body)
            }
            searched = buffer.count - start
            if isAtEnd {
                isOver = true
                return try lend(start..<buffer.count, body)
            }
            try fill()
        }
    }

    private func lend<Result>(
        _ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        try buffer.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    private mutating func fill() throws(CommandFailure) {
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        guard buffer.count < Self.limit else {
            throw CommandFailure(.invalidInput, "A message on standard input is longer than \(Self.limit >> 20) MiB.")
        }
        let size = max(1 << 16, buffer.count)
        var chunk = [UInt8](repeating: 0, count: size)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, size) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                let reason = errno
                throw CommandFailure(.storage, "Standard input cannot be read: \(String(cString: strerror(reason))).")
            }
            isAtEnd = count == 0
            buffer += chunk[..<count]
            return
        }
    }
}
