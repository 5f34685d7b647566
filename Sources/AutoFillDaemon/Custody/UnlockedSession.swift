// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease

/// The time between an unlock and the next lock, with the keys, the registry and the stores that are open meanwhile.
///
/// Keep this value across an `await` and use it afterwards. Once Latchkey was locked, every use throws `locked`, even after a new unlock:
/// work that began before a lock cannot end after it.
@DaemonActor final class UnlockedSession {
    /// The epoch of the session; a release is bound to it.
    let epoch: UserAct.Epoch
    private var opened: UnlockedKeys?

    init(_ keys: UnlockedKeys, epoch: UserAct.Epoch) {
        opened = keys
        self.epoch = epoch
    }

    /// Whether Latchkey has not been locked since.
    var isCurrent: Bool { opened != nil }

    /// The open keys; `nil` after the lock.
    var current: UnlockedKeys? { opened }

    /// The open keys.
    ///
    /// - Throws: `locked` after the lock.
    var keys: UnlockedKeys {
        get throws {
            guard let opened else { throw Broker.lockedMeanwhile }
            return opened
        }
    }

    /// Checks that the session has not ended.
    ///
    /// - Throws: `locked` after the lock.
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
