// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Words of a command line for a POSIX shell.
public enum ShellWord {
    /// A text as one word: as it is where every byte is harmless to all shells, in single quotes otherwise.
    public static func quoted(_ text: String) -> String {
        // By bytes: a quotation mark before a combining mark is no character of its own.
        guard text.isEmpty || !text.utf8.allSatisfy(isHarmless) else { return text }
        let quote = UInt8(ascii: "'")
        var bytes = [quote]
        for byte in text.utf8 { bytes += byte == quote ? Array("'\\''".utf8) : [byte] }
        return String(decoding: bytes + [quote], as: UTF8.self)
    }

    /// A path as one argument of a command that a person is told to run. A relative path that begins with a hyphen is preceded by `./`, so
    /// that no command takes it for an option.
    ///
    /// Returns `nil` for a path that a terminal does not show exactly. A command that was copied from there would be about another file, so
    /// no command may be advised.
    public static func shown(path: String) -> String? {
        let limit = TextCleaner.Limit(characters: 4_096, bytes: 4_096)
        guard !path.isEmpty, TextCleaner.cleaned(path, limit).utf8.elementsEqual(path.utf8),
            EscapedText.escaped(path).utf8.elementsEqual(path.utf8)
        else { return nil }
        return quoted(path.utf8.first == UInt8(ascii: "-") ? "./" + path : path)
    }

    private static func isHarmless(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "/._-+:".utf8.contains(byte)
    }
}
