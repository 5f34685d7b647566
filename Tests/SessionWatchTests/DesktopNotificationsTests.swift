// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Logging
import ProcessTesting
import ShownText
import Synchronization
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon

/// One after another with the others that count what is open.
extension SessionWatchTests {
    /// Notifications over a real bus, with a mock of what shows them.
    @Suite(.tags(.startsProcess), .serialized, .timeLimit(.minutes(2))) struct DesktopNotificationsTests {
        private static let notification = DesktopNotification(
            title: "Save password?", lines: ["<b>rmondello</b> & \"co\" at shiny.example.com", "And more."],
            buttons: [.init(.agree, "Save"), .init(.refuse, "Not Now")])

        private let bus: PrivateBus
        private let shower: DesktopNotifications
        private let clock = Clock()

        /// Goes on by a step whenever somebody looks at it.
        private final class Clock: Sendable {
            let now = Mutex(ContinuousClock.now)
            let step = Mutex<Duration>(.seconds(1))
        }

        init() throws {
            bus = try PrivateBus()
            var time = TimeSource()
            time.now = { [clock] in
                clock.now.withLock { now in
                    now += clock.step.withLock(\.self)
                    return now
                }
            }
            shower = DesktopNotifications(
                environment: ["DBUS_SESSION_BUS_ADDRESS": try bus.start()], time: time,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }

        private func begin() -> Task<DesktopNotification.Choice?, Never> {
            Task { [shower] in await shower.choice(for: Self.notification) }
        }

        /// Waits for a number of notifications, checks the text of the last one, and returns the keys of its buttons.
        private func keys(of count: Int, body: String) throws -> [String] {
            let calls = try #require(try bus.tell("notified", "Notify", count) as? [[Any]])
            let call = try #require(calls.count == count ? calls.last : nil)
            #expect(call[1] as? Int == 0)
            #expect(call[3] as? String == "Save password?")
            #expect(call[4] as? String == body)
            #expect(call[7] as? Int == 0)
            let actions = try #require(call[5] as? [String])
            #expect([actions[0], actions[3], actions[5]] == ["default", "Save", "Not Now"])
            return [actions[2], actions[4]]
        }

        private static let escaped = "&lt;b&gt;rmondello&lt;/b&gt; &amp; \"co\" at shiny.example.com\nAnd more."

        @Test func theButtonThatIsPressedIsTheAnswer() async throws {
            try bus.tell("start_notifications", "actions body body-markup")
            let asking = begin()
            let keys = try keys(of: 1, body: Self.escaped)
            #expect(Set(keys).count == 2)
            // Neither another program nor a key that was not offered answers.
            let name = "org.freedesktop.Notifications"
            try bus.tell(
                "send", "stranger", "", "/org/freedesktop/Notifications", name, "ActionInvoked", "us", [1, keys[1]],
                true)
            try bus.tell("press", 1, "refuse")
            try bus.tell("press", 1, keys[0])
            #expect(await asking.value == .agree)
        }

        @Test func aPressThatComesTooEarlyShowsItAgainOnce() async throws {
            try bus.tell("start_notifications", "actions body")
            clock.step.withLock { $0 = .zero }
            let asking = begin()
            let plain = "<b>rmondello</b> & \"co\" at shiny.example.com\nAnd more."
            let first = try keys(of: 1, body: plain)
            try bus.tell("press", 1, first[0])
            let second = try keys(of: 2, body: plain)
            #expect(Set(first + second).count == 4)
            try bus.tell("press", 2, second[0])
            #expect(await asking.value == nil)
        }

        @Test func aLockedScreenAndTheEndOfTheQuestionTakeItBack() async throws {
            try bus.tell("start_notifications", "actions body")
            let (one, other) = (begin(), begin())
            try bus.tell("notified", "Notify", 2)
            one.cancel()
            #expect(await one.value == nil)
            try bus.tell("notified", "CloseNotification", 1)
            await shower.takeBackAll()
            #expect(await other.value == nil)
            try bus.tell("notified", "CloseNotification", 2)
        }

        @Test func aServerThatEndsOrDrawsNoButtonsAsksNothing() async throws {
            #expect(await shower.choice(for: Self.notification) == nil)
            try bus.tell("start_notifications", "body body-markup")
            #expect(await shower.choice(for: Self.notification) == nil)
            try bus.tell("stop_notifications")
            try bus.tell("start_notifications", "actions body")
            let asking = begin()
            try bus.tell("notified", "Notify", 1)
            try bus.tell("stop_notifications")
            #expect(await asking.value == nil)
        }
    }
}
