// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
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

    /// Which of a few words the user chooses. The beginning of one is enough; whatever else is typed is asked about again.
    ///
    /// - Parameters:
    ///   - lines: The subject of the question, already escaped.
    ///   - option: The option that answers beforehand.
    /// - Throws: `canceled` at the end of input, `usage` where there is no terminal.
    package static func choose(
        _ lines: [String], _ question: String, among words: [String], insteadOfAsking option: String
    )
        throws(CommandFailure) -> String
    {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw CommandFailure(
                .usage, "\(lines.joined(separator: " ")) There is no terminal to ask on.",
                hint: "\(option) \(words.joined(separator: "|")) chooses.")
        }
        defer { close(terminal) }
        let input = TerminalInput(terminal)
        guard input.begin() else { throw CommandFailure(.canceled, "Canceled.") }
        var text = lines.map { $0 + "\n" }.joined()
        while true {
            text += "\(TerminalText.escaped(question)) [\(words.joined(separator: "/"))] "
            text.withUTF8 { _ = Descriptor.writeAll(UnsafeRawBufferPointer($0), to: terminal) }
            guard input.wait() else { throw CommandFailure(.canceled, "Canceled.") }
            var answer = [UInt8](repeating: 0, count: 256)
            let count = read(terminal, &answer, answer.count)
            guard count > 0 else { throw CommandFailure(.canceled, "Canceled.") }
            if let word = word(String(decoding: answer[..<count], as: UTF8.self), among: words) { return word }
            text = ""
        }
    }

    /// The one word that an answer begins, in either case.
    package static func word(_ answer: String, among words: [String]) -> String? {
        let typed = answer.filter { !$0.isWhitespace }.lowercased()
        let found = words.filter { $0.hasPrefix(typed) }
        return typed.isEmpty || found.count != 1 ? nil : found[0]
    }

    /// Asks for a text of several lines, which the terminal shows while they are typed.
    ///
    /// It ends with Control-D and not with an empty line: the lines after an empty one in a pasted text would go to the shell.
    ///
    /// - Parameters:
    ///   - limit: The most bytes that it may have.
    ///   - option: The option that names a file instead.
    /// - Throws: `canceled` where nothing was typed; `invalidInput` for a text that is too long, or that the terminal may have cut.
    package static func text(_ question: String, limit: Int, option: String) throws(CommandFailure) -> SecretBytes {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw CommandFailure(.usage, "There is no terminal to ask on.", hint: "\(option) names a file instead.")
        }
        defer {
            // The rest of a text that was too long is not left for the shell to read.
            tcflush(terminal, TCIFLUSH)
            close(terminal)
        }
        let input = TerminalInput(terminal)
        guard input.begin() else { throw CommandFailure(.canceled, "Canceled.") }
        var shown = "\(question) (Control-D ends them):\n"
        shown.withUTF8 { _ = Descriptor.writeAll(UnsafeRawBufferPointer($0), to: terminal) }
        let buffer = SecretBytes(count: limit + SilentPrompt.limit)
        var total = 0
        while input.wait() {
            let count = buffer.withUnsafeMutableBytes { bytes in
                read(terminal, bytes.baseAddress?.advanced(by: total), SilentPrompt.limit)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            total += count
            guard total <= limit, count < SilentPrompt.limit else {
                throw CommandFailure(
                    .invalidInput, "That is longer than \(limit) bytes, or one of its lines than a terminal passes on.",
                    hint: "Put it into a file, for \(option).")
            }
        }
        let text = buffer.prefix(total).trimmingOneFinalNewline()
        guard text.count > 0 else { throw CommandFailure(.canceled, "Nothing was typed.") }
        guard text.isText else { throw CommandFailure(.invalidInput, "The input is not UTF-8.") }
        return text
    }

    package static func isYes(_ answer: String) -> Bool {
        ["y", "yes"].contains(answer.filter { !$0.isWhitespace }.lowercased())
    }
}
