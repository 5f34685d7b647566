// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Testing

@testable import AutoFillVault

@Suite struct VaultSnapshotTests {
    let fixture = VaultFixture()

    @Test func aSnapshotIsAVault() throws {
        let vault = try fixture.open()
        let added = try vault.add((0..<10).map { VaultFixture.item($0) })
        let other = TemporaryFolder()
        try vault.snapshot(to: other.vaultPath)
        try vault.remove(added[0].id)

        #expect(mode(of: other.vaultPath) == 0o600)
        #expect(try other.names == [VaultFile.name])
        let copy = try Vault(folder: other.path, key: fixture.key, now: fixture.clock.now)
        try copy.verify()
        #expect(try copy.items().count == 10)
        #expect(try copy.pendingIdentityChanges().count == 10)
        #expect { try Vault(folder: other.path, key: .random(count: 32)) } throws: { code($0) == .wrongKey }
    }

    @Test func aSnapshotReplacesNothing() throws {
        let vault = try fixture.open()
        let other = TemporaryFolder()
        try writeFile([1, 2, 3], to: other.vaultPath)
        #expect { try vault.snapshot(to: other.vaultPath) } throws: { code($0) == .file }
        #expect(try readFile(other.vaultPath) == [1, 2, 3])
        #expect { try vault.snapshot(to: vault.path) } throws: { code($0) == .file }
        try vault.verify()
    }

    @Test func aSnapshotIntoNowhereLeavesNothing() throws {
        let vault = try fixture.open()
        #expect { try vault.snapshot(to: fixture.folder.path + "/missing/copy") } throws: { code($0) == .file }
        #expect(try fixture.folder.names == TemporaryFolder.ofAVault)
    }
}
