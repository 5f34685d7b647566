// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets
internal import GRDB

extension Vault {
    /// The generated passwords that wait to be saved, oldest first.
    public func pending() throws -> [PendingPassword] {
        try VaultError.mapping(path) { try queue.read { try PendingTable.read($0, keys: keys) } }
    }

    /// Keeps a generated password until it is saved. The same one again, for the same service, takes the place of the first.
    ///
    /// - Throws: `invalidItem` beyond the limits.
    @discardableResult
    public func keep(_ new: NewPendingPassword) throws -> PendingPassword {
        try ItemLimits.check(
            services: [new.service], user: new.user, password: new.password, notes: nil, authenticator: nil)
        try ItemLimits.check(pendingKind: new.kind, session: new.session)
        let pending = PendingPassword(
            id: ItemIdentifier.random(), service: new.service, user: new.user, kind: new.kind, session: new.session,
            created: ItemRow.truncated(now()), password: new.password)
        try changingPending { all in
            all.removeAll { $0.service == new.service && $0.password == new.password }
            all.append(pending)
        }
        return pending
    }

    /// Forgets one.
    ///
    /// - Throws: `notFound` when there is none.
    public func forgetPending(_ id: String) throws {
        try changingPending { all in
            guard all.contains(where: { $0.id == id }) else {
                throw VaultError(.notFound, "there is no such generated password", row: id)
            }
            all.removeAll { $0.id == id }
        }
    }

    /// Forgets what waited for just this password to be saved.
    public func settlePending(service: String, password: SecretBytes) throws {
        guard try pending().contains(where: { $0.service == service && $0.password == password }) else { return }
        try changingPending { $0.removeAll { $0.service == service && $0.password == password } }
    }

    private func changingPending(_ change: (inout [PendingPassword]) throws -> Void) throws {
        try VaultError.mapping(path) {
            try queue.write { db in
                var all = try PendingTable.read(db, keys: keys)
                try change(&all)
                try PendingTable.write(db, all, keys: keys)
            }
        }
    }
}
