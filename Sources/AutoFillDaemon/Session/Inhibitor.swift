// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// An inhibitor lock: logind waits with a suspension for as long as the descriptor is open.
struct Inhibitor: ~Copyable {
    /// Closes on exec: a provider that inherited it would hold the machine awake.
    let descriptor: Int32

    /// Copies a descriptor that a message owns.
    ///
    /// - Throws: a `BusError` when there are no descriptors left.
    init(copying original: Int32) throws(BusError) {
        let copy = fcntl(original, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw BusError(code: errno) }
        descriptor = copy
    }

    /// Ends the lock, so that logind no longer waits.
    deinit { close(descriptor) }
}
