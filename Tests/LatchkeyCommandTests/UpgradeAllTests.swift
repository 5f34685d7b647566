// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Testing

@testable import TerminalRendering
@testable import latchkey

/// `latchkey upgrade --all`, as far as it needs no daemon.
@Suite struct UpgradeAllTests {
    private func entry(_ outcome: UpgradeAll.Outcome, message: String? = nil) -> UpgradeAll.Entry {
        .init(
            account: .init(service: "a.example", user: "anna", provider: "Passwords", extension: "Shiny"),
            outcome: outcome, message: message)
    }

    @Test(arguments: [
        (WireError(.userCanceled, "The user said no."), UpgradeAll.Outcome.canceled),
        (WireError(.timedOut, "Late."), .failed), (WireError(.providerExtension(0), "No."), .failed),
        (WireError(.refused, "No."), .refused), (WireError(.busy, "Busy."), .refused),
        (WireError(WireError.Code(rawValue: 4_711), "Of another time."), .refused),
    ])
    func errorsAreRead(error: WireError, outcome: UpgradeAll.Outcome) {
        let read = UpgradeAll.reading(error)
        #expect(read.0 == outcome && read.1 == error.message)
        #expect(UpgradeAll.endOfAll(error) == nil)
    }

    @Test(
        arguments: [
            (WireError(.locked, "Locked."), 3), (WireError(.authenticationRequired, "First."), 4),
            (WireError(.wrongPassphrase, "No."), 4), (WireError(.methodNotFound, "Older."), 1),
            (WireError(.notPermitted, "No."), 6),
        ] as [(WireError, Int32)])
    func someErrorsEndAll(error: WireError, status: Int32) {
        #expect(UpgradeAll.endOfAll(error)?.status.rawValue == status)
    }

    @Test func cancelsOfTheTerminalAreNoEnd() {
        let canceled = CommandFailure(.canceled, "Canceled.")
        #expect(UpgradeAll.reading(canceled).0 == .canceled && UpgradeAll.endOfAll(canceled) == nil)
    }

    @Test func summaries() {
        #expect(UpgradeAll.summary([]).contains("no account"))
        #expect(UpgradeAll.summary([entry(.changed)]) == "1 of 1 changed.")
        #expect(
            UpgradeAll.summary([entry(.changed), entry(.failed), entry(.refused), entry(.notReached)])
                == "1 of 4 changed; 1 failed, of which both passwords are kept; 1 left as it was; 1 not begun.")
        #expect(UpgradeAll.summary([entry(.canceled), entry(.refused)]) == "0 of 2 changed; 2 left as they were.")
    }

    @Test func resultIsJSON() {
        let text = UpgradeAll.json([entry(.failed, message: "Not today."), entry(.notReached)]).encoded().testText
        for part in [
            "\"user\":\"anna\"", "\"reason\":null", "\"outcome\":\"failed\",\"message\":\"Not today.\"",
            "\"outcome\":\"not-reached\",\"message\":null",
        ] { #expect(text.contains(part), "\(text)") }
    }

    @Test func namesSayWhy() {
        var account = entry(.changed).account
        #expect(UpgradeAll.name(account) == "anna at a.example")
        account.reason = "It can be guessed."
        #expect(UpgradeAll.name(account) == "anna at a.example (It can be guessed.)")
    }

    @Test func nobodyIsAskedByNobody() {
        #expect(throws: WireError.self) { try CurrentDesk().answer("browser.present", .object([:])) }
    }
}
