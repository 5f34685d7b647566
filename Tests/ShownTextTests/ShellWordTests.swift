// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProcessTesting
import ShownText
import Testing

@Suite struct ShellWordTests {
    /// Names that a shell reads as other words, expands, or runs. A combining mark makes one character with what is before it.
    static let names = [
        "", "plain-1.csv", "Chrome Passwords.csv", "it's", "''", "'\u{301}", "$HOME", "`id`", "a;b", "*.csv", "~", "#x",
        "=ls", "a\\",
        "\"q\"", "!!", "[::1]", "-rf", "a\nb", "\t", "é", "{a,b}", "&", "(x)", "a>b",
    ]

    @Test(.tags(.startsProcess)) func aShellReadsBackEachWord() throws {
        let shell = Process()
        let pipe = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "printf '%s\\0' " + Self.names.map(ShellWord.quoted).joined(separator: " ")]
        shell.standardOutput = pipe
        try shell.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        #expect(output == Data((Self.names.joined(separator: "\0") + "\0").utf8))
    }

    @Test(arguments: [
        ("/home/me/latchkey", "/home/me/latchkey"), ("Chrome Passwords.csv", "'Chrome Passwords.csv'"),
        ("-u.csv", "./-u.csv"), ("-\u{301}.csv", "'./-\u{301}.csv'"), ("/-u.csv", "/-u.csv"), ("~/x", "'~/x'"),
    ])
    func aPathIsNoOption(path: String, word: String) {
        #expect(ShellWord.shown(path: path)?.utf8.elementsEqual(word.utf8) == true)
    }

    @Test(
        "a path that a terminal does not show exactly is in no advice",
        arguments: [
            "", "a\nb", "a\u{1B}[2Kb", "a\u{202E}vsc.b", "a  b", "a\u{A0}b", " a", "a ", "a\u{200B}b", "\u{E000}",
            "\u{301}a",
        ])
    func whatCannotBeCopiedIsNotAdvised(path: String) {
        #expect(ShellWord.shown(path: path) == nil)
    }
}
