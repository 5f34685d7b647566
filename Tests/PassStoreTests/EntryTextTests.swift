// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Testing

@testable import PassStore

@Suite
struct EntryTextTests {
    private func text(_ text: String) throws(PassStoreError) -> EntryText { try EntryText(SecretBytes(utf8: text)) }

    @Test
    func readsPasswordUserServicesAndNotes() throws {
        let entry = try text(
            "pass word: x \nsome note\nUser :  rmondello \nurl: https://shiny.example.com/login\nlogin: later\n"
                + "URL: b.example:8443\notpauth://totp/x?secret=ABCD\nlast")
        #expect(entry.password == SecretBytes(utf8: "pass word: x "))
        #expect(entry.user == "rmondello")
        #expect(entry.services.map(\.text) == ["shiny.example.com", "https://b.example:8443"])
        #expect(entry.notes == SecretBytes(utf8: "some note\nlogin: later\nlast"))
        #expect(entry.hasCode)
    }

    @Test(arguments: ["only", "only\n", "only\r\n", "only\r\nuser: u\r\n"])
    func takesEveryLineEnd(written: String) throws {
        #expect(try text(written).password == SecretBytes(utf8: "only"))
    }

    @Test(arguments: ["user: u", "username: u", "login: u", "LOGIN:u", "\tuser\t:\tu\t"])
    func readsEveryUserLine(line: String) throws {
        #expect(try text("p\n" + line).user == "u")
    }

    @Test(
        "What names no user leaves it unknown",
        arguments: [
            "", "user:", "user: ", "users: u", "user u", "# user: u", "user: a\u{1B}[2J", "user: a\u{202E}b",
            "user: " + String(repeating: "u", count: 1025), "url: user",
        ])
    func refusesOtherUserLines(line: String) throws {
        #expect(try text("p\n" + line).user == nil)
    }

    @Test
    func neverTakesTheFirstLineForAnythingElse() throws {
        let entry = try text("user: u\nurl: https://a.example")
        #expect(entry.password == SecretBytes(utf8: "user: u"))
        #expect(entry.user == nil)
        #expect(entry.services.map(\.text) == ["a.example"])
    }

