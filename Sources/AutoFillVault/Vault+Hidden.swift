// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import GRDB

/// What the user does not want to be told of items, by item: words that are the caller's own.
extension Vault {
    /// The most items that are remembered, and the most words of each.
    private static let hiddenLimit = (items: 100_000, words: 32)
    private static let hiddenName = "hidden"

    /// What is hidden; of items that are gone too, until something is hidden the next time.
    public func hidden() throws -> [String: Set<String>] {
        try VaultError.mapping(path) { try queue.read { try hidden($0) } }
    }

    /// Hides words of an item, all that were hidden before replaced by them; none shows everything again.
    ///
    /// - Throws: `notFound` when there is no such item.
    public func hide(_ words: Set<String>, of id: String) throws {
        try VaultError.mapping(path) {
            try queue.write { db in
                _ = try ItemTable(db, keys: keys, file: path).item(id)
                let there = Set(try String.fetchAll(db, sql: "SELECT id FROM items"))
                var all = try hidden(db).filter { there.contains($0.key) }
                all[id] = words.isEmpty ? nil : Set(words.sorted().prefix(Self.hiddenLimit.words))
                var record = RecordEncoder()
                record.append(Int64(all.count))
                for (id, words) in all.sorted(by: { $0.key < $1.key }) {
                    record.append(id)
                    record.append(Int64(words.count))
                    for word in words.sorted() { record.append(word) }
                }
                let sealed = keys.seal.seal(record.finish(), associated: VaultKeys.place(meta: Self.hiddenName))
                try MetaTable.write(db, Self.hiddenName, sealed)
            }
        }
    }

    private func hidden(_ db: Database) throws -> [String: Set<String>] {
        guard let sealed = try MetaTable.read(db, Self.hiddenName) else { return [:] }
        var record = try RecordDecoder(try keys.seal.open(sealed, associated: VaultKeys.place(meta: Self.hiddenName)))
        var all: [String: Set<String>] = [:]
        for _ in 0..<(try record.readNumber(in: 0...Int64(Self.hiddenLimit.items))) {
            let id = try record.readText()
            let count = try record.readNumber(in: 0...Int64(Self.hiddenLimit.words))
            all[id] = Set(try (0..<count).map { _ in try record.readText() })
        }
        try record.finish()
        return all
    }
}
