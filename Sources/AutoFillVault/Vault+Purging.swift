// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import FoundationEssentials
internal import GRDB

extension Vault {
    private static let agesName = "ages"

    /// Deletes for good the removed items and the generated passwords that have waited for `RetentionAges.span`.
    ///
    /// A row that does not open is kept: what cannot be read is not known to be old.
    func purge() throws {
        let now = now()
        // Looks first without writing, so that opening a vault again within a day never touches the file.
        let isDue = try reading { table in
            var ages = ages(table.db)
            return ages.count(try waiting(table), at: now) != nil
        }
        guard isDue else { return }
        try changing { table in
            var ages = ages(table.db)
            guard let over = ages.count(try waiting(table), at: now) else { return }
            for found in try table.all().rows where over.contains(found.id) { try table.delete(found.id) }
            if let pending = try? PendingTable.read(table.db, keys: keys),
                pending.contains(where: { over.contains($0.id) })
            {
                try PendingTable.write(table.db, pending.filter { !over.contains($0.id) }, keys: keys)
            }
            let sealed = keys.seal.seal(ages.encoded, associated: VaultKeys.place(meta: Self.agesName))
            try MetaTable.write(table.db, Self.agesName, sealed)
        }
    }

    /// What waits to be deleted for good, by identifier, and since when.
    private func waiting(_ table: ItemTable) throws -> [String: Date] {
        var waiting: [String: Date] = [:]
        for found in try table.all().rows { waiting[found.id] = (try? found.item.get())?.removed }
        for pending in (try? PendingTable.read(table.db, keys: keys)) ?? [] { waiting[pending.id] = pending.created }
        return waiting
    }

    /// What was counted before. Where it is missing or damaged, everything begins to wait anew.
    private func ages(_ db: Database) -> RetentionAges {
        guard let sealed = try? MetaTable.read(db, Self.agesName),
            let payload = try? keys.seal.open(sealed, associated: VaultKeys.place(meta: Self.agesName))
        else { return RetentionAges() }
        return (try? RetentionAges(decoding: payload)) ?? RetentionAges()
    }
}
