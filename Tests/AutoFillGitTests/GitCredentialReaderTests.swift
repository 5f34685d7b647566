// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Testing

@testable import AutoFillGit

@Suite struct GitCredentialReaderTests {
    private func read(_ text: String) throws(GitCredentialFailure) -> GitCredential {
        try GitCredentialReader.read(SecretBytes(utf8: text))
    }

    @Test func readsWhatGitWrites() throws {
        let text = """
            capability[]=authtype
            protocol=https
            host=git.example.com:8443
            path=org/repo.git
            username=me
            password=p=a=ss word
            password_expiry_utc=1790000000
            wwwauth[]=Basic realm="x"

            """
        let credential = try read(text)
        #expect(credential.protocolName == "https" && credential.host == "git.example.com:8443")
        #expect(credential.path == "org/repo.git" && credential.username == "me")
        #expect(credential.password == SecretBytes(utf8: "p=a=ss word"))
        #expect(credential.expiry == 1_790_000_000 && credential.isWeb)
    }

    @Test func anEmptyLineEndsTheDescription() throws {
        let credential = try read("protocol=https\n\nhost=evil.test\npassword=x\n")
        #expect(credential.host == nil && credential.password == nil && !credential.isWeb)
    }

    @Test func theLastLineNeedsNoEnd() throws {
        #expect(try read("protocol=https\nhost=a.test").host == "a.test")
    }

    @Test func theLastOfSeveralCounts() throws {
        #expect(try read("host=a.test\nhost=b.test\n").host == "b.test")
    }

    @Test func aURLStandsForItsParts() throws {
        let credential = try read("username=before\nurl=https://us%65r:p%40ss@git.example.com:8443/org/repo.git/\n")
        #expect(credential.protocolName == "https" && credential.host == "git.example.com:8443")
        #expect(credential.username == "user" && credential.password == SecretBytes(utf8: "p@ss"))
        #expect(credential.path == "org/repo.git")
        let bare = try read("password=x\nurl=http://a.test\n")
        #expect(bare.password == nil && bare.path == nil && bare.host == "a.test" && bare.protocolName == "http")
    }

    @Test func anAtSignInAPasswordOfAURLIsNoHost() throws {
        #expect(try read("url=https://me:a@b@git.example.com/\n").host == "git.example.com")
        #expect(try read("url=https://git.example.com/@evil.test\n").host == "git.example.com")
    }

    @Test(
        "S20: what could pass for another attribute is refused",
        arguments: [
            "host=a.test\0\n", "host=a.test\rpassword=x\n", "password=a\rb\n", "=x\n", "host\n",
            "url=https://a%0Ab.test/\n",
            "url=https://a.test/x%00y\n", "url=https://a%0d@b.test/\n", "url=a.test/x\n", "url=://a.test\n", "\u{1}\n",
        ])
    func injectionIsRefused(text: String) {
        #expect(throws: GitCredentialFailure.self) { try read(text) }
    }

    @Test func whatIsNoUTF8IsRefused() {
        var bytes: [UInt8] = Array("host=".utf8) + [0xFF, 0xFE, 0x0A]
        let input = SecretBytes(wiping: &bytes)
        #expect(throws: GitCredentialFailure.self) { try GitCredentialReader.read(input) }
    }

    @Test func whatIsTooLongIsRefused() {
        let text = "host=" + String(repeating: "a", count: GitCredentialReader.limit)
        #expect(throws: GitCredentialFailure.self) { try read(text) }
    }

    @Test(arguments: ["", "soon", "-5", "0", "99999999999999999999", "1.5", " 5"])
    func anExpiryThatIsNoneSaysNothing(text: String) throws {
        #expect(try read("password_expiry_utc=\(text)\n").expiry == nil)
    }

    @Test(arguments: [("ephemeral=1\n", true), ("ephemeral=true\n", true), ("ephemeral=0\n", false), ("", false)])
    func knowsWhatIsOnlyForThisMoment(line: String, isEphemeral: Bool) throws {
        #expect(try read("host=a.test\n" + line).isEphemeral == isEphemeral)
    }

    @Test(arguments: ["ssh", "cert", "smtp", "HTTPS", ""])
    func otherProtocolsAreNotTheWeb(name: String) throws {
        #expect(!(try read("protocol=\(name)\nhost=a.test\n").isWeb))
    }

    @Test func readingNothingGivesNothing() throws {
        #expect(!(try read("").isWeb))
    }
}

@Suite struct GitCredentialWriterTests {
    private func text(_ secret: SecretBytes?) -> String? {
        secret.map { $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }

    @Test func writesWhatGitReads() throws {
        let lines = GitCredentialWriter.write(username: "me", password: SecretBytes(utf8: "pass=word"), expiry: 17)
        #expect(text(lines) == "username=me\npassword=pass=word\npassword_expiry_utc=17\n")
        let read = try GitCredentialReader.read(try #require(lines))
        #expect(read.username == "me" && read.password == SecretBytes(utf8: "pass=word") && read.expiry == 17)
    }

    @Test(
        "S20, S43: a value that does not fit into a line, or that a terminal would obey, is not written",
        arguments: [
            ("a\nprotocol=x", "p"), ("a", "p\nhost=x"), ("a\0", "p"), ("a", "p\0"), ("a\r", "p"), ("a", "p\r"),
            ("a\u{1B}[2J", "p"), ("a\u{9B}", "p"), ("a\u{85}b", "p"), ("\u{7F}", "p"),
        ])
    func lineEndsAreNotWritten(user: String, password: String) {
        #expect(GitCredentialWriter.write(username: user, password: SecretBytes(utf8: password)) == nil)
    }
}
