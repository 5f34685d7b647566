// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct ItemsTests {
    private static let shiny = ServiceStatement(type: 0, identifier: "shiny.example.com")

    @Test
    func keepsWhatItIsGiven() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let item = try await provider.add(["shiny.example.com"], "rmondello", "correct horse", notes: "naïve\nnotes")
        #expect(item.services == ["shiny.example.com"])
        #expect(item.notes == nil)
        #expect(try await provider.list().items == [item])
        #expect(try await provider.reveal(item.id) == SecretBytes(utf8: "correct horse"))
        #expect(try await provider.one("get", item.id).notes?.bytes == SecretBytes(utf8: "naïve\nnotes"))
        let credential = try await provider.provide(Self.shiny, "rmondello", item.id)
        #expect(credential.password?.bytes == SecretBytes(utf8: "correct horse"))
        #expect(credential.user == "rmondello")
    }

    @Test
    func savesAnAddressWithoutTheUserName() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let item = try await provider.add(["https://me@a.example/x"], "u", "p")
        #expect(item.services == ["https://a.example/x"])
        let services = item.services + ["https://me@b.example"]
        _ = try await provider.edit(ItemChanges(id: item.id, services: services))
        #expect(try await provider.one("get", item.id).services == ["https://a.example/x", "https://b.example"])
        let refusal = await Refusal.of {
            try await provider.edit(ItemChanges(id: item.id, services: ["https://me:canary@a.example"]))
        }
        #expect(refusal?.code == WireError.Code.invalidItem.rawValue)
    }

    @Test
    func changesRemovesAndRestores() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let id = try await provider.add(["a.example"], "u", "first", notes: "n").id
        let second = WireSecret(SecretBytes(utf8: "second"))
        _ = try await provider.edit(ItemChanges(id: id, user: "v", password: second))
        _ = try await provider.edit(ItemChanges(id: id, notes: WireSecret(SecretBytes(utf8: ""))))
        let item = try await provider.one("get", id)
        #expect(item.user == "v")
        #expect(item.services == ["a.example"])
        #expect(item.notes == nil)
        let history: Items.History.Answer = try await provider.manage("history", ItemReference(id: id))
        #expect(history.changes.map(\.password.bytes) == [SecretBytes(utf8: "first")])
        #expect(try await provider.one("remove", id).removed != nil)
        #expect(try await provider.list().items == [])
        #expect(try await provider.list(ItemQuery(removed: true)).items.map(\.id) == [id])
        #expect(try await provider.one("restore", id).removed == nil)
        #expect(try await provider.reveal(id) == SecretBytes(utf8: "second"))
    }

    @Test
    func hasNoCredentialForAnyoneElse() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let id = try await provider.add(["shiny.example.com", "https://b.example:8443"], "rmondello", "p").id
        let gone = try await provider.add(["shiny.example.com"], "gone", "p").id
        _ = try await provider.one("remove", gone)
        let url = ServiceStatement(type: 1, identifier: "https://b.example:8443")
        #expect(try await provider.provide(url, "rmondello", id).user == "rmondello")
        let refused: [(ServiceStatement, String, String?)] = [
            (Self.shiny, "rmondello", nil), (Self.shiny, "rmondello", ""), (Self.shiny, "rmondello", "nobody"),
            (Self.shiny, "rmondello", gone), (Self.shiny, "gone", gone), (Self.shiny, "Rmondello", id),
            (Self.shiny, "", id), (.init(type: 1, identifier: "shiny.example.com"), "rmondello", id),
            (.init(type: 2, identifier: "shiny.example.com"), "rmondello", id),
            (.init(type: 0, identifier: "example.com"), "rmondello", id),
            (.init(type: 0, identifier: "evil.shiny.example.com"), "rmondello", id),
            (.init(type: 0, identifier: "shiny.example.com."), "rmondello", id),
            (.init(type: 0, identifier: "https://b.example:8443"), "rmondello", id),
            (.init(type: 1, identifier: "https://b.example"), "rmondello", id),
            (.init(type: 0, identifier: ""), "rmondello", id), (Self.shiny, "rmondello", "../" + id),
        ]
        for (service, user, record) in refused {
            #expect(await Refusal.of { try await provider.provide(service, user, record) } == Refusal(1101))
        }
    }

    @Test(arguments: ["get", "remove", "restore", "reveal", "history"])
    func findsNothingByAnIdentifierThatIsNone(method: String) async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let id = try await provider.add(["a.example"], "u", "p").id
        for wrong in ["", "nobody", id + " ", "' OR 1=1 --", String(repeating: "x", count: 100_000)] {
            let params = try JSONValue(encoding: ItemReference(id: wrong))
            let refusal = await Refusal.of { try await provider.peer.call("manage." + method, params) }
            #expect(refusal?.code == WireError.Code.notFound.rawValue)
        }
        #expect(try await provider.list().items.map(\.id) == [id])
    }

    @Test
    func refusesItemsBeyondTheLimitsWhole() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let password = WireSecret(SecretBytes(utf8: "p"))
        let right = NewItem(services: ["a.example"], user: "u", password: password)
        var wrong = [
            NewItem(services: [], user: "u", password: password),
            NewItem(services: [""], user: "u", password: password),
            NewItem(services: Array(repeating: "a.example", count: 65), user: "u", password: password),
            NewItem(services: [String(repeating: "a", count: 2049)], user: "u", password: password),
            NewItem(services: ["a.example\n"], user: "u", password: password),
            NewItem(services: ["a.example"], user: String(repeating: "u", count: 1025), password: password),
        ]
        wrong.append(right)
        wrong[6].password = WireSecret(SecretBytes(utf8: String(repeating: "p", count: 4097)))
        wrong.append(right)
        wrong[7].notes = WireSecret(SecretBytes(utf8: String(repeating: "n", count: 65537)))
        for item in wrong {
            let refusal = await Refusal.of { () async throws -> Items.Add.Answer in
                try await provider.manage("add", Items.Add.Params(items: [right, item]))
            }
            #expect(refusal?.code == WireError.Code.invalidItem.rawValue)
        }
        for service in ["https://me:canary@a.example", "git@a.example:x"] {
            let new = NewItem(services: [service], user: "u", password: password)
            let refusal = await Refusal.of { () async throws -> Items.Add.Answer in
                try await provider.manage("add", Items.Add.Params(items: [new]))
            }
            #expect(refusal?.code == WireError.Code.invalidItem.rawValue)
        }
        let many = Items.Add.Params(items: Array(repeating: right, count: 201))
        let refusal = await Refusal.of { () async throws -> Items.Add.Answer in try await provider.manage("add", many) }
        #expect(refusal?.code == WireError.Code.invalidParams.rawValue)
        #expect(try await provider.list().items == [])
        let id = try await provider.add(["a.example"], "u", "p").id
        let none = await Refusal.of { try await provider.edit(ItemChanges(id: id, services: [])) }
        #expect(none?.code == WireError.Code.invalidItem.rawValue)
        #expect(provider.store.identities == ["0 a.example u \(id)"])
    }

    @Test
    func listsInPagesThatFitIntoAMessage() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let services = (0..<64).map { "\($0)." + String(repeating: "a", count: 1900) }
        for part in 0..<3 {
            let items = (0..<5).map { index in
                NewItem(
                    services: services,
                    user: "big \(part * 5 + index)",
                    password: WireSecret(SecretBytes(utf8: "p"))
                )
            }
            let _: Items.Add.Answer = try await provider.manage("add", Items.Add.Params(items: items))
        }
        let small = (0..<200).map { index in
            NewItem(services: ["a.example"], user: "small \(index)", password: WireSecret(SecretBytes(utf8: "p")))
        }
        let _: Items.Add.Answer = try await provider.manage("add", Items.Add.Params(items: small))
        var users: Set<String> = []
        var cursor: Int?
        repeat {
            let page = try await provider.list(ItemQuery(cursor: cursor))
            #expect((1...200).contains(page.items.count))
            users.formUnion(page.items.map(\.user))
            cursor = page.cursor
        } while cursor != nil
        #expect(users.count == 215)
        #expect(try await provider.list(ItemQuery(search: "SMALL 19")).items.count == 11)
        for cursor in [-1, 10_000, Int.max] {
            let refusal = await Refusal.of { try await provider.list(ItemQuery(cursor: cursor)) }
            #expect(refusal?.code == WireError.Code.notFound.rawValue)
        }
    }

    /// Quotes and backslashes take two bytes in JSON.
    @Test
    func listsTagsInPagesThatFitIntoAMessage() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let tags = (0..<32).map { "\($0)" + String(repeating: "\"", count: 126) }
        for _ in 0..<6 {
            let items = (0..<50).map { index in
                NewItem(
                    services: ["a.example"], user: "u\(index)", password: WireSecret(SecretBytes(utf8: "p")), tags: tags
                )
            }
            let _: Items.Add.Answer = try await provider.manage("add", Items.Add.Params(items: items))
        }
        var (count, cursor) = (0, Int?.none)
        repeat {
            let page = try await provider.list(ItemQuery(cursor: cursor))
            count += page.items.count
            cursor = page.cursor
        } while cursor != nil
        #expect(count == 300)
    }

    @Test
    func showsTheListMostSpecificFirst() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        _ = try await provider.add(["other.example"], "other", "p")
        _ = try await provider.add(["example.com"], "wide", "p")
        let exact = try await provider.add(["z.example", "shiny.example.com"], "exact", "right").id
        _ = try await provider.add(["notshiny.example.com"], "lookalike", "p")
        let gone = try await provider.add(["shiny.example.com"], "gone", "p").id
        _ = try await provider.one("remove", gone)
        let services = [
            ServiceStatement(type: 1, identifier: "https://shiny.example.com/login"),
            ServiceStatement(type: 0, identifier: "other.example"),
        ]
        async let answer = provider.call(Provider.PrepareCredentialList.self, .init(services: services, request: 1))
        let interface = try #require(await provider.interface())
        #expect(interface.title == "Passwords")
        let list = try #require(interface.elements.first { $0.kind == "list" })
        let sections = list.sections ?? []
        #expect(sections.map(\.title) == ["Suggested", "All Passwords"])
        #expect(sections[0].rows.map(\.title) == ["exact", "wide", "other"])
        #expect(sections[0].rows.map(\.subtitle) == ["shiny.example.com", "example.com", "other.example"])
        #expect(Set(sections[1].rows.map(\.title)) == ["exact", "wide", "other", "lookalike"])
        let row = try #require(sections[0].rows.first)
        #expect(!row.id.contains(exact))
        let act = InterfaceAct(element: list.id, action: "select", row: row.id)
        _ = try await provider.call(Provider.Act.self, .init(request: 1, act: act))
        let credential = try await answer.credential
        #expect(credential.password?.bytes == SecretBytes(utf8: "right"))
    }

    @Test
    func searchesAndPagesALongList() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        for part in 0..<2 {
            let items = (0..<150).map { index in
                NewItem(
                    services: ["site\(part * 150 + index).example"],
                    user: index == 7 ? "Zoë \(part)" : "user \(index)",
                    password: WireSecret(SecretBytes(utf8: "p"))
                )
            }
            let _: Items.Add.Answer = try await provider.manage("add", Items.Add.Params(items: items))
        }
        async let answer = provider.call(Provider.PrepareCredentialList.self, .init(services: [], request: 1))
        var list = try #require(await provider.interface()?.elements.first)
        #expect(list.more == true)
        #expect(list.search == true)
        #expect(list.sections?.flatMap(\.rows).count == 100)
        let text = WireSecret(SecretBytes(utf8: "ZOE site157"))
        let search = InterfaceAct(element: list.id, action: "search", text: text)
        _ = try await provider.call(Provider.Act.self, .init(request: 1, act: search))
        list = try #require(await provider.interface()?.elements.first)
        #expect(list.sections?.flatMap(\.rows).map(\.title) == ["Zoë 1"])
        #expect(list.more == false)
        let row = list.sections?.first?.rows.first?.id
        let select = InterfaceAct(element: list.id, action: "select", row: row)
        _ = try await provider.call(Provider.Act.self, .init(request: 1, act: select))
        #expect(try await answer.credential.user == "Zoë 1")
    }

    @Test
    func asksNothingOfItsOwn() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let id = try await provider.add(["shiny.example.com"], "rmondello", "correct horse").id
        let identity = IdentityStatement(
            type: "password", service: Self.shiny, user: "rmondello", recordIdentifier: id, rank: 0)
        let answer = try await provider.call(Provider.PrepareInterface.self, .init(identity: identity, request: 1))
        #expect(answer.credential.password?.bytes == SecretBytes(utf8: "correct horse"))
        let code = IdentityStatement(
            type: "one-time-code", service: Self.shiny, user: "rmondello", recordIdentifier: id, rank: 0)
        let refusal = await Refusal.of {
            try await provider.call(Provider.ProvideCredential.self, .init(identity: code, request: 3))
        }
        #expect(refusal == Refusal(1101))
        let text = await Refusal.of { try await provider.call(Provider.ChooseText.self, .init(request: 4)) }
        #expect(text?.code == 1000)
    }
}
