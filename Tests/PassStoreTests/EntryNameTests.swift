// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PassStore

@Suite
struct EntryNameTests {
    @Test(
        "A name that leads out of the store, or anywhere but to one file, is none",
        arguments: [
            "", "/", "/etc/passwd", "..", "../x", "a/../b", "a/..", "./a", "a/./b", "a//b", "a/", "/a", ".git/config",
            "a/.hidden", "..\u{0}", "a\u{0}b", "a\nb", "a\rb", "a\u{1B}[2J", "a\u{7F}", "a\u{85}b", "a\u{2028}b",
            "user\u{202E}moc.elpmaxe", "a\u{200B}b", "a\u{FEFF}b", "a/\u{2066}b",
        ])
    func refusesWhatIsNoPlainPath(text: String) {
        #expect(EntryName(text) == nil)
    }

    @Test
    func refusesNamesBeyondTheLimits() {
        #expect(EntryName(String(repeating: "a", count: 252)) == nil)
        #expect(EntryName(Array(repeating: "a", count: 33).joined(separator: "/")) == nil)
        #expect(EntryName(Array(repeating: String(repeating: "a", count: 250), count: 5).joined(separator: "/")) == nil)
        #expect(EntryName(Array(repeating: "a", count: 32).joined(separator: "/")) != nil)
    }

    @Test(arguments: ["a", "web/shiny.example.com/rmondello", "naïve/日本語", "a b/c:d", "x@y.example", "a\\b", "-rf"])
    func takesPlainPaths(text: String) throws {
        let name = try #require(EntryName(text))
        #expect(name.text == text)
        #expect(name.path == text + ".gpg")
        #expect(name.parts.joined(separator: "/") == text)
    }

    @Test
    func tellsNamesApartByTheirBytes() throws {
        let composed = try #require(EntryName("caf\u{E9}"))
        let decomposed = try #require(EntryName("cafe\u{301}"))
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }
}

@Suite
struct EntryLayoutTests {
    struct Reading: Sendable, CustomTestStringConvertible {
        let name: String
        let service: String?
        let user: String?

        init(_ name: String, _ service: String?, _ user: String?) {
            (self.name, self.service, self.user) = (name, service, user)
        }

        var testDescription: String { name }
    }

    @Test(arguments: [
        Reading("shiny.example.com/rmondello", "shiny.example.com", "rmondello"),
        Reading("web/shiny.example.com/rmondello", "shiny.example.com", "rmondello"),
        Reading("web/Shiny.Example.COM/rmondello", "shiny.example.com", "rmondello"),
        Reading("shiny.example.com/work/rmondello", "shiny.example.com", "rmondello"),
        Reading("shiny.example.com/john.doe", "shiny.example.com", "john.doe"),
        Reading("shiny.example.com/rm@mail.example", "shiny.example.com", "rm@mail.example"),
        Reading("shiny.example.com/rm@shiny.example.com", "shiny.example.com", "rm@shiny.example.com"),
        Reading("shiny.example.com/login", "shiny.example.com", nil),
        Reading("web/shiny.example.com/Password", "shiny.example.com", nil),
        Reading("shiny.example.com", "shiny.example.com", nil),
        Reading("web/shiny.example.com", "shiny.example.com", nil),
        Reading("example.com/shiny.example.com", "shiny.example.com", nil),
        Reading("rmondello@shiny.example.com", "shiny.example.com", "rmondello"),
        Reading("web/rm@mail.example@shiny.example.com", "shiny.example.com", "rm@mail.example"),
        Reading("shiny.example.com:8443/admin", "https://shiny.example.com:8443", "admin"),
        Reading("shiny.example.com:443/admin", "shiny.example.com", "admin"),
        Reading("admin@localhost:8080", "https://localhost:8080", "admin"),
        Reading("localhost/admin", "localhost", "admin"),
        Reading("192.0.2.7/admin", "192.0.2.7", "admin"),
        Reading("a.example/b.example/c", "b.example", "c"),
    ])
    func readsServiceAndUser(reading: Reading) throws {
        let layout = EntryLayout(try #require(EntryName(reading.name)))
        #expect(layout.service?.text == reading.service)
        #expect(layout.user == reading.user)
    }

    @Test(
        "S11, S20: what only resembles a host is not a service",
        arguments: [
            "bank/visa", "rmondello", "bank/login", "a..example/u", ".", "shiny.example.com./u", "-/u", "1.2.3/u",
            "256.1.1.1/u", "01.2.3.4/u", "a.b.c.1/u", "shiny.example.com:0/u", "shiny.example.com:99999/u",
            "shiny.example.com:/u", "shiny.example.com:80:80/u", "exämple.com/u", "shiny.example.com\\x/u",
            "user@/u", "@shiny.example.com", "u@bank", "shiny example.com/u", "a.b/u", "[::1]/u",
        ])
    func findsNoServiceInOtherNames(text: String) {
        guard let name = EntryName(text) else { return }
        #expect(EntryLayout(name).service == nil)
    }

    @Test
    func takesNoLookalikeForAHostWithinTheFolder() throws {
        let layout = EntryLayout(try #require(EntryName("example.com/evilexample.com")))
        #expect(layout.service?.text == "example.com")
        #expect(layout.user == "evilexample.com")
    }

    @Test(arguments: [
        ("https://shiny.example.com/login?x=1", "shiny.example.com"),
        ("HTTPS://Shiny.Example.com", "shiny.example.com"),
        ("http://shiny.example.com", "http://shiny.example.com"), ("http://a.example:80/", "http://a.example"),
        ("https://a.example:8443/x", "https://a.example:8443"), ("shiny.example.com", "shiny.example.com"),
        ("shiny.example.com:8443/path", "https://shiny.example.com:8443"), ("http://intranet/", "http://intranet"),
    ])
    func readsLines(line: String, text: String) {
        #expect(EntryService(line: line)?.text == text)
    }

    @Test(
        "S14, S20: a URL that says anything else is not a service",
        arguments: [
            "", "https://", "https://user@a.example", "https://a.example@evil.example", "ftp://a.example",
            "javascript:1",
            "file:///etc", "https://a.example\\.evil.example", "https://a b.example", "https://:443", "intranet",
            "https://a.example:x", "https://exämple.com",
        ])
    func refusesOtherLines(line: String) {
        #expect(EntryService(line: line) == nil)
    }
}
