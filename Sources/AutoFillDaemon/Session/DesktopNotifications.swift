// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillSecrets
internal import Foundation
internal import Logging
internal import ShownText
internal import Synchronization

/// Shows notifications by the server on the session's bus (`org.freedesktop.Notifications`), each over a connection of its own.
final class DesktopNotifications: NotificationShowing {
    private let address: String?
    private let time: TimeSource
    private let logger: Logger
    /// Those of the notifications that are shown.
    private let wakers = Mutex<[Waker]>([])
    /// Their threads.
    private let threads = DispatchGroup()
    /// How long the end of a notification is waited for. A server that takes longer shows it for longer.
    private static let patience = DispatchTimeInterval.seconds(1)

    init(environment: [String: String], time: TimeSource, logger: Logger) {
        address = Bus.session.address(in: environment)
        self.time = time
        self.logger = logger
    }

    func choice(for notification: DesktopNotification) async -> DesktopNotification.Choice? {
        guard let address, let waker = Waker() else { return nil }
        wakers.withLock { $0.append(waker) }
        defer { wakers.withLock { $0.removeAll { $0 === waker } } }
        threads.enter()
        return await withTaskCancellationHandler {
            await Self.onThread {
                defer { self.threads.leave() }
                return self.show(notification, address, until: waker)
            } ?? nil
        } onCancel: {
            waker.wake()
        }
    }

    func haveButtons() async -> Bool {
        guard let address else { return false }
        return await Self.onThread { (try? Self.server(on: .open(address: address))) != nil } ?? false
    }

    func takeBackAll() async {
        for waker in wakers.withLock(\.self) { waker.wake() }
        _ = await Self.onThread { self.threads.wait(timeout: .now() + Self.patience) }
    }

    /// Runs what blocks on a thread of its own; `nil` once the task is cancelled, whatever the thread still waits for.
    private static func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result? {
        let (results, continuation) = AsyncStream<Result>.makeStream()
        Thread.detachNewThread {
            continuation.yield(body())
            continuation.finish()
        }
        for await result in results { return result }
        return nil
    }

    private func show(
        _ notification: DesktopNotification, _ address: String, until waker: Waker
    ) -> DesktopNotification.Choice? {
        do throws(BusError) {
            let bus = try BusConnection.open(address: address)
            guard let (owner, abilities) = try Self.server(on: bus) else { return nil }
            try bus.add(rule: "type='signal',sender='\(owner)',interface='\(NotificationAnswers.service)'")
            try bus.add(
                rule: "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                    + "member='NameOwnerChanged',arg0='\(NotificationAnswers.service)'")
            // Shown again once where it was pressed before anybody can have read it.
            for _ in 0..<2 where !waker.isAwake {
                let keys = notification.buttons.map { (key: RandomName.make(), button: $0) }
                var choices = Dictionary(uniqueKeysWithValues: keys.map { ($0.key, $0.button.choice) })
                // The key that servers send for a press on the notification itself.
                choices["default"] = .show
                let number = try bus.notify(
                    owner, title: notification.title.text,
                    body: notification.lines.map { abilities.contains("body-markup") ? $0.text.escaped : $0.text },
                    actions: [("default", "Show")] + keys.map { ($0.key, $0.button.label.text) },
                    stays: notification.stays)
                // The server may have taken long.
                guard !waker.isAwake else {
                    try bus.closeNotification(number, of: owner)
                    return nil
                }
                let answers = NotificationAnswers(owner: owner, number: number, choices: choices, shown: time.now())
                let outcome = try Self.wait(for: answers, on: bus, time, until: waker)
                // Most servers close it themselves once it is pressed.
                if outcome != .closed { try? bus.closeNotification(number, of: owner) }
                if case .chosen(let choice) = outcome { return choice }
                guard outcome == .tooEarly else { return nil }
            }
        } catch {
            logger.debug("a notification could not be shown", metadata: ["reason": "\(error)"])
        }
        return nil
    }

    /// The connection of the server and what it can do; `nil` if none runs, which is not started for this, or if it draws no buttons.
    private static func server(
        on bus: borrowing BusConnection
    ) throws(BusError) -> (owner: String, abilities: Set<String>)? {
        guard let owner = try bus.owner(of: NotificationAnswers.service) else { return nil }
        let abilities = try bus.notificationAbilities(of: owner)
        return abilities.isSuperset(of: ["actions", "body"]) ? (owner, abilities) : nil
    }

    /// Waits for what ends a notification; `nil` if it is to be taken back.
    private static func wait(
        for answers: NotificationAnswers, on bus: borrowing BusConnection, _ time: TimeSource, until waker: Waker
    ) throws(BusError) -> NotificationAnswers.Outcome? {
        while !waker.isAwake {
            switch try bus.next() {
            case .signal(let signal):
                if let outcome = answers.outcome(of: signal, at: time.now()) { return outcome }
            case .nothing: break
            case .idle: try bus.wait(waker)
            }
        }
        return nil
    }
}

extension String {
    /// The text as it is written in the markup of a notification's body (Desktop Notifications Specification 1.2, "Markup"). Quotation marks
    /// mean nothing there, and some servers show their entities as they are written.
    fileprivate var escaped: String {
        reduce(into: "") { text, character in
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.append(character)
            }
        }
    }
}
