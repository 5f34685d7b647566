// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease

/// The time between an unlock and the next lock, with the keys, the registry and the stores that are open meanwhile.
///
/// Whoever suspends for the session's sake keeps this value and asks it afterwards. Once Latchkey was locked, every use throws
/// `locked`, also where it has been unlocked again: nothing that began before a lock may end after it.
@DaemonActor final class UnlockedSession {
    /// Which session it is; a release is bound to it.
    let epoch: UserAct.Epoch
    private var opened: UnlockedKeys?

    init(_ keys: UnlockedKeys, epoch: UserAct.Epoch) {
        opened = keys
        self.epoch = epoch
    }

    /// Whether Latchkey has not been locked since.
    var isCurrent: Bool { opened != nil }

    /// What is open now, or `nil` after the lock.
    var current: UnlockedKeys? { opened }

    /// What is open now. Throws `locked` after the lock.
    var keys: UnlockedKeys {
        get throws {
            guard let opened else { throw Broker.lockedMeanwhile }
            return opened
        }
    }

    /// Throws `locked` after the lock.
    func check() throws {
        guard isCurrent else { throw Broker.lockedMeanwhile }
    }

    /// Changes the registry or the stores.
    ///
    /// - Throws: `locked` after the lock, without calling `change`; what `change` throws.
    @discardableResult func change<Answer>(_ change: (inout UnlockedKeys) throws -> Answer) throws -> Answer {
        guard let answer = try opened?.applying(change) else { throw Broker.lockedMeanwhile }
        return answer
    }

    /// Lets go of the keys, which wipes them.
    func end() {
        opened = nil
    }
}

extension UnlockedKeys {
    fileprivate mutating func applying<Answer>(_ change: (inout UnlockedKeys) throws -> Answer) rethrows -> Answer {
        try change(&self)
    }
}
