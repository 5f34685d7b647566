// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon

/// The texts and buttons of the notifications that ask whether to save a password.
@Suite struct SavingNotificationTests {
    private func question(user: String?, _ kind: PromptDesk.Question.Kind = .savePassword) -> PromptDesk.Question {
        PromptDesk.Question(kind: kind, requester: "Your browser", site: "https://shiny.example.com", user: user)
    }

    private func labels(_ notification: DesktopNotification) -> [String] { notification.buttons.map(\.label.text) }

    @Test func aNewPasswordIsSavedByOnePress() {
        let notification = DesktopNotification.saving(question(user: "rmondello"))
        #expect(notification.lines.map(\.text) == ["Save the password for rmondello at shiny.example.com?"])
        #expect(labels(notification) == ["Save", "Not Now", "Never"])
        #expect(notification.buttons.map(\.choice) == [.agree, .refuse, .never])
    }

    @Test func withoutAUserNameTheWindowAsksForOne() {
        let notification = DesktopNotification.saving(question(user: nil))
        #expect(notification.lines.map(\.text) == ["Save the password for shiny.example.com?"])
        #expect(notification.buttons.map(\.choice) == [.show, .refuse, .never])
    }

    @Test func anUpdateSaysThatItReplaces() {
        var asked = question(user: "rmondello", .updatePassword)
        asked.top = "https://other.example"
        asked.reasons = ["A reason."]
        let notification = DesktopNotification.updating(asked)
        #expect(
            notification.lines.map(\.text) == [
                "Replace the saved password for rmondello at shiny.example.com? The old one stays in the history.",
                "The form is in a frame of a page of other.example.", "A reason.",
            ])
        #expect(notification.buttons.map(\.choice) == [.agree, .refuse, .never])
    }

    @Test func whileLockedNobodyIsNamed() {
        #expect(
            DesktopNotification.unlocking.lines.map(\.text) == ["Unlock Latchkey to save the password that you used."])
        #expect(DesktopNotification.unlocking.buttons.map(\.choice) == [.agree, .refuse])
    }
}
