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

    /// Changes the registry or the stores, once a change that is being written on another thread is done.
    ///
    /// - Throws: `locked` after the lock, without calling `change`; what `change` throws.
    @discardableResult func change<Answer>(_ change: (inout UnlockedKeys) throws -> Answer) throws -> Answer {
        guard let turn = opened?.registry.turn else { throw Broker.lockedMeanwhile }
        return try turn.take {
            guard let answer = try opened?.applying(change) else { throw Broker.lockedMeanwhile }
            return answer
        }
    }

    /// Changes the registry on another thread, so that other clients are answered meanwhile. When this returns, the change is on disk;
    /// when it throws, nothing was changed. A lock waits for the one that is being written.
    ///
    /// - Throws: `locked` after the lock, without calling `change`; what `change` throws.
    func changeRegistry<Answer: Sendable>(
        _ change: @escaping @Sendable (inout SealedRegistry) throws -> Answer
    ) async throws -> Answer {
        let registry = try keys.registry
        return try await registry.turn.takeElsewhere(or: Broker.lockedMeanwhile) {
            var registry = registry
            return try change(&registry)
        }
    }

    /// Lets go of the keys, which wipes them. A change that is being written is waited for.
    func end() {
        opened?.registry.turn.end()
        opened = nil
    }
}

extension UnlockedKeys {
    fileprivate mutating func applying<Answer>(_ change: (inout UnlockedKeys) throws -> Answer) rethrows -> Answer {
        try change(&self)
    }
}
