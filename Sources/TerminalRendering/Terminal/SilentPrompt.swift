// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
internal import Glibc

/// Asks on the terminal without echo. The bytes go from the kernel directly into locked memory.
package struct SilentPrompt {
    /// Maximum length of a terminal line in canonical mode, with its end.
    static let limit = 4096

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
    ///
    /// - Throws: `invalidInput` for a line that the terminal may have cut; `canceled` where nothing was typed, or nobody wants it any more.
    package func ask(_ question: String, by input: TerminalInput? = nil) throws(CommandFailure) -> SecretBytes {
        let input = input ?? TerminalInput(terminal)
        var original = termios()
        guard input.begin(), tcgetattr(terminal, &original) == 0 else { throw Self.unreadable }
        var silent = original
        silent.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
        silent.c_lflag |= tcflag_t(ICANON | ISIG)
        TerminalGuard.begin(terminal, original)
        defer {
            TerminalGuard.end()
            say("\n")
        }
        TerminalGuard.show(silent, TerminalText.escaped(question + ": "))
        let canceled = CommandFailure(.canceled, "Canceled.")
        guard input.wait() else { throw canceled }
        let buffer = SecretBytes(count: Self.limit)
        let count = buffer.withUnsafeMutableBytes { bytes in
            while true {
                let count = read(terminal, bytes.baseAddress, bytes.count)
                if count >= 0 || errno != EINTR { return count }
            }
        }
        if count < 0 { throw Self.unreadable }
        if count == 0 { throw canceled }
        // The kernel drops the rest of a longer line, and lets the line end take the last place.
        guard count < Self.limit else {
            throw CommandFailure(
                .invalidInput, "That is longer than the \(Self.limit - 2) bytes that a terminal passes on.",
                hint: "Put it into a file, or give it on standard input.")
        }
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
