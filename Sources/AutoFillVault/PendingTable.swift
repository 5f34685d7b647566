// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import FoundationEssentials
internal import GRDB

/// The generated passwords that wait to be saved: one sealed value among the vault's named ones, so that a vault either has all
/// of them or shows that it was tampered with.
enum PendingTable {
    /// The oldest go beyond this many.
    static let limit = 200
    private static let name = "generated"

    static func read(_ db: Database, keys: VaultKeys) throws -> [PendingPassword] {
        guard let sealed = try MetaTable.read(db, name) else { return [] }
        var record = try RecordDecoder(try keys.seal.open(sealed, associated: VaultKeys.place(meta: name)))
        let count = try record.readNumber(in: 0...Int64(limit))
        let all = try (0..<count).map { _ in
            PendingPassword(
                id: try record.readText(), service: try record.readText(), user: try record.readText(),
                kind: try record.readText(), session: try record.readText(),
                created: Date(timeIntervalSince1970: Double(try record.readNumber()) / 1000),
                password: try record.readSecret())
        }
        try record.finish()
        return all
    }

    static func write(_ db: Database, _ all: [PendingPassword], keys: VaultKeys) throws {
        var record = RecordEncoder()
        let kept = all.suffix(limit)
        record.append(Int64(kept.count))
        for pending in kept {
            record.append(pending.id)
            record.append(pending.service)
            record.append(pending.user)
            record.append(pending.kind)
            record.append(pending.session)
            record.append(Int64(exactly: (pending.created.timeIntervalSince1970 * 1000).rounded()) ?? 0)
            record.append(pending.password)
        }
        let sealed = keys.seal.seal(record.finish(), associated: VaultKeys.place(meta: name))
        try MetaTable.write(db, name, sealed)
    }
}
