// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Glibc
internal import TerminalRendering

/// The terminal that git was started on, which standard input is not.
final class Terminal: Sendable {
    /// How long a question stands.
    private static let patience = Duration.seconds(120)

    private let descriptor: Int32

    /// Nothing where there is none, where git is not to ask on it, and where it belongs to another job at this moment: reading
    /// would stop this one.
    init?(environment: [String: String]) {
        if let value = environment["GIT_TERMINAL_PROMPT"]?.lowercased(), ["0", "false", "no", "off"].contains(value) {
            return nil
        }
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        guard tcgetpgrp(descriptor) == getpgrp() else {
            close(descriptor)
            return nil
        }
    }

    deinit {
        close(descriptor)
    }

    func say(_ text: String) {
        var text = text
        text.withUTF8 { Output.write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    /// One line, shown while it is typed; `nil` where nothing was typed.
    func line(_ question: String) -> String? {
        guard input.begin() else { return nil }
        say(question)
        guard input.wait() else { return nil }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self).filter { !$0.isNewline }
    }

    /// One line, not shown, in locked memory; `nil` where nothing was typed, or too much, which is said.
    func secret(_ question: String) -> SecretBytes? {
        do {
            return try SilentPrompt(terminal: descriptor).ask(question, by: input)
        } catch {
            if error.status == .invalidInput { say("\(error.message)\n") }
            return nil
        }
    }

    /// Git waits at the other end of standard output. Where git was ended, nobody wants an answer.
    private var input: TerminalInput {
        TerminalInput(descriptor, asker: STDOUT_FILENO, patience: Self.patience)
    }
}
