// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets
public import FoundationEssentials
internal import GRDB
internal import Glibc

extension Vault {
    /// What became of a damaged vault.
    public struct Repaired: Equatable, Sendable {
        /// How many items the vault has now.
        public let kept: Int
        /// How many items could not be read, or had no password that could.
        public let lost: Int
    }

    /// The items of `items`, and how many cannot be read where the vault is damaged; `nil` where it is not.
    ///
    /// The number is 0 where no row is missing and yet they are not the ones that were written.
    public func readableItems(search: String? = nil, includingRemoved: Bool = false) throws -> (
        items: [VaultItem], unreadable: Int?
    ) {
        let (rows, isComplete, absent) = try reading { try $0.all() }
        let items = rows.compactMap { try? $0.item.get() }
        let unreadable = rows.count - items.count + absent
        return (
            Self.found(items, search: search, includingRemoved: includingRemoved),
            isComplete && unreadable == 0 && !isDamaged ? nil : unreadable
        )
    }

    /// Puts a new vault with what can be read in the place of a damaged one, which is kept beside it. One that is not damaged stays;
    /// where the file is missing, the new one is empty.
    ///
    /// No other vault may be open in the folder. After a crash there is the old vault or the new one.
    ///
    /// - Throws: `VaultError`, also where nothing can be read; the old vault stays then.
    public static func repair(
        folder: String, key: SecretBytes, now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> Repaired {
        do {
            let whole = try Vault(folder: folder, key: key, now: now)
            defer { whole.close() }
            try whole.verify()
            return Repaired(kept: try whole.items().count, lost: 0)
        } catch let error as VaultError where error.code == .damaged {
            let path = folder + "/" + VaultFile.name
            if VaultFile.isMissing(path) {
                _ = unlink(VaultFile.mark(path))
                try Vault(folder: folder, key: key, now: now).close()
                return Repaired(kept: 0, lost: 0)
            }
            let old = try Vault(salvaging: folder, key: key, now: now)
            defer { old.close() }
            let place = folder + "/repair.new"
            try? FileManager.default.removeItem(atPath: place)
            defer { try? FileManager.default.removeItem(atPath: place) }
            let new = try Vault(folder: place, key: key, now: now)
            let repaired = try new.takeOver(old)
            try new.verify()
            new.close()
            try VaultError.mapping(old.path) {
                _ = try SetAside.link(old.path, as: .damaged)
                // It belongs to the old file, and would be played into the new one.
                _ = unlink(old.path + "-journal")
                guard rename(new.path, old.path) == 0 else {
                    throw VaultError(.file, "the new vault cannot get its name: errno \(errno)", file: old.path)
                }
                try AtomicFile.synchronize(old.path)
            }
            return repaired
        }
    }

    /// Copies what can be read of another vault into this one, which is empty.
    private func takeOver(_ old: Vault) throws -> Repaired {
        try VaultError.mapping(old.path) {
            try old.queue.unsafeRead { source in
                let from = ItemTable(source, keys: old.keys, file: old.path)
                let (rows, isComplete, absent) = try from.all()
                guard isComplete || rows.contains(where: { (try? $0.item.get()) != nil }) else {
                    throw VaultError(.damaged, "no item can be read", file: old.path)
                }
                return try changing { table in
                    var kept = 0
                    for row in rows {
                        guard let item = try? row.item.get(), let password = try? from.password(of: row.id) else {
                            continue
                        }
                        try table.insert(item, password: password, notes: (try? from.notes(of: row.id)) ?? "")
                        try table.update(
                            password: password, history: (try? from.history(of: row.id)) ?? [], of: row.id)
                        if let link = try? from.authenticator(of: row.id) {
                            try table.update(authenticator: link, of: row.id)
                        }
                        if item.removed == nil { try OutboxTable.append(table.db, .save(itemID: row.id), keys: keys) }
                        kept += 1
                    }
                    if let pending = try? PendingTable.read(source, keys: old.keys), !pending.isEmpty {
                        try PendingTable.write(table.db, pending, keys: keys)
                    }
                    return Repaired(kept: kept, lost: rows.count - kept + absent)
                }
            }
        }
    }
}
