// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import Glibc
import ProviderTesting
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct DurabilityTests {
    @Test
    func keepsEveryAcknowledgedItemWhenKilled() async throws {
        let container = try Container()
        let store = StoreRecorder()
        var acknowledged: [String: String] = [:]
        for round in 0..<6 {
            let provider = try await ProviderProcess.started(in: container, store: store)
            let killer = round * 7 % 5 + 1
            for index in 0..<10 {
                let password = "password \(round) \(index)"
                let added = Task { try await provider.add(["host\(index).example"], "user\(round)", password).id }
                // The kill falls into the making of an item, at another point each time.
                if index == killer { kill(provider.process, SIGKILL) }
                guard let id = try? await added.value else { break }
                acknowledged[id] = password
            }
            await provider.crash()
        }
        #expect(acknowledged.count >= 6)
        let provider = try await ProviderProcess.started(in: container, store: store)
        for (id, password) in acknowledged {
            #expect(try await provider.reveal(id) == SecretBytes(utf8: password))
        }
        // One more change comes after everything the start had to make good.
        _ = try await provider.add(["last.example"], "u", "p")
        let items = try await provider.list().items
        #expect(
            store.identities == Set(items.flatMap { item in item.services.map { "0 \($0) \(item.user) \(item.id)" } })
        )
    }

    @Test
    func aSnapshotIsAWholeVault() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let kept = try await provider.add(["kept.example"], "u", "kept").id
        let snapshot = try await provider.snapshot()
        #expect(!snapshot.contains("/"))
        let mode = try FileManager.default.attributesOfItem(atPath: container.file(snapshot))[.posixPermissions]
        #expect(mode as? NSNumber == 0o600)
        let other = try Container()
        try other.write(try container.read(snapshot), to: "vault.latchkey")
        let again = try await ProviderProcess.started(in: other)
        #expect(try await again.check() == 1)
        #expect(try await again.reveal(kept) == SecretBytes(utf8: "kept"))
        // One that nobody came for does not stay.
        await provider.crash()
        _ = try await ProviderProcess.started(in: container)
        #expect(Set(container.files) == ["vault.latchkey", "vault.latchkey.made"])
    }

    @Test(arguments: ["nothing", "text", "cut", "flipped", "one bit of the notes", "other key", "too new"])
    func theCheckFindsWhatIsNotRight(kind: String) async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        _ = try await provider.add(["a.example"], "u", "p", notes: String(repeating: "n", count: 30_000)).id
        #expect(try await provider.check() == 1)
        await provider.stop()
        var copy = try container.read("vault.latchkey")
        switch kind {
        case "nothing": copy = []
        case "text": copy = Array("this is not a vault".utf8)
        case "cut": copy.removeLast(copy.count / 3)
        case "flipped": for offset in stride(from: 4096, to: copy.count, by: 61) { copy[offset] ^= 1 }
        case "one bit of the notes":
            // A page full of sealed bytes: the file's structure does not suffer, only checking every row finds it.
            let pages = stride(from: 0, to: copy.count - 4095, by: 4096)
            let sealed = try #require(pages.first { Set(copy[($0 + 100)..<($0 + 4096)]).count == 256 })
            copy[sealed + 2000] ^= 1
        case "too new": copy[63] = 99
        default: break
        }
        try container.write(copy, to: "vault.latchkey")
        let key = kind == "other key" ? ProviderProcess.otherKey : ProviderProcess.key
        let again = try await ProviderProcess.started(in: container, key: key)
        let code: WireError.Code = kind == "too new" ? .unsupportedVersion : .storageFailed
        #expect(await Refusal.of { try await again.check() }?.code == code.rawValue)
        // Nor is it copied into a backup.
        #expect(await Refusal.of { try await again.snapshot() }?.code == code.rawValue)
        #expect(Set(container.files) == ["vault.latchkey", "vault.latchkey.made"])
        #expect(try container.read("vault.latchkey") == copy)
    }

    @Test(arguments: [
        ("text", WireError.Code.storageFailed), ("empty", .storageFailed), ("cut", .storageFailed),
        ("too new", .unsupportedVersion), ("other key", .storageFailed),
    ])
    func staysUpWithAVaultThatDoesNotOpen(kind: String, code: WireError.Code) async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let id = try await provider.add(["a.example"], "u", "p").id
        let good = try container.read(try await provider.snapshot())
        await provider.stop()
        var vault = try container.read("vault.latchkey")
        switch kind {
        case "text": vault = Array("this is not a vault".utf8)
        case "empty": vault = []
        case "cut": vault.removeLast(vault.count / 2)
        case "too new": vault[63] = 99
        default: break
        }
        try container.write(vault, to: "vault.latchkey")
        let key = kind == "other key" ? ProviderProcess.otherKey : ProviderProcess.key
        let again = try await ProviderProcess.started(in: container, key: key)
        // What can be read of a damaged one is listed, which is nothing here.
        let isListed = kind == "cut"
        #expect(await Refusal.of { try await again.list() }?.code == (isListed ? nil : code.rawValue))
        #expect(await Refusal.of { try await again.add(["b.example"], "u", "p") }?.code == code.rawValue)
        #expect(await Refusal.of { try await again.reveal(id) }?.code == code.rawValue)
        #expect(await Refusal.of { try await again.snapshot() }?.code == code.rawValue)
        let service = ServiceStatement(type: 0, identifier: "a.example")
        let refusal = await Refusal.of { try await again.provide(service, "u", id) }
        #expect(refusal?.code == 1000)
        #expect(refusal?.reason != nil)
        #expect(try container.read("vault.latchkey") == vault)
        #expect(again.store.methods.allSatisfy { $0 == "store.state" })
        // A vault that comes back is found again without a restart.
        guard kind != "other key" else { return }
        try container.write(good, to: "vault.latchkey")
        #expect(try await again.list().items.map(\.id) == [id])
    }

    @Test
    func losesNothingWhenNoMoreCanBeWritten() async throws {
        let container = try Container()
        let limited = ["/usr/bin/prlimit", "--fsize=120000"]
        let provider = try await ProviderProcess.started(in: container, wrapper: limited)
        var acknowledged: [String] = []
        var refusal: Refusal?
        while refusal == nil, acknowledged.count < 200 {
            refusal = await Refusal.of {
                acknowledged.append(
                    try await provider.add(["a.example"], "u", "p", notes: String(repeating: "n", count: 8000)).id
                )
            }
        }
        #expect(refusal?.code == WireError.Code.storageFailed.rawValue)
        #expect(try await provider.list().items.map(\.id).sorted() == acknowledged.sorted())
        await provider.stop()
        let again = try await ProviderProcess.started(in: container)
        #expect(try await again.list().items.map(\.id).sorted() == acknowledged.sorted())
        _ = try await again.add(["b.example"], "u", "p")
    }
}
