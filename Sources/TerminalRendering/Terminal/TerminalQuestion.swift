// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A question on the terminal that is answered with a word.
package enum TerminalQuestion {
    /// Whether the user says yes. A no, an empty line and the end of input all count as no.
    ///
    /// - Parameter lines: The subject of the question, already escaped.
    package static func confirm(_ lines: [String], _ question: String, insteadOfAsking option: String)
        throws(CommandFailure) -> Bool
    {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw CommandFailure(.usage, "There is no terminal to ask on.", hint: "\(option) says yes.")
        }
        defer { close(terminal) }
        return confirm(lines, question, on: terminal)
    }

    package static func confirm(_ lines: [String], _ question: String, on terminal: Int32) -> Bool {
        let input = TerminalInput(terminal)
        guard input.begin() else { return false }
        var text = lines.map { $0 + "\n" }.joined() + TerminalText.escaped(question) + " [y/N] "
        text.withUTF8 { _ = Descriptor.writeAll(UnsafeRawBufferPointer($0), to: terminal) }
        guard input.wait() else { return false }
        var answer = [UInt8](repeating: 0, count: 256)
        let count = read(terminal, &answer, answer.count)
        guard count > 0 else { return false }
        return isYes(String(decoding: answer[..<count], as: UTF8.self))
    }

    package static func isYes(_ answer: String) -> Bool {
        ["y", "yes"].contains(answer.filter { !$0.isWhitespace }.lowercased())
    }
}
