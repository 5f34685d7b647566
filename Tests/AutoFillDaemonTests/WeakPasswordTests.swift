// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import ShownText
import Testing

@testable import AutoFillDaemon

@Suite struct WeakPasswordTests {
    private func warning(of password: String, field: String? = nil, known: String? = nil) async -> String? {
        let identity = CredentialIdentity(
            type: .password, service: ServiceIdentifier(kind: .url, value: "https://shiny.example.com"), user: "anna",
            recordIdentifier: nil)
        let made = HeldCredential(
            identity: identity, provider: .builtIn, password: HeldSecret(WireSecret(SecretBytes(utf8: password))))
        return await WeakPassword.warning(
            of: made,
            .init(request: 0, service: ServiceStatement(identity.service), fieldRules: field, quirkRules: known),
            maker: "Shiny")?.text
    }

    @Test(
        "S31: the user is told how weak a password is that a site's rules force",
        arguments: [
            (
                "123", "minlength: 3; maxlength: 3; allowed: digit;",
                "This site allows only 3 digits. Such a password is guessed at once."
            ),
            (
                "aaaaaaaaaaaaaaaaaaaa", "minlength: 20; allowed: [a];",
                "This site allows only one character 20 times. Such a password is guessed at once."
            ),
            (
                "abcdefgh", "maxlength: 8; allowed: lower;",
                "This site allows only 8 letters. Such a password is easy to guess."
            ),
            ("ab!", "maxlength: 3;", "This site allows only 3 characters. Such a password is guessed at once."),
            (
                "abbabaababbabaababba", "maxlength: 20; allowed: [ab];",
                "This site allows few different passwords. Such a password is easy to guess."
            ),
        ])
    func rulesOfTheSite(password: String, rules: String, words: String) async {
        #expect(await warning(of: password, field: rules) == words)
        #expect(await warning(of: password, known: rules) == words)
    }

    @Test(
        "S31: the user is told of a weak password whoever made it, whatever the rules",
        arguments: [
            ("123", "Shiny has made only 3 digits. Such a password is guessed at once."),
            (
                "aaaaaaaaaaaaaaaaaaaaaaaaa",
                "Shiny has made only one character 25 times. Such a password is guessed at once."
            ),
            ("z", "Shiny has made only 1 character. Such a password is guessed at once."),
            ("ab12cd", "Shiny has made only 6 characters. Such a password is easy to guess."),
            ("äöü", "Shiny has made only 3 characters. Such a password is guessed at once."),
        ])
    func makerOfThePassword(password: String, words: String) async {
        #expect(await warning(of: password) == words)
    }

    @Test(
        "a password of 40 bits is no question's reason",
        arguments: [
            ("rabbit-Kettle5-window", nil), ("abcdefghi", "maxlength: 9; allowed: lower;"),
            ("made-canary", "minlength: 12"), ("0123456789123", "maxlength: 13; allowed: digit;"),
            // Rules that nothing satisfies, or that take too long to count, are not followed.
            ("rabbit-Kettle5-window", "minlength: 9; maxlength: 3;"),
        ])
    func strongPassword(password: String, rules: String?) async {
        #expect(await warning(of: password, field: rules) == nil)
    }
}
