// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Logging

/// Watches one bus from one thread, which it keeps until it is woken.
struct BusWatcher: ~Copyable {
    private enum Standing { case unknown, away, withoutService, watching }

    private let bus: Bus
    private let user: UInt32
    private let retry: Duration
    private let waker: Waker
    private let logger: Logger
    private let handler: SessionWatch.Handler
    private var inhibitor: Inhibitor?
    private var standing = Standing.unknown

    init(bus: Bus, user: UInt32, retry: Duration, waker: Waker, logger: Logger, handler: @escaping SessionWatch.Handler)
    {
        self.bus = bus
        self.user = user
        self.retry = retry
        self.waker = waker
        self.logger = logger
        self.handler = handler
    }

    /// Watches the bus; while there is none, tries again after each `retry`.
    mutating func run(address: String?) {
        guard let address else {
            // The environment of a process does not change, so trying again is useless.
            return note(.away, "no address")
        }
        while !waker.isAwake {
            do throws(BusError) {
                try watch(address)
            } catch {
                note(.away, "\(error)")
                // Without the bus no event would tell when to release it.
                inhibitor = nil
                waker.wait(atMost: retry)
            }
        }
    }

    private mutating func watch(_ address: String) throws(BusError) {
        let connection = try BusConnection.open(address: address)
        var policy = SessionPolicy(bus: bus, user: user)
        let nobody = "no " + bus.services.joined(separator: ", ")
        // Add the rules before asking: a change in between arrives as a signal.
        for rule in bus.matchRules { try connection.add(rule: rule) }
        for service in bus.services {
            let owner = try connection.owner(of: service)
            try perform(policy.take(owner: owner, of: service), connection, &policy)
        }
        while !waker.isAwake {
            note(policy.hasService ? .watching : .withoutService, nobody)
            switch try connection.next() {
            case .signal(let signal): try perform(policy.take(signal), connection, &policy)
            case .nothing: break
            case .idle: try connection.wait(waker)
            }
        }
    }

    private mutating func perform(
        _ actions: [SessionPolicy.Action],
        _ connection: borrowing BusConnection,
        _ policy: inout SessionPolicy
    ) throws(BusError) {
        for action in actions where !waker.isAwake {
            switch action {
            case .report(let event):
                report(event)
                if event == .suspending { inhibitor = nil }
            case .delaySleep:
                do throws(BusError) {
                    inhibitor = try connection.inhibitSleep()
                } catch {
                    logger.info("a suspension will not wait for Latchkey", metadata: ["reason": "\(error)"])
                }
            case .listSessions:
                try perform(policy.take(sessions: connection.loginSessions()), connection, &policy)
            case .readLockedHint(let path):
                // The session may have ended since it was listed.
                guard let hint = try? connection.lockedHint(of: path) else { continue }
                try perform(policy.take(lockedHint: hint, of: path), connection, &policy)
            }
        }
    }

    /// Calls the handler and waits for it. The thread is this watcher's own, so no other work waits. Messages that arrive meanwhile stay
    /// queued at the bus, in order.
    private func report(_ event: SessionEvent) {
        let done = DispatchSemaphore(value: 0)
        Task(priority: .high) { [handler] in
            await handler(event)
            done.signal()
        }
        done.wait()
    }

    /// Logs a change of the standing, and nothing if it stays the same.
    private mutating func note(_ standing: Standing, _ reason: String) {
        guard standing != self.standing else { return }
        self.standing = standing
        switch standing {
        case .watching:
            logger.debug("the session is watched", metadata: ["bus": "\(bus.rawValue)"])
        case .unknown, .away, .withoutService:
            logger.info(
                "the session is not watched",
                metadata: ["bus": "\(bus.rawValue)", "reason": "\(reason)"]
            )
        }
    }
}
