// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// Handles Ctrl-C while several things are done in turn.
///
/// The first Ctrl-C is remembered, so that the current step can finish. The second ends the program as usual.
package struct Interruption {

    package init() {
    }
    // A signal handler must not take a lock. An atomic of this size is lock-free.
    private static let came = Atomic<Bool>(false)
    private static let notice: StaticString = "\nFinishing the current one. Press Ctrl-C again to stop at once.\n"

    /// Whether Ctrl-C was pressed.
    package var hasCome: Bool { Self.came.load(ordering: .relaxed) }

    package func begin() {
        Self.came.store(false, ordering: .relaxed)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { signal in
            // write, sigaction and an atomic store are safe in a handler (signal-safety(7)).
            Interruption.came.store(true, ordering: .relaxed)
            _ = write(STDERR_FILENO, Interruption.notice.utf8Start, Interruption.notice.utf8CodeUnitCount)
            var standard = sigaction()
            standard.__sigaction_handler.sa_handler = SIG_DFL
            sigaction(signal, &standard, nil)
        }
        // Interrupted reads and writes are resumed.
        action.sa_flags = SA_RESTART
        sigaction(SIGINT, &action, nil)
    }

    package func end() {
        var standard = sigaction()
        standard.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(SIGINT, &standard, nil)
    }
}
