// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The terminal that the app runs in.
struct Terminal {
    private let descriptor: Int32

    /// Nothing where there is no terminal to type on.
    init?() {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
    }

    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// A line that is typed; nothing at the end of input.
    func line(_ label: String) -> String? {
        write(label)
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            guard count == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }

    /// A line that is typed and not shown.
    func secret(_ label: String) -> String? {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        let original = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(descriptor, TCSAFLUSH, &settings)
        defer {
            var original = original
            tcsetattr(descriptor, TCSAFLUSH, &original)
            write("\n")
        }
        return line(label)
    }

    /// Text without what a terminal would take for a command.
    static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "?"
                    default: scalar
                    }
                }))
    }
}
