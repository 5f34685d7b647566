// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

@testable import AutoFillDaemon

/// Keeps what a watch tells, and can hold its handler up.
final class Recorder: Sendable {
    private struct State {
        var events: [SessionEvent] = []
        var lines: [String] = []
        var isHeldUp = false
    }

    private let state = Mutex(State())

    var events: [SessionEvent] { state.withLock(\.events) }

    /// What was logged: level, message and bus.
    var lines: [String] { state.withLock(\.lines) }

    func holdUp(_ isHeldUp: Bool) { state.withLock { $0.isHeldUp = isHeldUp } }

    func handle(_ event: SessionEvent) async {
        state.withLock { $0.events.append(event) }
        while state.withLock(\.isHeldUp) { try? await Task.sleep(for: .milliseconds(5)) }
    }

    /// A started watch of these buses; those that are not given are not there.
    func watch(system: String? = nil, session: String? = nil, user: UInt32 = 1000) -> SessionWatch {
        let environment = [
            "DBUS_SYSTEM_BUS_ADDRESS": system ?? "unix:path=/nonexistent/system",
            "DBUS_SESSION_BUS_ADDRESS": session ?? "unix:path=/nonexistent/session",
        ]
        var logger = Logger(label: "test") { _ in Handler(recorder: self) }
        logger.logLevel = .trace
        let watch = SessionWatch(
            logger: logger,
            environment: environment,
            user: user,
            retry: .milliseconds(20),
            handler: { await self.handle($0) }
        )
        watch.start()
        return watch
    }

    private struct Handler: LogHandler {
        let recorder: Recorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        init(recorder: Recorder) { self.recorder = recorder }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let bus = event.metadata?["bus"].map { "\($0)" } ?? ""
            recorder.state.withLock { $0.lines.append("\(event.level): \(event.message): \(bus)") }
        }
    }
}

/// What never came to be so.
struct TooLate: Error { let what: String }

/// Waits until something is so, and ends the test if that takes too long.
func eventually(_ what: String, _ isSo: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while try !isSo() {
        guard ContinuousClock.now < deadline else { throw TooLate(what: what) }
        try await Task.sleep(for: .milliseconds(10))
    }
}
