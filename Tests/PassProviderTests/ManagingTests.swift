// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import PassTesting
import ProcessTesting
import ProviderTesting
import Testing

@Suite(
    .tags(.startsProcess), .serialized, .timeLimit(.minutes(3)),
    .enabled(if: RealStore.isAvailable, Comment(rawValue: RealStore.absence)))
struct ManagingTests {
    private func secret(_ text: String) -> WireSecret { WireSecret(SecretBytes(utf8: text)) }

    @Test
    func writesWhatPassReadsAndCommitsIt() async throws {
        let real = try RealStore(hasGit: true)
        let provider = try await PassProcess(real)
        let item = try await provider.add(
            ["https://shiny.example.com/login", "b.example"], "rmondello", "first", notes: "a\nb")
        #expect(item.id == "shiny.example.com/rmondello")
        #expect(item.services == ["shiny.example.com", "b.example"])
        #expect(
            try real.pass(["show", item.id]) == "first\nurl: https://shiny.example.com/login\nurl: b.example\na\nb\n")
        #expect(try await provider.one("get", item.id).notes?.bytes == SecretBytes(utf8: "a\nb"))
        _ = try await provider.edit(ItemChanges(id: item.id, user: "other", password: secret("second")))
        #expect(try real.pass(["show", item.id]).hasPrefix("second\nuser: other\n"))
        #expect(try await provider.reveal(item.id) == SecretBytes(utf8: "second"))
        let history: Items.History.Answer = try await provider.manage("history", ItemReference(id: item.id))
        #expect(history.changes.map(\.password.bytes) == [SecretBytes(utf8: "first")])
        #expect(try await provider.one("remove", item.id).removed != nil)
        #expect(try await provider.list().isEmpty)
        #expect(try await provider.list(ItemQuery(removed: true)).map(\.id) == [item.id])
        #expect(try await provider.one("restore", item.id).removed == nil)
        #expect(try await provider.reveal(item.id) == SecretBytes(utf8: "second"))
        #expect(try real.git("status", "--porcelain") == "")
        let subjects = try real.git("log", "--format=%s").split(separator: "\n").prefix(4)
        #expect(subjects.map { $0.split(separator: " ")[0] } == ["Restore", "Remove", "Edit", "Add"])
    }

    @Test
    func keepsWhatIsRemovedWithoutGit() async throws {
        let real = try RealStore()
        try real.insert("shiny.example.com/rmondello", "secret-canary\n")
        let provider = try await PassProcess(real)
        let id = "shiny.example.com/rmondello"
        _ = try await provider.one("remove", id)
        #expect(!FileManager.default.fileExists(atPath: real.store + "/shiny.example.com"))
        #expect(try await provider.list(ItemQuery(removed: true)).map(\.id) == [id])
        #expect(provider.store.identities == [])
        let trash = real.folder + "/container/trash"
        for file in try FileManager.default.contentsOfDirectory(atPath: trash) {
            let bytes = FileManager.default.contents(atPath: trash + "/" + file) ?? Data()
            #expect(bytes.range(of: Data("shiny".utf8)) == nil)
            #expect(bytes.range(of: Data("canary".utf8)) == nil)
        }
        _ = try await provider.one("restore", id)
        #expect(try real.pass(["show", id]) == "secret-canary\n")
        #expect(try await provider.list(ItemQuery(removed: true)).isEmpty)
        #expect(await Refusal.of { try await provider.one("restore", id) }?.code == WireError.Code.notFound.rawValue)
        let history: Items.History.Answer = try await provider.manage("history", ItemReference(id: id))
        #expect(history.changes.isEmpty)
    }

    @Test
    func addsAllOrNone() async throws {
        let real = try RealStore(hasGit: true)
        let provider = try await PassProcess(real)
        _ = try await provider.add(["a.example"], "there", "p")
        let head = try real.git("rev-parse", "HEAD")
        let right = NewItem(services: ["b.example"], user: "u", password: secret("p"))
        let wrong = [
            NewItem(services: ["a.example"], user: "there", password: secret("p")),
            NewItem(services: ["b.example"], user: "u", password: secret("q")),
            NewItem(services: ["B.example"], user: "U", password: secret("q")),
            NewItem(services: [], user: "u", password: secret("p")),
            NewItem(services: ["../../x"], user: "u", password: secret("p")),
            NewItem(services: ["c.example"], user: "a\nb", password: secret("p")),
            NewItem(services: ["c.example"], user: "u", password: secret("")),
            NewItem(services: ["c.example"], user: "u", password: secret("a\nb")),
            NewItem(services: ["c.example"], user: "u", password: secret("p"), notes: secret("user: evil")),
            NewItem(services: ["http://c.example"], user: "u", password: secret("p")),
        ]
        for item in wrong {
            let refusal = await Refusal.of { () async throws -> Items.Add.Answer in
                try await provider.manage("add", Items.Add.Params(items: [right, item]))
            }
            #expect(refusal?.code == WireError.Code.invalidItem.rawValue, "\(item.services) \(item.user)")
        }
        #expect(try await provider.list().map(\.id) == ["a.example/there"])
        #expect(try real.git("rev-parse", "HEAD") == head)
        #expect(try real.git("status", "--porcelain") == "")
    }

    @Test
    func changesNothingWhenEncryptingOrCommittingFails() async throws {
        let real = try RealStore(hasGit: true)
        let provider = try await PassProcess(real)
        let id = try await provider.add(["a.example"], "u", "old").id
        let failed = WireError.Code.storageFailed.rawValue
        // Locked by somebody's git.
        let branch = try real.git("symbolic-ref", "HEAD").trimmingCharacters(in: .newlines)
        try real.write("", to: "store/.git/\(branch).lock")
        #expect(await Refusal.of { try await provider.edit(.init(id: id, password: secret("new"))) }?.code == failed)
        #expect(await Refusal.of { try await provider.add(["b.example"], "u", "p") }?.code == failed)
        #expect(await Refusal.of { try await provider.one("remove", id) }?.code == failed)
        #expect(try await provider.list().map(\.id) == [id])
        #expect(try real.pass(["show", id]) == "old\n")
        try FileManager.default.removeItem(atPath: real.store + "/.git/\(branch).lock")
        try real.write("nobody@example.com\n", to: "store/.gpg-id")
        #expect(await Refusal.of { try await provider.edit(.init(id: id, password: secret("new"))) }?.code == failed)
        #expect(await Refusal.of { try await provider.add(["b.example"], "u", "p") }?.code == failed)
        #expect(try real.pass(["show", id]) == "old\n")
        #expect(try await provider.list().map(\.id) == [id])
    }

    @Test
    func refusesToTakeTheServiceOutOfAName() async throws {
        let real = try RealStore()
        let provider = try await PassProcess(real)
        let id = try await provider.add(["a.example"], "u", "p").id
        for services in [[], ["b.example"], ["a.example", "ftp://x"], ["a.example\n"]] {
            let refusal = await Refusal.of { try await provider.edit(.init(id: id, services: services)) }
            #expect(refusal?.code == WireError.Code.invalidItem.rawValue)
        }
        #expect(try await provider.edit(.init(id: id, services: ["a.example", "b.example"])).services.count == 2)
        #expect(try real.pass(["show", id]) == "p\nurl: b.example\n")
    }

    @Test(
        "Identifiers that lead out of the store find nothing",
        arguments: ["get", "remove", "restore", "reveal", "history"])
    func findsNothingByAnIdentifierThatIsNone(method: String) async throws {
        let real = try RealStore()
        try real.insert("a.example/u", "p\n")
        try FileManager.default.copyItem(atPath: real.store + "/a.example/u.gpg", toPath: real.folder + "/outside.gpg")
        try FileManager.default.createSymbolicLink(atPath: real.store + "/out", withDestinationPath: real.folder)
        let provider = try await PassProcess(real)
        for wrong in [
            "", "nobody", "../outside", "a.example/../a.example/u", "/a.example/u", "a.example/u.gpg", ".gpg-id",
        ] {
            let params = try JSONValue(encoding: ItemReference(id: wrong))
            let refusal = await Refusal.of { try await provider.peer.call("manage." + method, params) }
            #expect(refusal?.code == WireError.Code.notFound.rawValue, "\(wrong)")
        }
        let params = try JSONValue(encoding: ItemReference(id: "out/outside"))
        #expect(await Refusal.of { try await provider.peer.call("manage." + method, params) } != nil)
        #expect(FileManager.default.fileExists(atPath: real.folder + "/outside.gpg"))
        #expect(try await provider.list().map(\.id) == ["a.example/u"])
    }

    @Test
    func saysThatThereIsNoStore() async throws {
        let real = try RealStore(hasKeys: false)
        try FileManager.default.removeItem(atPath: real.store)
        let provider = try await PassProcess(real)
        let failed = WireError.Code.storageFailed.rawValue
        #expect(await Refusal.of { try await provider.list() }?.code == failed)
        #expect(await Refusal.of { try await provider.add(["a.example"], "u", "p") }?.code == failed)
        let snapshot = await Refusal.of { () async throws -> Provider.Snapshot.Answer in
            try await provider.manage("snapshot", Empty())
        }
        #expect(snapshot?.code == failed)
        #expect(!FileManager.default.fileExists(atPath: real.store))
    }
}
