// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking

/// Decides what a bus's signals mean for one notification that is shown. No bus is needed for that.
struct NotificationAnswers: Sendable {
    enum Outcome: Sendable, Equatable {
        case chosen(DesktopNotification.Choice)
        /// Pressed or closed before anybody can have read it: it has come up under the pointer. It is gone and has to be shown again.
        case tooEarly
        /// It is gone without an answer.
        case closed
    }

    static let service = "org.freedesktop.Notifications"
    /// A press that comes earlier than this after a notification was shown was meant for something else.
    static let readingTime = Duration.milliseconds(500)

    /// The connection of the server that shows it. Any program can send signals, but none as another one.
    let owner: String
    let number: UInt32
    /// The meaning of each key that was offered. The keys are random, since a program can put its own notification in the place of one
    /// whose number it guesses.
    let choices: [String: DesktopNotification.Choice]
    let shown: ContinuousClock.Instant

    /// The outcome that a signal brings; `nil` if the signal concerns something else.
    func outcome(of signal: BusSignal, at now: ContinuousClock.Instant) -> Outcome? {
        if signal.sender == "org.freedesktop.DBus" {
            guard signal.member == "NameOwnerChanged", case .owner(Self.service, owner, _) = signal.body else {
                return nil
            }
            return .closed
        }
        guard signal.sender == owner, signal.interface == Self.service else { return nil }
        let isEarly = now - shown < Self.readingTime
        switch (signal.member, signal.body) {
        case ("ActionInvoked", .action(number, let key)):
            // Servers also send keys that nobody offered. Those answer nothing.
            return choices[key].map { isEarly ? .tooEarly : .chosen($0) }
        case ("NotificationClosed", .closed(number)):
            return isEarly ? .tooEarly : .closed
        default:
            return nil
        }
    }
}
