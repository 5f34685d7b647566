// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Counts locked memory, in bytes, against a limit and against the budget that this one is a part of.
final class LockBudget: Sendable {
    private let limit: Int
    private let whole: LockBudget?
    private let used = Mutex(0)

    /// - Parameters:
    ///   - limit: the most that may be locked; a negative one counts as 0.
    ///   - whole: a budget that is charged as well.
    init(limit: Int, of whole: LockBudget? = nil) {
        self.limit = max(0, limit)
        self.whole = whole
    }

    /// Charges bytes; `false`, and nothing is charged, when they do not fit.
    func take(_ count: Int) -> Bool {
        let fits = used.withLock { used in
            guard count <= limit - used else { return false }
            used += count
            return true
        }
        guard fits else { return false }
        guard let whole, !whole.take(count) else { return true }
        used.withLock { $0 -= count }
        return false
    }

    func giveBack(_ count: Int) {
        used.withLock { $0 -= count }
        whole?.giveBack(count)
    }
}
