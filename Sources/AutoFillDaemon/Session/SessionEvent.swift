// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What happens to the user's session that locks.
enum SessionEvent: Sendable, Equatable {
    case suspending
    case screenLocked
}
