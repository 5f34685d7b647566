// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon

/// The outcomes that signals of a bus bring for a notification that is shown.
@Suite struct NotificationAnswersTests {
    private static let shown = ContinuousClock.now
    private let answers = NotificationAnswers(
        owner: ":1.5", number: 7, choices: ["kfg": .agree, "qwz": .never, "default": .show], shown: shown)

    private func outcome(
        _ member: String, _ body: BusSignal.Body, sender: String = ":1.5", after span: Duration = .seconds(1),
        interface: String = "org.freedesktop.Notifications"
    ) -> NotificationAnswers.Outcome? {
        answers.outcome(
            of: BusSignal(
                sender: sender, path: "/org/freedesktop/Notifications", interface: interface, member: member,
                body: body),
            at: Self.shown + span)
    }

    @Test func aButtonAnswersAndThePressOnTheNotificationItselfShowsTheQuestion() {
        #expect(outcome("ActionInvoked", .action(7, "kfg")) == .chosen(.agree))
        #expect(outcome("ActionInvoked", .action(7, "qwz")) == .chosen(.never))
        #expect(outcome("ActionInvoked", .action(7, "default")) == .chosen(.show))
        #expect(outcome("NotificationClosed", .closed(7)) == .closed)
    }

    @Test(arguments: ["", "0", "agree", "save", "KFG"])
    func aKeyThatNobodyOfferedAnswersNothing(key: String) {
        #expect(outcome("ActionInvoked", .action(7, key)) == nil)
    }

    @Test func anotherNotificationAndAnotherProgramAnswerNothing() {
        #expect(outcome("ActionInvoked", .action(8, "kfg")) == nil)
        #expect(outcome("NotificationClosed", .closed(8)) == nil)
        #expect(outcome("ActionInvoked", .action(7, "kfg"), sender: ":1.6") == nil)
        #expect(outcome("NotificationClosed", .closed(7), sender: ":1.6") == nil)
        #expect(outcome("ActionInvoked", .action(7, "kfg"), interface: "org.example.Notifications") == nil)
        #expect(outcome("ActionInvoked", .text("kfg")) == nil)
    }

    @Test func whatIsPressedBeforeItCanBeReadIsNoAnswer() {
        for span in [Duration.zero, .milliseconds(499)] {
            #expect(outcome("ActionInvoked", .action(7, "kfg"), after: span) == .tooEarly)
            #expect(outcome("NotificationClosed", .closed(7), after: span) == .tooEarly)
        }
        #expect(outcome("ActionInvoked", .action(7, "kfg"), after: .milliseconds(500)) == .chosen(.agree))
    }

    @Test func aServerThatEndsHasClosedIt() {
        func change(_ name: String, _ old: String, sender: String = "org.freedesktop.DBus") -> NotificationAnswers
            .Outcome?
        {
            outcome(
                "NameOwnerChanged", .owner(name: name, old: old, new: ""), sender: sender,
                interface: "org.freedesktop.DBus")
        }
        #expect(change("org.freedesktop.Notifications", ":1.5") == .closed)
        #expect(change("org.freedesktop.Notifications", ":1.6") == nil)
        #expect(change("org.example.Other", ":1.5") == nil)
        #expect(change("org.freedesktop.Notifications", ":1.5", sender: ":1.6") == nil)
    }
}
