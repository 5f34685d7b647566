// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
internal import Glibc

/// Standard output and error. Writes are unbuffered, so that no output is lost if the program ends.
package enum Output {
    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    package static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a line of results to standard output.
    ///
    /// Everything is escaped except tabs and line feeds. Those are the program's own: line feeds and tabs in foreign
    /// text are escaped when the line is made.
    package static func line(_ text: String) {
        write(TerminalText.escapedLines(text) + "\n", to: STDOUT_FILENO)
    }

    /// Writes several lines at once.
    package static func bytes(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { write($0, to: STDOUT_FILENO) }
    }

    /// Writes a line of progress to standard error.
    package static func note(_ text: String) {
        write(TerminalText.escaped(text) + "\n", to: STDERR_FILENO)
    }

    /// Writes text to standard error without escaping.
    package static func error(_ text: String) {
        write(text, to: STDERR_FILENO)
    }

    /// Writes a secret and a line feed: unchanged to a pipe or file, escaped to a terminal.
    package static func secret(_ secret: SecretBytes, label: String = "", keepsLines: Bool = false) {
        if !label.isEmpty { write(TerminalText.escaped(label), to: STDOUT_FILENO) }
        let shown = isTerminal ? TerminalText.escaped(secret, keepsLines: keepsLines) : secret
        shown.withUnsafeBytes { write($0, to: STDOUT_FILENO) }
        write("\n", to: STDOUT_FILENO)
    }

    /// Writes a document that may contain secrets.
    package static func json(_ value: JSONText) {
        value.encoded().withUnsafeBytes { write($0, to: STDOUT_FILENO) }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
        guard !Descriptor.writeAll(bytes, to: descriptor) else { return }
        // If standard error cannot be written, there is no way to report it.
        guard descriptor == STDOUT_FILENO else { return }
        let reason = errno
        if reason == EPIPE { exit(ExitStatus.brokenPipe.rawValue) }
        error("latchkey: Standard output cannot be written: \(String(cString: strerror(reason))).\n")
        exit(ExitStatus.storage.rawValue)
    }
}
