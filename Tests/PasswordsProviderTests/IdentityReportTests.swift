// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProcessTesting
import ProviderTesting
import Synchronization
import Testing

@Suite(.tags(.startsProcess), .serialized, .timeLimit(.minutes(2)))
struct IdentityReportTests {
    @Test
    func tellsTheStoreBeforeItAnswers() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let id = try await provider.add(["a.example", "http://localhost:8080"], "u", "p").id
        #expect(provider.store.identities == ["0 a.example u \(id)", "1 http://localhost:8080 u \(id)"])
        _ = try await provider.edit(ItemChanges(id: id, services: ["b.example", "a.example"]))
        #expect(provider.store.identities == ["0 a.example u \(id)", "0 b.example u \(id)"])
        _ = try await provider.edit(ItemChanges(id: id, user: "v"))
        #expect(provider.store.identities == ["0 a.example v \(id)", "0 b.example v \(id)"])
        _ = try await provider.one("remove", id)
        #expect(provider.store.identities == [])
        _ = try await provider.one("restore", id)
        #expect(provider.store.identities == ["0 a.example v \(id)", "0 b.example v \(id)"])
        // Nothing was written anew as a whole on the way.
        #expect(!provider.store.methods.contains("store.replace"))
    }

    @Test
    func tellsNothingOfWhatIsForNoSite() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let secret = WireSecret(SecretBytes(utf8: "p"))
        let added: Items.Add.Answer = try await provider.manage(
            "add",
            Items.Add.Params(items: [
                NewItem(
                    services: [], user: "", password: WireSecret(SecretBytes(count: 0)), notes: secret, title: "Door"),
                NewItem(services: [], user: "u", password: secret, title: "Wi-Fi"),
            ]))
        #expect(provider.store.identities == [])
        #expect(added.items.map(\.hasPassword) == [false, nil] && added.items.map(\.title) == ["Door", "Wi-Fi"])
        #expect(try await provider.list(ItemQuery(search: "door")).items.map(\.id) == [added.items[0].id])
        let id = added.items[1].id
        _ = try await provider.edit(ItemChanges(id: id, services: ["a.example"]))
        #expect(provider.store.identities == ["0 a.example u \(id)"])
        _ = try await provider.edit(ItemChanges(id: id, services: []))
        #expect(provider.store.identities == [])
    }

    @Test("S12: the store is told which items are strict, and of every change of it")
    func tellsWhichItemsAreStrict() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let id = try await provider.add(["a.example", "b.example"], "u", "p").id
        let edited = try await provider.edit(ItemChanges(id: id, strict: true))
        #expect(edited.strict == true)
        #expect(provider.store.identities == ["0 a.example u \(id) strict", "0 b.example u \(id) strict"])
        _ = try await provider.edit(ItemChanges(id: id, services: ["b.example"]))
        #expect(provider.store.identities == ["0 b.example u \(id) strict"])
        _ = try await provider.edit(ItemChanges(id: id, strict: false))
        #expect(provider.store.identities == ["0 b.example u \(id)"])
    }

    @Test
    func givesEverythingToAStoreThatIsMissing() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let id = try await provider.add(["a.example"], "u", "p").id
        await provider.stop()
        let store = StoreRecorder()
        store.state.withLock { $0.standing.supportsIncrementalUpdates = false }
        let again = try await ProviderProcess.started(in: container, store: store)
        await store.wait(for: "store.replace")
        #expect(store.identities == ["0 a.example u \(id)"])
        // And it may go missing at any time.
        store.state.withLock { state in
            state.standing.supportsIncrementalUpdates = false
            state.identities = []
        }
        let other = try await again.add(["b.example"], "u", "p").id
        #expect(store.identities == ["0 a.example u \(id)", "0 b.example u \(other)"])
    }

    @Test
    func keepsWhatADisabledStoreCouldNotTake() async throws {
        let container = try Container()
        let store = StoreRecorder()
        store.state.withLock { $0.standing.enabled = false }
        let provider = try await ProviderProcess.started(in: container, store: store)
        let id = try await provider.add(["a.example"], "u", "p").id
        #expect(store.identities == [])
        await provider.stop()
        store.state.withLock { $0.standing.enabled = true }
        let again = try await ProviderProcess.started(in: container, store: store)
        await store.wait(for: "store.replace")
        #expect(store.identities == ["0 a.example u \(id)"])
        await again.stop()
    }

    @Test(arguments: ["store.state", "store.save", "store.remove"])
    func makesGoodAChangeThatTheStoreRefused(method: String) async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let id = try await provider.add(["a.example"], "u", "p").id
        provider.store.fail(method, with: WireError(.identityStore(2), "busy"))
        // The item is changed for good, and that is what the answer says.
        _ = try await provider.edit(ItemChanges(id: id, services: ["b.example"]))
        #expect(provider.store.identities != ["0 b.example u \(id)"])
        provider.store.state.withLock { $0.failures = [:] }
        let other = try await provider.add(["c.example"], "u", "p").id
        #expect(provider.store.identities == ["0 b.example u \(id)", "0 c.example u \(other)"])
    }

    @Test
    func makesGoodAChangeAfterACrash() async throws {
        let container = try Container()
        let store = StoreRecorder()
        let provider = try await ProviderProcess.started(in: container, store: store)
        let id = try await provider.add(["a.example"], "u", "p").id
        store.fail("store.state", with: WireError(.identityStore(0), "x"))
        _ = try await provider.edit(ItemChanges(id: id, services: ["b.example"]))
        await provider.crash()
        #expect(store.identities == ["0 a.example u \(id)"])
        store.state.withLock { $0.failures = [:] }
        let again = try await ProviderProcess.started(in: container, store: store)
        await store.wait(for: "store.replace")
        #expect(store.identities == ["0 b.example u \(id)"])
        await again.stop()
    }

    @Test
    func sendsFiveThousandIdentitiesInABatch() async throws {
        let container = try Container()
        let first = try await ProviderProcess.started(in: container)
        for part in 0..<25 {
            let items = (0..<200).map { index in
                NewItem(
                    services: ["host\(part * 200 + index).example"],
                    user: "u",
                    password: WireSecret(SecretBytes(utf8: "p"))
                )
            }
            let _: Items.Add.Answer = try await first.manage("add", Items.Add.Params(items: items))
        }
        #expect(first.store.identities.count == 5000)
        await first.stop()
        let store = StoreRecorder()
        store.state.withLock { $0.standing.supportsIncrementalUpdates = false }
        let second = try await ProviderProcess.started(in: container, store: store)
        await store.wait(for: "store.commit")
        #expect(
            store.methods == ["store.state", "store.begin"] + Array(repeating: "store.append", count: 3) + [
                "store.commit"
            ]
        )
        #expect(store.identities == first.store.identities)
        await second.stop()
    }

    @Test
    func changesFromManySidesLeaveTheStoreRight() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let id = try await provider.add(["start.example"], "u", "p").id
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<12 {
                group.addTask { _ = try await provider.edit(ItemChanges(id: id, services: ["host\(index).example"])) }
                group.addTask { _ = try await provider.add(["other\(index).example"], "u", "p") }
            }
            try await group.waitForAll()
        }
        let items = try await provider.list().items
        let expected = items.flatMap { item in item.services.map { "0 \($0) u \(item.id)" } }
        #expect(items.count == 13)
        #expect(provider.store.identities == Set(expected))
    }
}
