// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import ShownText
import Testing

@testable import git_credential_latchkey

@Suite struct GitQuestionTests {
    private func question(_ kind: String, _ accounts: GitAccount...) -> Git.Ask.Params {
        .init(kind: kind, requester: "git, started by /usr/bin/bash,", site: "https://a.test", accounts: accounts)
    }

    @Test("S28: a question names who asks, for what, and every account")
    func namesEverything() {
        let lines = GitQuestion.lines(
            question(
                "use", .init(user: "me", service: "a.test"), .init(user: "you", service: "b.test", note: "careful")))
        #expect(
            lines == [
                "Latchkey: git, started by /usr/bin/bash, asks for the login for https://a.test.",
                "  1. me (saved for a.test)", "  2. you (saved for b.test, careful)",
            ])
    }

    @Test func asksForThePINWhereItUnlocks() {
        var asked = question("unlock")
        #expect(GitQuestion.secretPrompt(asked) == "Latchkey passphrase (empty for no)")
        asked.takesPIN = true
        #expect(GitQuestion.secretPrompt(asked) == "Latchkey PIN or passphrase (empty for no)")
    }

    @Test("S43: what a question quotes moves and hides nothing on the terminal")
    func whatItQuotesMovesNothingOnTheTerminal() {
        let odd = "me\u{1B}[2J\n\u{202E}\u{200B}"
        var asked = question(
            "use", .init(user: DisplayText(odd), service: DisplayText(odd), note: DisplayText(odd)),
            .init(user: DisplayText("" as String), service: DisplayText(odd)))
        (asked.requester, asked.site, asked.message) = (DisplayText(odd), DisplayText(odd), odd)
        let lines = GitQuestion.lines(asked)
        #expect(lines.count == 4)
        for scalar in lines.flatMap(\.text.unicodeScalars) where scalar.properties.generalCategory != .spaceSeparator {
            if case .plain = ShownScalar(scalar) { continue }
            Issue.record("\(scalar.escaped(asASCII: true)) is shown")
        }
    }

    private static let exact = GitAccount(user: "me", service: "a.example")
    private static let elsewhere = GitAccount(user: "me", service: "b.example", note: "for another host or path")

    @Test(arguments: ["Y es?", "2", "0", "-1", "yy", "99999999999999999999", "\u{1}", "-9223372036854775808"])
    func whatIsNoneOfTheChoicesIsNoAnswer(typed: String) {
        #expect(GitQuestion.answer(typed, to: question("use", Self.exact)) == nil)
        #expect(GitQuestion.answer("y", to: question("use", Self.exact, Self.exact)) == nil)
        #expect(GitQuestion.answer("4", to: question("use", Self.exact, Self.exact, Self.exact)) == nil)
    }

    @Test func returnTakesTheLoginOfThisVeryPlaceAndNoOther() {
        let exact = question("use", Self.exact, Self.elsewhere)
        #expect(GitQuestion.answer("", to: exact)?.choice == 0)
        #expect(GitQuestion.prompt(exact) == "Which one? [1-2, Return for 1], [n]one, [q]uit git: ")
        #expect(GitQuestion.prompt(question("use", Self.exact)) == "Use it? [Y]es, [n]o, [q]uit git: ")
        let none = question("use", Self.elsewhere, Self.elsewhere)
        #expect(GitQuestion.answer("", to: none) == .init())
        #expect(GitQuestion.prompt(none).hasPrefix("None fits without a doubt. "))
        #expect(GitQuestion.answer("", to: question("use", Self.elsewhere)) == .init())
        #expect(GitQuestion.answer("", to: question("save", Self.exact)) == .init())
    }

    @Test(arguments: ["n", "no", " None"])
    func aNoIsANo(typed: String) {
        #expect(GitQuestion.answer(typed, to: question("use", Self.exact, Self.exact)) == .init())
    }

    @Test func aYesAndANumberChoose() {
        let three = question("use", Self.exact, Self.exact, Self.exact)
        #expect(GitQuestion.answer("y", to: question("use", Self.exact))?.choice == 0)
        #expect(GitQuestion.answer(" YES ", to: question("use", Self.exact))?.choice == 0)
        #expect(GitQuestion.answer("2", to: three)?.choice == 1)
        #expect(GitQuestion.answer("q", to: three)?.quit == true)
    }
}
