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
        var heldUp: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var events: [SessionEvent] { state.withLock(\.events) }

    /// What was logged: level, message and bus.
    var lines: [String] { state.withLock(\.lines) }

    /// Holds the handler up from now on, or lets it go on.
    func holdUp(_ isHeldUp: Bool) {
        let heldUp = state.withLock { state in
            state.isHeldUp = isHeldUp
            defer { if !isHeldUp { state.heldUp = [] } }
            return isHeldUp ? [] : state.heldUp
        }
        for continuation in heldUp { continuation.resume() }
    }

    func handle(_ event: SessionEvent) async {
        await withCheckedContinuation { continuation in
            let isHeldUp = state.withLock { state in
                state.events.append(event)
                if state.isHeldUp { state.heldUp.append(continuation) }
                return state.isHeldUp
            }
            if !isHeldUp { continuation.resume() }
        }
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
