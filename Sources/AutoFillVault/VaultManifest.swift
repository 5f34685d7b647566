// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import FoundationEssentials
internal import GRDB

/// Says which rows the vault has, so that a row that went missing, or came back, is noticed.
///
/// The count of the rows and the XOR of a keyed MAC of each (identifier and sealed metadata). Nobody without the key can
/// choose rows whose MACs cancel out: the MACs are not known to them.
struct VaultManifest: Equatable {
    private(set) var count: Int64 = 0
    private(set) var digest = [UInt8](repeating: 0, count: AuthenticationKey.codeByteCount)

    private static let name = "manifest"

    mutating func insert(id: String, sealedMeta: [UInt8], keys: VaultKeys) {
        count += 1
        combine(id: id, sealedMeta: sealedMeta, keys: keys)
    }

    mutating func remove(id: String, sealedMeta: [UInt8], keys: VaultKeys) {
        count -= 1
        combine(id: id, sealedMeta: sealedMeta, keys: keys)
    }

    private mutating func combine(id: String, sealedMeta: [UInt8], keys: VaultKeys) {
        let code = keys.manifest.code(for: [Array(id.utf8), [0], sealedMeta])
        for (index, byte) in code.enumerated() { digest[index] ^= byte }
    }

    static func read(_ db: Database, keys: VaultKeys) throws -> VaultManifest {
        guard let sealed = try MetaTable.read(db, name) else {
            throw VaultError(.damaged, "the vault's manifest is missing", row: name)
        }
        var record = try RecordDecoder(try keys.seal.open(sealed, associated: VaultKeys.place(meta: name)))
        var manifest = VaultManifest()
        manifest.count = try record.readNumber(in: 0...Int64.max)
        let digest = try record.readSecret()
        try record.finish()
        guard digest.count == AuthenticationKey.codeByteCount else {
            throw VaultError(.damaged, "the vault's manifest has the wrong size", row: name)
        }
        manifest.digest = digest.withUnsafeBytes { Array($0) }
        return manifest
    }

    func write(_ db: Database, keys: VaultKeys) throws {
        var record = RecordEncoder()
        record.append(count)
        digest.withUnsafeBytes { record.append($0) }
        let sealed = keys.seal.seal(record.finish(), associated: VaultKeys.place(meta: Self.name))
        try MetaTable.write(db, Self.name, sealed)
    }
}
