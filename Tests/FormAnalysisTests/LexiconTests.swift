// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FormAnalysis

@Suite struct LexiconTests {
    private func concepts(_ text: String) -> Concepts {
        var folded = FoldedText()
        folded.load(text, limit: 200)
        return Lexicon.shared.concepts(in: folded)
    }

    @Test(arguments: [
        "userName", "user_name", "user-name", "USERNAME", "User Name", "user[name]", "ｕｓｅｒｎａｍｅ", "loginUsername1",
    ])
    func readsOneWordHoweverItIsWritten(_ text: String) {
        #expect(concepts(text).contains(.userName))
        #expect(!concepts(text).contains(.name))
    }

    @Test(arguments: ["shipping", "spinner", "opinion", "pins", "blog", "blogin", "catalog", "dialog", "logs"])
    func matchesShortWordsAtTokenBoundariesOnly(_ text: String) {
        #expect(concepts(text).isDisjoint(with: [.pin, .signIn, .account]))
    }

    @Test(arguments: [
        "passenger", "compass", "bypass", "codec", "encode", "barcode", "postcode", "hotel", "hostel", "cart",
    ])
    func findsNoCredentialInOtherWords(_ text: String) {
        #expect(concepts(text).isDisjoint(with: [.password, .code, .oneTimeCode, .phone, .userName, .card]))
    }

    @Test func usesTheLongestWordAndUsesItUp() {
        #expect(concepts("email address") == .email)
        #expect(concepts("zip code") == .address)
        #expect(concepts("one-time password") == [.oneTimeCode, .secondFactor])
        #expect(concepts("تسجيل الدخول") == .signIn)
        #expect(concepts("تسجيل") == .signUp)
    }

    @Test func tellsNewPasswordsFromTraps() {
        #expect(concepts("New password (leave blank to keep the current one)").isDisjoint(with: .decoy))
        #expect(concepts("Leave blank if you don't want to change it").contains(.new))
        #expect(concepts("Leave this field empty if you're human").contains(.decoy))
        #expect(concepts("Leave blank") == .decoy)
    }

    @Test func tellsSendingFromLeadingOn() {
        #expect(concepts("Continue").isDisjoint(with: .proceed) && concepts("Continue").contains(.onward))
        #expect(concepts("Send").isDisjoint(with: .onward) && concepts("Send").contains(.proceed))
    }

    @Test(arguments: [
        ("OTPCode", 2), ("userID", 2), ("address1", 2), ("IDログイン", 2), ("Été d'or", 3), ("", 0), ("--", 0),
    ])
    func splitsTokens(_ text: String, _ count: Int) {
        var folded = FoldedText()
        folded.load(text, limit: 200)
        #expect(folded.units.count { $0 & FoldedText.tokenStart != 0 } == count)
    }

    @Test(arguments: [
        ("ÇĞİÖŞÜ", "cgiosu"), ("Łódź", "lodz"), ("Straße", "strasse"), ("mật khẩu", "matkhau"),
        ("e\u{301}te\u{301}", "ete"),
        ("ПАРОЛЬ", "пароль"), ("Ёж", "еж"), ("й", "и"), ("и\u{306}", "и"), ("إنشاء", "انشاء"), ("Ａ１", "a1"),
        ("ՄՈՒՏՔ", "մուտք"), ("ҚҰПИЯСӨЗ", "құпиясөз"), ("ӘӨҮ", "әөү"), ("Ə", "ə"), ("roʻyxat", "royxat"),
    ])
    func foldsCaseAndAccents(_ text: String, _ expected: String) {
        var folded = FoldedText()
        folded.load(text, limit: 200)
        #expect(folded.units.map { $0 & ~FoldedText.tokenStart } == expected.unicodeScalars.map(\.value))
    }

    @Test func readsNoFurtherThanTheLimit() {
        var folded = FoldedText()
        folded.load(String(repeating: "a", count: 10_000), limit: 50)
        #expect(folded.units.count == 50)
    }

    @Test func hasNoEntryThatFoldsToNothing() {
        let entries = Lexicon.passwordWords + Lexicon.accountWords + Lexicon.pageWords + Lexicon.refusalWords
        #expect(entries.count > 100)
        for entry in entries {
            for word in entry.words.split(separator: ",") {
                #expect(!concepts(String(word)).isEmpty, "\(word)")
            }
        }
    }
}
