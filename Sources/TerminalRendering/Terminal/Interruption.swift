// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// Ctrl-C during a run of several things: the first one is remembered, so that what runs comes to its end; the next one ends the
/// program as it always does.
package struct Interruption {

    package init() {
    }
    // A signal handler may take no lock; an atomic of this size needs none.
    private static let came = Atomic<Bool>(false)
    private static let notice: StaticString = "\nThis one is brought to its end; Ctrl-C once more ends at once.\n"

    /// Whether it was pressed.
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
        // What reads or writes meanwhile goes on.
        action.sa_flags = SA_RESTART
        sigaction(SIGINT, &action, nil)
    }

    package func end() {
        var standard = sigaction()
        standard.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(SIGINT, &standard, nil)
    }
}
