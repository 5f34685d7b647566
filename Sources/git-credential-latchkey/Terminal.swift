// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Glibc

/// The terminal that git was started on, which standard input is not.
final class Terminal: Sendable {
    /// Why nothing was typed.
    enum Failure: Error {
        case interrupted, ended
    }

    private static let passphraseLimit = 4096
    /// How long a question stands, in milliseconds.
    private static let patience: Int32 = 120_000

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

    /// One line, shown while it is typed.
    func line(_ question: String) throws(Failure) -> String {
        // What was typed before the question stood there was meant for something else.
        tcflush(descriptor, TCIFLUSH)
        say(question)
        try wait()
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { throw .ended }
        return String(decoding: bytes[..<count], as: UTF8.self).filter { !$0.isNewline }
    }

    /// One line, not shown, in locked memory. Control-C is read like any other key, so that the terminal shows again afterwards.
    func secret(_ question: String) throws(Failure) -> SecretBytes {
        var original = termios()
        guard tcgetattr(descriptor, &original) == 0 else { throw .ended }
        var silent = original
        silent.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG)
        guard tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else { throw .ended }
        defer {
            tcsetattr(descriptor, TCSAFLUSH, &original)
            say("\n")
        }
        say(question)
        let typed = SecretBytes(count: Self.passphraseLimit)
        var count = 0
        var failure: Failure?
        typed.withUnsafeMutableBytes { bytes in
            while true {
                var byte: UInt8 = 0
                do throws(Failure) { try wait() } catch {
                    failure = error
                    return
                }
                guard read(descriptor, &byte, 1) == 1 else {
                    failure = .ended
                    return
                }
                switch byte {
                case 0x0A, 0x0D: return
                case 0x03:
                    failure = .interrupted
                    return
                case 0x04 where count == 0:
                    failure = .ended
                    return
                case 0x7F, 0x08:
                    // A whole character, not a byte of one.
                    while count > 0 {
                        count -= 1
                        if bytes[count] & 0xC0 != 0x80 { break }
                    }
                case 0x15: count = 0
                default:
                    guard count < bytes.count else { continue }
                    bytes[count] = byte
                    count += 1
                }
            }
        }
        if let failure { throw failure }
        return typed.withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    private func wait() throws(Failure) {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&ready, 1, Self.patience)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .ended }
            return
        }
    }
}
