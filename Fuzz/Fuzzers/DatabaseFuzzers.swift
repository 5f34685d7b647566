// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillMatching
import Foundation
import GRDB

@testable import AutoFillIdentityStore
@testable import AutoFillSecrets
@testable import AutoFillVault

/// What comes from database files.
extension Fuzzer {
    private static let deviceKey = DeviceKey(
        secret: SecretBytes(utf8: "0123456789abcdef0123456789abcdef"), generation: Array(0..<16))
    private static let containerKey = deviceKey.containerKey(for: "org.latchkey.passwords", salt: [1])

    /// A vault opens, or says in its own words why not; and then everything in it can be asked for.
    static let vault = Fuzzer(
        "vault",
        seeds: {
            Workbench.clear()
            let vault = try Vault(folder: Workbench.folder, key: containerKey)
            let added = try vault.add(
                (0..<2).map {
                    NewItem(services: ["\($0).example.com"], user: "u", password: SecretBytes(utf8: "p"), notes: "n")
                })
            _ = try vault.edit(added[0].id, ItemChanges(password: SecretBytes(utf8: "q")))
            try vault.remove(added[1].id)
            let whole = try Workbench.read(VaultFile.name)
            // Small pages, so that a change is likely to meet something.
            try vault.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA page_size = 512; VACUUM") }
            vault.close()
            return [whole, try Workbench.read(VaultFile.name)]
        },
        run: { bytes in
            Workbench.clear()
            Workbench.write(bytes, to: VaultFile.name)
            do {
                let vault = try Vault(folder: Workbench.folder, key: containerKey)
                defer { vault.close() }
                _ = try vault.salvage()
                try vault.verify()
                for item in try vault.items(includingRemoved: true) {
                    _ = try vault.password(of: item.id)
                    _ = try vault.notes(of: item.id)
                    _ = try vault.history(of: item.id)
                }
                _ = try vault.pendingIdentityChanges()
            } catch {
                precondition(error is VaultError, "an error of another kind: \(error)")
            }
        })

    /// A store that is not what was written is thrown away, and then it is an empty one that works.
    static let identityStore = Fuzzer(
        "store",
        seeds: {
            Workbench.clear()
            let store = try openStore()
            try store.save((0..<3).map(identity))
            store.close()
            return [try Workbench.read("org.latchkey.passwords.identities")]
        },
        run: { bytes in
            Workbench.clear()
            Workbench.write(bytes, to: "org.latchkey.passwords.identities")
            do {
                let store = try openStore()
                defer { store.close() }
                for _ in 0..<2 {
                    // The first call may be the one that meets the damage and empties the store.
                    guard let all = try? store.all() else { continue }
                    _ = try store.lookup(terms: ["site:example.com"])
                    precondition(all.allSatisfy { (0..<3).map(identity).contains($0) }, "an identity that nobody saved")
                }
                try store.replace(with: [identity(7)])
                let kept = try store.all()
                precondition(kept == [identity(7)], "a store that does not keep what it is given")
            } catch {
                precondition(error is IdentityStoreError, "an error of another kind: \(error)")
            }
        })

    @Sendable private static func identity(_ number: Int) -> CredentialIdentity {
        CredentialIdentity(
            type: .password, service: ServiceIdentifier(written: "\(number).example.com"), user: "u",
            recordIdentifier: "r\(number)", rank: number)
    }

    private static func openStore() throws -> IdentityStore {
        try IdentityStore(
            folder: Workbench.folder, provider: .builtIn, sealKey: deviceKey.identityStoreSealKey,
            indexKey: deviceKey.identityStoreIndexKey, generation: deviceKey.generation, machine: [1],
            terms: IndexTerms(.none))
    }
}
