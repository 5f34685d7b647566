// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CGIO

/// Isolates everything that GLib's main loop runs: the accessibility bus, the panel, and what decides between them.
///
/// The main thread runs that loop. The libraries below are not made for more threads.
@globalActor package actor DesktopActor {
    package static let shared = DesktopActor()
    private nonisolated let loop = MainLoopExecutor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Runs what a callback of the main loop does, on the thread that it came on.
    ///
    /// The executor's check ends the program when it is called on another thread, so the cast hides no race.
    package static nonisolated func assumeIsolated<Answer: Sendable>(
        _ body: @DesktopActor () throws -> Answer
    ) rethrows -> Answer {
        typealias Plain = () throws -> Answer
        shared.preconditionIsolated()
        return try withoutActuallyEscaping(body) { body in
            try unsafeBitCast(body as @DesktopActor () throws -> Answer, to: Plain.self)()
        }
    }
}

/// Runs jobs on GLib's default main context.
private final class MainLoopExecutor: SerialExecutor {
    private final class Box {
        let job: UnownedJob
        let executor: UnownedSerialExecutor

        init(_ job: UnownedJob, _ executor: UnownedSerialExecutor) {
            self.job = job
            self.executor = executor
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let box = Unmanaged.passRetained(Box(UnownedJob(job), asUnownedSerialExecutor()))
        let source = g_idle_source_new()
        // Before what waits for idleness, such as redrawing.
        g_source_set_priority(source, G_PRIORITY_DEFAULT)
        g_source_set_callback(
            source,
            { data in
                if let data {
                    let box = Unmanaged<Box>.fromOpaque(data).takeRetainedValue()
                    box.job.runSynchronously(on: box.executor)
                }
                return 0
            }, box.toOpaque(), nil)
        g_source_attach(source, nil)
        g_source_unref(source)
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() {
        precondition(g_main_context_is_owner(g_main_context_default()) != 0, "not on the thread of the main loop")
    }

    func isIsolatingCurrentContext() -> Bool? { g_main_context_is_owner(g_main_context_default()) != 0 }
}
