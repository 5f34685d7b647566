// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import ShownText
import Testing

@testable import PasswordsModel

@Suite struct ActivityRowTests {
    private static func line(_ event: String, requester: String = "https://shiny.example.com") -> AuditLine {
        AuditLine(
            time: 1, event: event, provider: "org.latchkey.passwords", service: "shiny.example.com", user: "rmondello",
            requester: requester, act: "bar", authentication: "passphrase", reason: nil, purpose: nil)
    }

    @Test func saysWhatWasGivenToWhomAndHowTheUserWasVerified() {
        let row = ActivityRow(Self.line("released"))
        #expect(row.sentence.text == "https://shiny.example.com was given rmondello at shiny.example.com")
        #expect(row.detail.text == "verified by passphrase · bar")
        #expect(!row.isWarning)
    }

    @Test(arguments: ["refused", "weakened", "damaged", "rejected", "unsettled", "replaced"])
    func marksWhatTheUserShouldLookAt(event: String) {
        #expect(ActivityRow(Self.line(event)).isWarning)
    }

    @Test func showsAnEventThatIsNotKnown() {
        #expect(ActivityRow(Self.line("invented")).sentence.text == "invented: rmondello at shiny.example.com")
    }

    @Test func isFoundByWordsOfTheLine() {
        let row = ActivityRow(Self.line("refused"))
        #expect(row.isFound(by: "refused RMONDELLO") && row.isFound(by: "") && !row.isFound(by: "eliza"))
    }

    @Test func cleansWhatARequesterIsCalled() {
        #expect(!ActivityRow(Self.line("released", requester: "a\u{202E}b\nc")).sentence.text.contains("\n"))
    }
}
