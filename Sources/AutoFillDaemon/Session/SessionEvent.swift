// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// An event of the user's session that can lock Latchkey, or end its PIN.
enum SessionEvent: Sendable, Equatable {
    case suspending
    case screenLocked
    /// One of the user's sessions has ended.
    case sessionEnded
}
