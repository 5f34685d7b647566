// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A share of the memory that the process may lock (`RLIMIT_MEMLOCK`), and the secrets that are kept in it.
///
/// A quarter of the limit is for keys alone. Everything else is charged to the remaining three quarters, and what comes from a
/// peer to an arena of its kind of peer besides. So no peer can keep keys, or what another kind of peer sends, out of locked
/// memory. A secret beyond its share is still left out of core dumps and wiped.
public final class SecretArena: Sendable {
    let allocator: SecretAllocator

    private static let limit = Int(clamping: latchkey_lock_limit())
    private static let besideKeys = LockBudget(limit: limit - limit / 4)

    /// For keys.
    public static let keys = SecretArena(budget: LockBudget(limit: limit / 4))
    /// For what the program makes itself.
    public static let own = SecretArena(budget: besideKeys)

    /// An arena for what peers send and are sent.
    ///
    /// - Parameter sixteenths: its share of the limit. All arenas for peers have at most 8 together, so that 4 remain for
    ///   `own`.
    public convenience init(sixteenths: Int) {
        self.init(budget: LockBudget(limit: Self.limit / 16 * sixteenths, of: Self.besideKeys))
    }

    init(budget: LockBudget) {
        allocator = SecretAllocator(budget: budget)
    }
}
