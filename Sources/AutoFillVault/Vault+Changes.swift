// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import FoundationEssentials
internal import GRDB

extension Vault {
    /// Adds items, all of them or none.
    ///
    /// - Throws: `invalidItem` when one is beyond the limits.
    @discardableResult
    public func add(_ newItems: [NewItem]) throws -> [VaultItem] {
        for item in newItems {
            try ItemLimits.check(
                services: item.services,
                user: item.user,
                password: item.password,
                notes: item.notes,
                authenticator: item.authenticator,
                tags: item.tags,
                title: item.title
            )
        }
        let date = ItemRow.truncated(now())
        return try changing { table in
            try newItems.map { new in
                var item = VaultItem(
                    id: ItemIdentifier.random(),
                    services: new.services,
                    user: new.user,
                    isStrict: new.isStrict,
                    created: date,
                    modified: date,
                    removed: nil,
                    isFavorite: new.isFavorite,
                    tags: new.tags,
                    title: new.title,
                    hasPassword: new.password.count > 0
                )
                try ItemLimits.check(whole: item)
                try table.insert(item, password: new.password, notes: new.notes)
                if let link = new.authenticator, link.count > 0 {
                    try table.update(authenticator: link, of: item.id)
                    item.hasAuthenticator = true
                }
                try OutboxTable.append(table.db, .save(itemID: item.id), keys: keys)
                return item
            }
        }
    }

    /// Changes an item. A password that is replaced by a different one goes into the history. Title, tags, and whether it is a favorite, are
    /// the user's notes about an account that has not changed: its date stays, and the identity store has nothing to be told.
    ///
    /// - Throws: `notFound` also for a removed item, `invalidItem` beyond the limits.
    @discardableResult
    public func edit(_ id: String, _ changes: ItemChanges) throws -> VaultItem {
        try ItemLimits.check(
            services: changes.services,
            user: changes.user,
            password: changes.password,
            pastPassword: changes.pastPassword,
            notes: changes.notes,
            authenticator: changes.authenticator,
            tags: changes.tags,
            title: changes.title
        )
        let date = ItemRow.truncated(now())
        return try changing { table in
            let old = try table.item(id)
            guard old.removed == nil else { throw VaultError(.notFound, "the item was removed", row: id) }
            var item = VaultItem(
                id: id,
                services: changes.services ?? old.services,
                user: changes.user ?? old.user,
                isStrict: changes.isStrict ?? old.isStrict,
                created: old.created,
                modified: changes.isOfLabelsAlone ? old.modified : date,
                removed: nil,
                hasAuthenticator: old.hasAuthenticator,
                isFavorite: changes.isFavorite ?? old.isFavorite,
                tags: changes.tags ?? old.tags,
                title: changes.title ?? old.title,
                hasPassword: changes.password.map { $0.count > 0 } ?? old.hasPassword
            )
            if changes.services != nil || changes.password != nil || changes.title != nil {
                try ItemLimits.check(whole: item)
            }
            if let password = changes.password {
                let replaced = try table.password(of: id)
                if password != replaced {
                    let past = replaced.count > 0 ? [PasswordChange(date: date, password: replaced)] : []
                    let history = try table.history(of: id) + past
                    try table.update(password: password, history: history, of: id)
                }
            }
            if let past = changes.pastPassword, past.count > 0, past != (try table.password(of: id)) {
                let history = try table.history(of: id)
                if !history.contains(where: { $0.password == past }) {
                    try table.update(
                        password: try table.password(of: id),
                        history: history + [PasswordChange(date: date, password: past)], of: id)
                }
            }
            if let notes = changes.notes { try table.update(notes: notes, of: id) }
            if let link = changes.authenticator {
                try table.update(authenticator: link.count > 0 ? link : nil, of: id)
                item.hasAuthenticator = link.count > 0
            }
            try table.update(item)
            if !changes.isOfLabelsAlone { try OutboxTable.append(table.db, .save(itemID: id), keys: keys) }
            return item
        }
    }

    /// Removes an item; it can be restored for `RetentionAges.span` at least.
    ///
    /// - Throws: `notFound` also when it was removed already.
    public func remove(_ id: String) throws {
        let date = ItemRow.truncated(now())
        try changing { table in
            let old = try table.item(id)
            guard old.removed == nil else { throw VaultError(.notFound, "the item was removed already", row: id) }
            try table.update(old.with(modified: date, removed: date))
            try OutboxTable.append(table.db, .remove(itemID: id), keys: keys)
        }
    }

    /// Brings a removed item back as it was.
    ///
    /// - Throws: `notFound` also when it is not removed.
    @discardableResult
    public func restore(_ id: String) throws -> VaultItem {
        let date = ItemRow.truncated(now())
        return try changing { table in
            let old = try table.item(id)
            guard old.removed != nil else { throw VaultError(.notFound, "the item is not removed", row: id) }
            let item = old.with(modified: date, removed: nil)
            try table.update(item)
            try OutboxTable.append(table.db, .save(itemID: id), keys: keys)
            return item
        }
    }

    /// Forgets the pending changes up to a sequence, that one included, once the identity store has them.
    public func acknowledge(upTo sequence: Int64) throws {
        try VaultError.mapping(path) { try queue.write { try OutboxTable.acknowledge($0, upTo: sequence) } }
    }

    func changing<Value>(_ body: (inout ItemTable) throws -> Value) throws -> Value {
        try VaultError.mapping(path) {
            try queue.write { db in
                var table = ItemTable(db, keys: keys, file: path)
                try table.begin()
                let value = try body(&table)
                try table.finish()
                return value
            }
        }
    }
}

extension VaultItem {
    fileprivate func with(modified: Date, removed: Date?) -> VaultItem {
        VaultItem(
            id: id,
            services: services,
            user: user,
            isStrict: isStrict,
            created: created,
            modified: modified,
            removed: removed,
            hasAuthenticator: hasAuthenticator,
            isFavorite: isFavorite,
            tags: tags,
            title: title,
            hasPassword: hasPassword
        )
    }
}
