// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Testing

@testable import TerminalRendering
@testable import latchkey

@Suite struct SecretSourceTests {
    @Test func chooses() {
        #expect(SecretSource(file: "-", inputIsTerminal: true) == .standardInput)
        #expect(SecretSource(file: "/x", inputIsTerminal: false) == .file("/x"))
        #expect(SecretSource(file: nil, inputIsTerminal: true) == .terminal)
        #expect(SecretSource(file: nil, inputIsTerminal: false) == .standardInput)
    }

    @Test(arguments: [
        ("secret", "secret"), ("secret\n", "secret"), ("secret\n\n", "secret\n"), ("secret\r\n", "secret"),
        ("secret\r", "secret\r"), (" secret \n", " secret "), ("\nsecret", "\nsecret"), ("a\nb\n", "a\nb"),
    ]) func takesOffExactlyOneFinalNewline(content: String, secret: String) throws {
        let home = TestHome()
        let file = home.write("secret", content)
        #expect(try SecretSource.file(file).read("Passphrase").testText == secret)
    }

    @Test func refusesNothingAndTooMuch() throws {
        let home = TestHome()
        for content in ["", "\n", String(repeating: "x", count: 4097)] {
            let file = home.write("secret", content)
            #expect(throws: CommandFailure.self) { try SecretSource.file(file).read("Passphrase") }
        }
        let file = home.write("secret", String(repeating: "x", count: 4096) + "\r\n")
        #expect(try SecretSource.file(file).read("Passphrase").count == 4096)
        #expect(throws: CommandFailure.self) { try SecretSource.file(home.folder).read("Passphrase") }
        #expect(throws: CommandFailure.self) { try SecretSource.file("/absent").read("Passphrase") }
    }

    @Test func twoSecretsCannotShareStandardInput() {
        #expect(throws: CommandFailure.self) {
            try SecretPair(nil, option: "--a", nil, option: "--b", inputIsTerminal: false)
        }
        #expect(throws: CommandFailure.self) {
            try SecretPair("-", option: "--a", "-", option: "--b", inputIsTerminal: true)
        }
        #expect(throws: Never.self) { try SecretPair("/x", option: "--a", nil, option: "--b", inputIsTerminal: false) }
        #expect(throws: Never.self) { try SecretPair(nil, option: "--a", nil, option: "--b", inputIsTerminal: true) }
    }
}
