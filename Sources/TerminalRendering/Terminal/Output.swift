// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
internal import Glibc

/// Standard output and error. Written at once and unbuffered, so that what was said is said whatever happens next.
package enum Output {
    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    package static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// A line for whoever asked: results, and nothing else. Whatever stands in it, nothing reaches a terminal but text; the tabs and
    /// line feeds are this program's own, since those of others are escaped where a line is made.
    package static func line(_ text: String) {
        write(TerminalText.escapedLines(text) + "\n", to: STDOUT_FILENO)
    }

    /// Many lines at once.
    package static func bytes(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { write($0, to: STDOUT_FILENO) }
    }

    /// A line about how things go, on standard error.
    package static func note(_ text: String) {
        write(TerminalText.escaped(text) + "\n", to: STDERR_FILENO)
    }

    /// Text as it is, on standard error.
    package static func error(_ text: String) {
        write(text, to: STDERR_FILENO)
    }

    /// A secret and a line feed: as it is into a pipe or file, made harmless on a terminal.
    package static func secret(_ secret: SecretBytes, label: String = "", keepsLines: Bool = false) {
        if !label.isEmpty { write(TerminalText.escaped(label), to: STDOUT_FILENO) }
        let shown = isTerminal ? TerminalText.escaped(secret, keepsLines: keepsLines) : secret
        shown.withUnsafeBytes { write($0, to: STDOUT_FILENO) }
        write("\n", to: STDOUT_FILENO)
    }

    /// A document that may hold secrets.
    package static func json(_ value: JSONText) {
        value.encoded().withUnsafeBytes { write($0, to: STDOUT_FILENO) }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
        guard !Descriptor.writeAll(bytes, to: descriptor) else { return }
        // Standard error that cannot be written leaves nobody to tell.
        guard descriptor == STDOUT_FILENO else { return }
        let reason = errno
        if reason == EPIPE { exit(ExitStatus.brokenPipe.rawValue) }
        error("latchkey: Standard output cannot be written: \(String(cString: strerror(reason))).\n")
        exit(ExitStatus.storage.rawValue)
    }
}
