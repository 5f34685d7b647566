// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
internal import Glibc

/// Asks on the terminal without echo. The bytes go from the kernel directly into locked memory.
package struct SilentPrompt {
    /// Maximum length of a terminal line in canonical mode.
    private static let limit = 4096

    private let terminal: Int32

    /// Opens the terminal of this process, or returns `nil` if it has none.
    package static func open() -> SilentPrompt? {
        let terminal = Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        return terminal >= 0 ? SilentPrompt(terminal: terminal) : nil
    }

    /// Asks on a terminal that is already open, for instance a test's pseudo-terminal.
    package init(terminal: Int32) {
        self.terminal = terminal
    }

    package func close() {
        _ = Glibc.close(terminal)
    }

    /// Reads one line, without its end. An end of input before any character counts as a refusal.
    package func ask(_ question: String) throws(CommandFailure) -> SecretBytes {
        var original = termios()
        guard tcgetattr(terminal, &original) == 0 else { throw Self.unreadable }
        var silent = original
        silent.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
        silent.c_lflag |= tcflag_t(ICANON | ISIG)
        TerminalGuard.begin(terminal, original)
        defer { TerminalGuard.end() }
        // Flushing discards input from before the question appeared, which was meant for something else.
        guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { throw Self.unreadable }
        defer { tcsetattr(terminal, TCSAFLUSH, &original) }
        say(question + ": ")
        defer { say("\n") }
        let buffer = SecretBytes(count: Self.limit)
        let count = buffer.withUnsafeMutableBytes { bytes in
            while true {
                let count = read(terminal, bytes.baseAddress, bytes.count)
                if count >= 0 || errno != EINTR { return count }
            }
        }
        if count < 0 { throw Self.unreadable }
        if count == 0 { throw CommandFailure(.canceled, "Canceled.") }
        return buffer.prefix(count).trimmingOneFinalNewline()
    }

    /// Writes one sentence to the terminal.
    package func say(_ text: String) {
        var text =
            TerminalText.escaped(text.hasSuffix("\n") ? String(text.dropLast()) : text)
            + (text.hasSuffix("\n") ? "\n" : "")
        text.withUTF8 { _ = Descriptor.writeAll(UnsafeRawBufferPointer($0), to: terminal) }
    }

    private static let unreadable = CommandFailure(
        .authentication, "The terminal cannot be read.", hint: "Name a file with --passphrase-file.")
}
