// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import FoundationEssentials
import GRDB
import Testing

@testable import AutoFillVault

/// Flips a bit at every offset of a small vault: what can be read is what was written, or there is an error.
@Suite struct VaultBitFlipTests {
    private static let batchCount = 16

    /// Everything a vault says, read in one transaction because transactions are what takes the time.
    private struct Content: Equatable, Sendable {
        var items: [VaultItem] = []
        var secrets: [SecretBytes] = []
        var pending: [PendingIdentityChange] = []

        init(_ vault: Vault) throws {
            try vault.reading { table in
                let (rows, isComplete, _) = try table.all()
                guard isComplete else { throw vault.incomplete }
                for row in rows {
                    items.append(try row.item.get())
                    secrets.append(try table.password(of: row.id))
                    secrets.append(SecretBytes(utf8: try table.notes(of: row.id)))
                    secrets += try table.history(of: row.id).map(\.password)
                }
                pending = try OutboxTable.pending(table.db, keys: table.keys)
            }
        }
    }

    /// A vault of small pages, so that every offset can be tried in seconds.
    private struct Sample: Sendable {
        let key = SecretBytes.random(count: 32)
        let bytes: [UInt8]
        let content: Content

        init() throws {
            let folder = TemporaryFolder()
            let vault = try Vault(folder: folder.path, key: key)
            let added = try vault.add((0..<2).map { VaultFixture.item($0, notes: "notes \($0)") })
            try vault.edit(added[0].id, ItemChanges(password: SecretBytes(utf8: "newer")))
            try vault.remove(added[1].id)
            try vault.acknowledge(upTo: 2)
            content = try Content(vault)
            try vault.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA page_size = 512; VACUUM") }
            vault.close()
            bytes = try readFile(folder.vaultPath)
        }
    }

    private static let sample = Result { try Sample() }

    @Test(arguments: 0..<batchCount) func readsWhatWasWrittenOrFails(batch: Int) throws {
        let sample = try Self.sample.get()
        let folder = TemporaryFolder()
        var refused = 0
        var tried = 0
        for offset in stride(from: batch, to: sample.bytes.count, by: Self.batchCount) {
            var damaged = sample.bytes
            damaged[offset] ^= 1 << (offset / Self.batchCount % 8)
            try writeFile(damaged, to: folder.vaultPath)
            tried += 1
            do {
                let vault = try Vault(folder: folder.path, key: sample.key)
                defer { vault.close() }
                #expect(try Content(vault) == sample.content, "offset \(offset)")
            } catch {
                #expect(error is VaultError, "offset \(offset): \(error)")
                refused += 1
            }
        }
        #expect(tried > 100)
        #expect(refused > tried / 4, "the check is alive")
    }
}
