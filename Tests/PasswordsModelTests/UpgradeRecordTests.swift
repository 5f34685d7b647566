// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import PasswordsModel
import Testing

struct UpgradeRecordTests {
    private static func account(_ user: String) -> UpgradeStatement {
        UpgradeStatement(service: "shiny.example.com", user: user, provider: "Passwords", extension: "Shiny")
    }

    private static func sentences(_ outcomes: UpgradeRecord.Outcome...) -> [String] {
        var record = UpgradeRecord()
        for (number, outcome) in outcomes.enumerated() { record.note(account("user\(number)"), outcome) }
        return record.sentences
    }

    @Test func oneThatIsChangedIsNamed() {
        #expect(
            Self.sentences(.changed) == [
                "The password of user0 at shiny.example.com is a strong one now. The old one is in the account's history."
            ])
    }

    @Test func oneThatFailedSaysWhyAndClaimsNothing() {
        #expect(Self.sentences(.failed("The service says no.")) == ["user0 at shiny.example.com: The service says no."])
    }

    @Test func severalAreCountedAndEachFailureIsTold() {
        #expect(
            Self.sentences(.changed, .failed("No."), .notReached, .notReached) == [
                "1 of 4 passwords are strong ones now. The old ones are in the accounts' histories.",
                "user1 at shiny.example.com: No.", "2 were not begun.",
            ])
        #expect(
            Self.sentences(.failed("No."), .notReached) == [
                "0 of 2 passwords are strong ones now.", "user0 at shiny.example.com: No.", "One was not begun.",
            ])
    }

    @Test func nameWithControlsIsShownCleaned() {
        #expect(
            !UpgradeRecord.name(Self.account("a\u{202E}b\n")).unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\n" }
        )
    }

    @Test(arguments: [
        (WireError.Code.locked, true), (.notPermitted, true), (.userCanceled, false), (.timedOut, false),
    ])
    func lockEndsAllOfThem(code: WireError.Code, isEnd: Bool) {
        #expect(UpgradeRecord.isEndOfAll(WireError(code, "")) == isEnd)
    }
}