    @Test
    func refusesWhatHasNoPasswordToFill() {
        for written in ["", "\n", "\r\n", "\nuser: u", "a\u{0}b", String(repeating: "p", count: 4097)] {
            #expect(throws: PassStoreError.self) { try text(written) }
        }
        for bytes in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0x70, 0xC0, 0x80]] as [[UInt8]] {
            var bytes = bytes
            let secret = SecretBytes(wiping: &bytes)
            #expect(throws: PassStoreError.self) { try EntryText(secret) }
        }
        #expect(throws: PassStoreError.self) { try EntryText(SecretBytes(count: EntryText.byteLimit + 1)) }
    }

    @Test
    func changesOnlyWhatIsNamed() throws {
        let entry = try text("old\nnote 1\nlogin: u\notpauth://totp/x?secret=AB\nurl: a.example\nnote 2\n")
        let changed = try entry.changed(EntryTextChanges(password: SecretBytes(utf8: "new")))
        #expect(
            changed.bytes
                == SecretBytes(utf8: "new\nnote 1\nlogin: u\notpauth://totp/x?secret=AB\nurl: a.example\nnote 2\n"))
        let other = try entry.changed(
            EntryTextChanges(user: "v", urls: ["https://b.example/x"], notes: SecretBytes(utf8: "n\nm\n")))
        #expect(
            other.bytes
                == SecretBytes(utf8: "old\nuser: v\nurl: https://b.example/x\notpauth://totp/x?secret=AB\nn\nm\n"))
        #expect(try entry.changed(EntryTextChanges(user: "")).user == nil)
        #expect(try entry.changed(EntryTextChanges()).bytes == entry.bytes)
    }

    @Test
    func refusesWhatWouldBeReadBackAsSomethingElse() throws {
        let password = SecretBytes(utf8: "p")
        for notes in ["user: x", "a\nlogin: x", "url: https://evil.example", "otpauth://totp/x?secret=AB"] {
            #expect(throws: PassStoreError.self) {
                try EntryText.new(password: password, user: nil, urls: [], notes: SecretBytes(utf8: notes))
            }
        }
        for secret in ["", "a\nb", "a\rb", "a\n"] {
            #expect(throws: PassStoreError.self) {
                try EntryText.new(password: SecretBytes(utf8: secret), user: nil, urls: [], notes: nil)
            }
        }
        for user in ["a\nb", " a", "a\u{7}"] {
            #expect(throws: PassStoreError.self) {
                try EntryText.new(password: password, user: user, urls: [], notes: nil)
            }
        }
        #expect(throws: PassStoreError.self) {
            try EntryText.new(password: password, user: nil, urls: ["ftp://a.example"], notes: nil)
        }
    }

    @Test
    func namesNewEntriesSoThatTheyAreReadBack() throws {
        let password = SecretBytes(utf8: "p")
        let cases = [
            (["shiny.example.com"], "rmondello", "shiny.example.com/rmondello"), (["a.example"], "", "a.example"),
            (["https://a.example:8443/x"], "u", "a.example:8443/u"), (["a.example"], "a/../b", "a.example/a_.._b"),
            (["a.example"], "login", "a.example/login"), (["a.example"], ".x", "a.example/_x"),
            (["a.example", "b.example"], "u@b.example", "a.example/u@b.example"),
            (["a.example"], "x.a.example", "a.example/x.a.example"),
        ]
        for (services, user, name) in cases {
            let entry = try NewEntry(services: services, user: user, password: password, notes: nil)
            #expect(entry.name.text == name)
            #expect(entry.text.user ?? EntryLayout(entry.name).user ?? "" == user)
        }
    }

    @Test
    func refusesNewEntriesThatWouldBeOthers() {
        let password = SecretBytes(utf8: "p")
        let wrong: [([String], String)] = [
            ([], "u"), ([""], "u"), (["no host"], "u"), (["ftp://a.example"], "u"), (["http://a.example"], "u"),
            (["../../etc"], "u"), (["a.example\n"], "u"), (["a.example"], "u\n"), (["a.example"], "u\u{0}"),
            (["https://u@a.example"], "u"), (Array(repeating: "a.example", count: 65), "u"),
        ]
        for (services, user) in wrong {
            #expect(throws: PassStoreError.self) {
                try NewEntry(services: services, user: user, password: password, notes: nil)
            }
        }
    }
}

@Suite
struct OneTimeCodeSourceTests {
    /// The keys of RFC 6238's appendix B, in base32.
    private static let keys = [
        "SHA1": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
        "SHA256": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA",
        "SHA512":
            "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA",
    ]

    @Test(arguments: [
        (59, "SHA1", "94287082"), (59, "SHA256", "46119246"), (59, "SHA512", "90693936"),
        (1_111_111_109, "SHA1", "07081804"), (1_111_111_111, "SHA256", "67062674"),
        (1_234_567_890, "SHA512", "93441116"),
        (20_000_000_000, "SHA1", "65353130"), (20_000_000_000, "SHA256", "77737706"),
        (20_000_000_000, "SHA512", "47863826"),
    ])
    func givesTheCodesOfTheStandard(time: Int64, algorithm: String, code: String) throws {
        let key = try #require(Self.keys[algorithm])
        let line = "otpauth://totp/Shiny:rm?secret=\(key)&issuer=Shiny&algorithm=\(algorithm)&digits=8&period=30"
        let source = try #require(OneTimeCodeSource(SecretBytes(utf8: line)))
        #expect(source.code(at: time) == code)
    }

    @Test(arguments: [
        "", "otpauth://totp/x", "otpauth://totp/x?", "otpauth://totp/x?issuer=y", "otpauth://totp/x?secret=",
        "otpauth://totp/x?secret=A1", "otpauth://totp/x?secret=AB&digits=5", "otpauth://totp/x?secret=ABCD&digits=9",
        "otpauth://totp/x?secret=ABCD&period=0", "otpauth://totp/x?secret=ABCD&algorithm=MD5",
        "otpauth://totp/x?secret=ABCD&secret=ABCD", "otpauth://hotp/x?secret=ABCD&counter=1",
        "https://totp/x?secret=ABCD",
    ])
    func refusesOtherLines(line: String) {
        #expect(OneTimeCodeSource(SecretBytes(utf8: line)) == nil)
    }
}
