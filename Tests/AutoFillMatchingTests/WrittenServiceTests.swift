// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import Testing

@testable import AutoFillMatching

@Suite struct WrittenServiceTests {
    @Test(arguments: [
        ("https://oauth2:canary@git.example/team/app.git", "https://git.example/team/app.git"),
        ("HTTPS://me:canary@a.example", "HTTPS://a.example"), ("http:\\\\me:canary@a.example/", "http:\\\\a.example/"),
        ("https:me:canary@a.example", "https:a.example"), ("  https://me:canary@a.example", "https://a.example"),
        ("https://me@mail.example:canary@a.example:8443/x?y=@z", "https://a.example:8443/x?y=@z"),
        ("https://:canary@[::1]/", "https://[::1]/"), ("oauth2:canary@a.example/x", "a.example/x"),
        ("ftp://me:canary@a.example", "ftp://a.example"), ("https://me:can/ary@a.example/x", "https://a.example/x"),
        ("https://me:can#ary@canary@a.example", "https://a.example"),
    ]) func refusesAnAddressWithASecret(text: String, kept: String) throws {
        let written = WrittenService(text)
        #expect(written.heldSecret)
        #expect(written.text == kept)
        let refusal = try #require(written.refusal)
        #expect(!(refusal.sentence + refusal.hint).contains("ary"))
    }

    /// Whatever stands around an address, and however its "@" is written.
    @Test(arguments: [
        "see https://oauth2:canary@h.example/", "\"https://oauth2:canary@h.example/\"", "<https://me:canary@h.example>",
        "\u{200B}https://me:canary@h.example", "\u{A0}https://me:canary@h.example", "//me:canary@h.example",
        "/me:canary@h.example", "me:can/ary@h.example", "me:c#an@h.example", "https://oauth2:canary%40h.example/",
        "https://me:canary\u{FF20}h.example/", "https://us?er:canary@h.example", "https://user/x:canary@h.example",
        "https://a.example/;https://me:canary@h.example/",
    ]) func refusesWhatHoldsASecretSomewhere(text: String) {
        #expect(WrittenService(text).heldSecret)
    }

    @Test(arguments: [
        "mailto:anna@example.com", "sip:anna@voip.example", "Bank: me@bank.example", "npm:@scope/x",
        "medium.example/@user", "localhost:3000/@user", "org.gnome.Fractal",
    ]) func refusesNoNameForItsSign(text: String) {
        let written = WrittenService(text)
        #expect(!written.heldSecret && written.refusal == nil && written.text == text)
    }

    @Test func aHostBehindAPathIsAGuess() {
        #expect(!WrittenService("https://evil.example:x/@bank.example").hostIsSure)
        #expect(
            WrittenService("https://me:x@bank.example/@a").hostIsSure && WrittenService("https://[::1]:80/").hostIsSure)
    }

    @Test(arguments: [
        ("https://me@a.example/x", "https://a.example/x"), ("https://me:@a.example", "https://a.example"),
        ("https://a@b@a.example:8443", "https://a.example:8443"),
    ]) func leavesTheUserNameOut(text: String, kept: String) {
        let written = WrittenService(text)
        #expect(written.namedUser && !written.heldSecret)
        #expect(written.text == kept)
        #expect(written.refusal == nil)
    }

    @Test(arguments: [
        "a.example", "a.example:8443", "a.example/x?y=z@b:c", "https://a.example/@52.5,13.4", "https://[::1]:8443/x",
        "https://a.example?x=a:b@c", "https://", "", "my bank", "my bank: me@home", "localhost:3000", "bücher.example",
        " a.example",
    ]) func leavesEverythingElseAsItIs(text: String) {
        let written = WrittenService(text)
        #expect(written.text == text)
        #expect(!written.heldSecret && !written.namedUser && written.refusal == nil)
    }

    @Test(arguments: [
        ("git@git.example:team/app.git", "git.example"), ("me@a.example", "a.example"), ("*.a.example", "a.example"),
        ("https://*.a.example/x", "a.example"), ("me@*.a.example", "a.example"),
    ]) func saysWhichHostIsMeant(text: String, host: String) {
        let written = WrittenService(text)
        #expect(written.meantHost == host)
        #expect(written.refusal?.hint == "Did you mean \(host)?")
        #expect(Origin(written: written.text) == nil)
    }
}
