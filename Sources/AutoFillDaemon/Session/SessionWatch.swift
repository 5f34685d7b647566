// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Glibc
internal import Logging
internal import Synchronization

/// Watches the session over D-Bus. A machine without D-Bus is a normal one: then nothing is watched.
///
/// Each bus has a thread of its own, because sd-bus objects belong to one thread and because one bus that hangs must
/// not keep the other from being heard. The threads share nothing but what is `Sendable`.
final class SessionWatch: Sendable {
    /// Called with each event of a bus, after the call for the one before has returned. A suspension waits until it returns, for as long as
    /// logind allows (5 seconds unless configured otherwise).
    typealias Handler = @Sendable (SessionEvent) async -> Void

    private let logger: Logger
    private let environment: [String: String]
    private let user: UInt32
    private let retry: Duration
    private let handler: Handler
    private let waker = Mutex<Waker?>(nil)

    /// - Parameters:
    ///   - environment: gives the addresses of the buses.
    ///   - user: whose sessions count.
    ///   - retry: how long to wait before a bus is looked for again.
    init(
        logger: Logger,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        user: UInt32 = getuid(),
        retry: Duration = .seconds(60),
        handler: @escaping Handler
    ) {
        self.logger = logger
        self.environment = environment
        self.user = user
        self.retry = retry
        self.handler = handler
    }

    /// Begins to watch, until `stop()`, even if this object is released. Does nothing if it watches already.
    func start() {
        let made: Waker? = waker.withLock { waker in
            guard waker == nil else { return nil }
            waker = Waker()
            if waker == nil { logger.warning("the session is not watched", metadata: ["reason": "no descriptors"]) }
            return waker
        }
        guard let made else { return }
        for bus in Bus.allCases {
            Thread.detachNewThread { [logger, environment, user, retry, handler] in
                var watcher = BusWatcher(
                    bus: bus,
                    user: user,
                    retry: retry,
                    waker: made,
                    logger: logger,
                    handler: handler
                )
                watcher.run(address: bus.address(in: environment))
            }
        }
    }

    /// Ends watching. No event that comes after this is told; one that is being handled is handled to its end.
    func stop() {
        waker.withLock { waker in
            waker?.wake()
            waker = nil
        }
    }
}
