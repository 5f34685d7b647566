// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A thread for work that blocks, so that the cooperative pool keeps its threads.
///
/// Foundation's `Thread` would link all of Foundation into programs that need only this.
package enum DetachedThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Runs the work on a new thread that is never joined.
    ///
    /// - Parameter stackSize: the size of its stack in bytes; `nil` is the system's default, 8 MiB on most.
    /// - Returns: `false` if the system has no thread left; the work is not done then.
    package static func start(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        if result != 0 { work.release() }
        return result == 0
    }
}
