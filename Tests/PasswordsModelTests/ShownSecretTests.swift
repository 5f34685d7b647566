// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Testing

@testable import PasswordsModel

@Suite struct ShownSecretTests {
    private static let start = ContinuousClock.now

    @Test func hidesAPasswordAfterThirtySeconds() {
        let shown = ShownTime(from: Self.start)
        #expect(!shown.isOver(at: Self.start + .milliseconds(29_999)))
        #expect(shown.isOver(at: Self.start + .seconds(30)))
        #expect(shown.secondsLeft(at: Self.start + .milliseconds(500)) == 30)
        #expect(shown.secondsLeft(at: Self.start + .seconds(31)) == 0)
    }

    @Test func countsACodeDownFetchesTheNextAndHides() {
        let first = ShownCode(SecretBytes(utf8: "123456"), secondsLeft: 4, now: Self.start)
        #expect(first.step(at: Self.start) == .counting(4))
        #expect(first.step(at: Self.start + .seconds(4)) == .next)
        let second = first.followed(
            by: SecretBytes(utf8: "654321"), secondsLeft: 30, now: Self.start + .seconds(4))
        #expect(second.step(at: Self.start + .seconds(5)) == .counting(29))
        let fourth = second.followed(
            by: SecretBytes(utf8: "111111"), secondsLeft: 60, now: Self.start + .seconds(64))
        // The time on the screen counts from the press, not from the last code.
        #expect(fourth.step(at: Self.start + .seconds(90)) == .hide)
    }

    @Test(arguments: [0, -5, Int.max])
    func boundsWhatTheDaemonSaysOfACode(secondsLeft: Int) {
        let code = ShownCode(SecretBytes(utf8: "1"), secondsLeft: secondsLeft, now: Self.start)
        #expect(code.step(at: Self.start + .seconds(100)) == .hide)
    }

    @Test func spellsCapitalsDigitsAndSigns() {
        #expect(PasswordCharacter.spelled(SecretBytes(utf8: "aB3&é ")) == "a, capital B, 3, ampersand, é, space")
        #expect(PasswordCharacter.spelled(SecretBytes(count: 0)).isEmpty)
    }

    @Test func tellsCharactersApart() {
        for character: Character in ["a", "É", "ß"] { #expect(PasswordCharacter.kind(of: character) == .letter) }
        for character: Character in ["0", "9"] { #expect(PasswordCharacter.kind(of: character) == .digit) }
        for character: Character in ["&", " ", "\u{661}"] { #expect(PasswordCharacter.kind(of: character) == .other) }
    }
}
