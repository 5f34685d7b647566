// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Glibc
import TerminalRendering

/// Lines of standard input, each in locked memory.
struct SecretLines {
    /// Longer than any password that is kept.
    static let maximumSize = 65_536

    private var buffer: [UInt8] = []
    private var hasEnded = false

    /// The next line without its end; nothing at the end of the input.
    ///
    /// - Parameter waiting: is called before there is a wait for more.
    /// - Throws: `invalidInput` for a line that is longer than `maximumSize`, and for an input that cannot be read.
    mutating func next(waiting: () -> Void = {}) throws -> SecretBytes? {
        var searched = 0
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                return take(end, dropping: end + 1)
            }
            searched = buffer.count
            guard buffer.count <= Self.maximumSize else {
                throw CommandFailure(.invalidInput, "A line is longer than \(Self.maximumSize) bytes.")
            }
            if hasEnded { return buffer.isEmpty ? nil : take(buffer.count, dropping: buffer.count) }
            waiting()
            var part = [UInt8](repeating: 0, count: 16_384)
            let count = read(STDIN_FILENO, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandFailure(
                    .invalidInput, "Standard input cannot be read: \(String(cString: strerror(errno))).")
            }
            if count == 0 { hasEnded = true } else { buffer += part[..<count] }
        }
    }

    private mutating func take(_ end: Int, dropping count: Int) -> SecretBytes {
        let isCarriage = end > 0 && buffer[end - 1] == UInt8(ascii: "\r")
        let line = buffer[..<(isCarriage ? end - 1 : end)].withUnsafeBytes { SecretBytes(copying: $0) }
        buffer.removeFirst(count)
        return line
    }
}
