// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

/// The window in which the user sees, changes, adds and removes what is saved.
@Suite(.serialized, .timeLimit(.minutes(2)))
@MainActor struct PasswordsWindowTests {
    nonisolated private static let new: [(label: String, text: String)] = [
        ("Site", "shiny.example.com"), ("User name", "rmondello"), ("Password", "correct horse"),
        ("Repeat password", "correct horse"),
    ]

    /// The form with something else in some of its fields.
    nonisolated private static func form(_ changes: (label: String, text: String)...) -> [(label: String, text: String)]
    {
        new.map { field in (field.label, changes.first { $0.label == field.label }?.text ?? field.text) }
    }

    @Test
    func addsWhatIsTyped() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let window = try await PasswordsWindow(provider)
        #expect(window.rows.isEmpty)
        try await window.press("Add Password")
        try await window.wait(for: "Add Another Site")
        try await window.press("Add Another Site")
        try await window.wait { $0.shown.elements.filter { $0.label == "Site" }.count == 2 }
        try await window.press("Save", typing: Self.new + [("Site", " https://localhost:8443 ")])
        try await window.wait { !$0.rows.isEmpty }
        #expect(window.rows.map(\.title) == ["shiny.example.com, https://localhost:8443"])
        #expect(window.rows.map(\.subtitle) == ["rmondello"])
        let item = try #require(try await provider.list().items.first)
        #expect(item.services == ["shiny.example.com", "https://localhost:8443"])
        #expect(try await provider.reveal(item.id) == SecretBytes(utf8: "correct horse"))
        // The identity store knows it as soon as the list shows it.
        #expect(
            provider.store.identities == [
                "0 shiny.example.com rmondello \(item.id)", "1 https://localhost:8443 rmondello \(item.id)",
            ])
        try await window.press("Done")
        _ = try await window.end.value
    }

    @Test(arguments: [
        form(("Site", "")), form(("Site", "  ")), form(("Site", "a\u{1}b.example")),
        form(("Site", String(repeating: "s", count: 2_049))), form(("User name", String(repeating: "u", count: 1_025))),
        form(("User name", "two\nlines")), form(("Password", "")), form(("Repeat password", "")),
        form(("Repeat password", "Correct horse")), form(("Password", ""), ("Repeat password", "")),
        form(
            ("Password", String(repeating: "p", count: 4_097)),
            ("Repeat password", String(repeating: "p", count: 4_097))),
    ])
    func refusesToAddAndLosesNothing(typed: [(label: String, text: String)]) async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let window = try await PasswordsWindow(provider)
        try await window.press("Add Password")
        try await window.wait(for: "Save")
        let fields = window.shown.elements.filter { $0.kind == "text" || $0.kind == "secure" }
        try await window.press("Save", typing: typed)
        let problem = try await window.problem()
        #expect(!problem.contains("orrect horse"))
        // As long as the fields are the same ones, what was typed stays in them.
        #expect(window.shown.elements.filter { $0.kind == "text" || $0.kind == "secure" } == fields)
        #expect(try await provider.list().items.isEmpty)
        #expect(provider.store.identities.isEmpty)
        try await window.press("Save", typing: Self.new)
        try await window.wait { !$0.rows.isEmpty }
        #expect(try await provider.list().items.count == 1)
    }

    @Test
    func addsOnceHoweverOftenItIsPressed() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let window = try await PasswordsWindow(provider)
        try await window.press("Add Password")
        try await window.wait(for: "Save")
        for _ in 0..<5 { try? await window.press("Save", typing: Self.new) }
        try await window.wait { !$0.rows.isEmpty }
        #expect(window.rows.count == 1)
        #expect(try await provider.list().items.count == 1)
    }

    @Test
    func changesWhatIsTypedAndKeepsTheRest() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let id = try await provider.add(["a.example", "b.example"], "anna", "first", notes: "n").id
        let window = try await PasswordsWindow(provider)
        try await window.edit("a.example, b.example")
        #expect(window.shown.elements.filter { $0.label == "Site" }.map(\.value) == ["a.example", "b.example"])
        #expect(window.element("text", "User name")?.value == "anna")
        try await window.press(
            "Save", typing: [("Site", "a.example"), ("Site", ""), ("New password", "x"), ("Repeat password", "y")])
        #expect(try await window.problem() == "The two passwords are not the same.")
        #expect(try await provider.one("get", id).services == ["a.example", "b.example"])
        try await window.press(
            "Save", typing: [("Site", "a.example"), ("Site", ""), ("New password", "x"), ("Repeat password", "x")])
        try await window.wait(for: "Edit")
        let item = try await provider.one("get", id)
        #expect(item.services == ["a.example"])
        #expect(item.user == "anna")
        #expect(item.notes?.bytes == SecretBytes(utf8: "n"))
        #expect(try await provider.reveal(id) == SecretBytes(utf8: "x"))
        let history: Items.History.Answer = try await provider.manage("history", ItemReference(id: id))
        #expect(history.changes.map(\.password.bytes) == [SecretBytes(utf8: "first")])
        #expect(provider.store.identities == ["0 a.example anna \(id)"])
        // Its page shows it as it is now; the user name alone leaves the password as it is.
        try await window.press("Edit")
        try await window.wait(for: "Save")
        try await window.press("Save", typing: [("User name", "berta")])
        try await window.wait { $0.texts.contains("User name: berta") }
        #expect(try await provider.reveal(id) == SecretBytes(utf8: "x"))
        #expect(provider.store.identities == ["0 a.example berta \(id)"])
    }

    @Test(
        "S36: a site more would fill the password there, and this window asks for no passphrase",
        arguments: ["evil.example", "a.example.evil", "https://a.example"])
    func givesASavedAccountNoOtherSite(_ site: String) async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let item = try await provider.add(["a.example"], "anna", "first")
        let window = try await PasswordsWindow(provider)
        try await window.edit("a.example")
        #expect(window.element("button", "Add Another Site") == nil)
        try await window.press("Save", typing: [("Site", site)])
        #expect(try await window.problem().contains("latchkey edit"))
        #expect(try await provider.one("get", item.id) == item)
    }

    @Test
    func changesNothingWhereNothingIsTyped() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let item = try await provider.add(["a.example"], "anna", "first")
        let told = provider.store.methods
        let window = try await PasswordsWindow(provider)
        try await window.edit("a.example")
        try await window.press("Save")
        try await window.wait(for: "Edit")
        #expect(try await provider.one("get", item.id) == item)
        #expect(provider.store.methods == told)
    }

    @Test(arguments: [
        [("Site", "")], [("Site", "a.example\u{7F}")], [("Site", String(repeating: "s", count: 2_049))],
        [("User name", String(repeating: "u", count: 1_025))], [("New password", "x")], [("Repeat password", "x")],
    ])
    func refusesToChangeAndLosesNothing(typed: [(label: String, text: String)]) async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let item = try await provider.add(["a.example"], "anna", "first")
        let window = try await PasswordsWindow(provider)
        try await window.edit("a.example")
        let fields = window.shown.elements.filter { $0.kind == "text" || $0.kind == "secure" }
        try await window.press("Save", typing: typed)
        _ = try await window.problem()
        #expect(window.shown.elements.filter { $0.kind == "text" || $0.kind == "secure" } == fields)
        #expect(try await provider.one("get", item.id) == item)
        #expect(try await provider.reveal(item.id) == SecretBytes(utf8: "first"))
    }

    @Test
    func leavesSitesThatNoFieldHolds() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let long = "https://" + String(repeating: "l", count: 1_500)
        let services = [long] + (1..<64).map { "site\($0).example" }
        let id = try await provider.add(services, "anna", "first").id
        let window = try await PasswordsWindow(provider)
        try await window.act(
            InterfaceAct(element: window.list?.id ?? "", action: "select", row: window.rows.first?.id))
        try await window.wait(for: "Edit")
        try await window.press("Edit")
        try await window.wait(for: "Save")
        try await window.press("Save", typing: [("User name", "berta")])
        try await window.wait(for: "Edit")
        let changed = try await provider.one("get", id)
        #expect(changed.user == "berta")
        #expect(changed.services == services)
        try await window.press("Edit")
        try await window.wait(for: "Save")
        try await window.press("Save", typing: [("Site", "")])
        try await window.wait(for: "Edit")
        #expect(Set(try await provider.one("get", id).services) == Set(services).subtracting(["site1.example"]))
    }

    // MARK: Removing

    @Test
    func removesOnlyWhatTheUserHasSaidTwice() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let id = try await provider.add(["a.example"], "anna", "first").id
        let other = try await provider.add(["b.example"], "berta", "second").id
        let window = try await PasswordsWindow(provider)
        try await window.open("a.example")
        try await window.wait(for: "Remove…")
        let first = try #require(window.element("button", "Remove…"))
        try await window.press("Remove…")
        try await window.wait(for: "Keep")
        // The button of before is no second answer.
        #expect(
            await Refusal.of { try await window.act(InterfaceAct(element: first.id, action: "press")) }?.code
                == WireError.Code.notFound.rawValue)
        try await window.press("Keep")
        try await window.wait(for: "Remove…")
        #expect(try await provider.list().items.count == 2)
        try await window.press("Remove…")
        try await window.wait(for: "Remove")
        try await window.press("Remove")
        try await window.wait { $0.rows.map(\.title) == ["b.example"] }
        #expect(try await provider.list().items.map(\.id) == [other])
        #expect(provider.store.identities == ["0 b.example berta \(other)"])
        #expect(try await provider.one("restore", id).removed == nil)
    }

    @Test
    func saysWhatWasRemovedMeanwhile() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let ids = try await [
            provider.add(["a.example"], "u", "p").id, provider.add(["b.example"], "u", "p").id,
            provider.add(["c.example"], "u", "p").id,
        ]
        let window = try await PasswordsWindow(provider)
        // Before its page is opened.
        _ = try await provider.one("remove", ids[0])
        try await window.open("a.example")
        _ = try await window.problem()
        #expect(window.element("button", "Edit") == nil && window.element("button", "Remove…") == nil)
        try await window.press("Back")
        try await window.wait { $0.rows.map(\.title) == ["b.example", "c.example"] }
        // While it is changed.
        try await window.edit("b.example")
        _ = try await provider.one("remove", ids[1])
        try await window.press("Save", typing: [("User name", "v")])
        _ = try await window.problem()
        #expect(try await provider.one("get", ids[1]).user == "u")
        try await window.press("Back")
        try await window.wait { $0.element("button", "Save") == nil }
        try await window.press("Back")
        try await window.wait { $0.rows.map(\.title) == ["c.example"] }
        // While the user is asked.
        try await window.open("c.example")
        try await window.wait(for: "Remove…")
        try await window.press("Remove…")
        try await window.wait(for: "Remove")
        let removed = try await provider.one("remove", ids[2])
        try await window.press("Remove")
        _ = try await window.problem()
        #expect(try await provider.one("get", ids[2]).removed == removed.removed)
    }

    // MARK: Looking

    @Test
    func showsNoSecret() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let canaries = ["canary-earlier", "canary-password", "canary-notes", "canary-typed", "canary-again"]
        let id = try await provider.add(["a.example"], "anna", canaries[0], notes: canaries[2]).id
        _ = try await provider.edit(ItemChanges(id: id, password: WireSecret(SecretBytes(utf8: canaries[1]))))
        let window = try await PasswordsWindow(provider)
        try await window.edit("a.example")
        try await window.press("Save", typing: [("New password", canaries[3]), ("Repeat password", canaries[4])])
        _ = try await window.problem()
        try await window.press("Save", typing: [("New password", canaries[3]), ("Repeat password", canaries[3])])
        try await window.wait(for: "Remove…")
        try await window.press("Remove…")
        try await window.wait(for: "Keep")
        try await window.press("Keep")
        try await window.wait(for: "Back")
        try await window.press("Back")
        try await window.wait { $0.list != nil }
        try await window.press("Add Password")
        try await window.wait(for: "Save")
        try await window.press("Save", typing: [("Password", canaries[3]), ("Repeat password", canaries[4])])
        _ = try await window.problem()
        #expect(window.seen.count > 8)
        let seen = try window.seen.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }.joined()
        #expect(seen.contains("a.example") && seen.contains("anna"))
        #expect(!seen.contains("canary"))
        #expect(try await provider.reveal(id) == SecretBytes(utf8: canaries[3]))
    }

    @Test
    func saysWhatIsRecommended() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        _ = try await provider.add(["weak.example"], "anna", "password1")
        let window = try await PasswordsWindow(provider)
        try await window.open("weak.example")
        try await window.wait { $0.texts.contains { $0.hasPrefix("This password") } }
        #expect(window.texts.contains { $0.hasPrefix("Last changed on 20") })
    }

    @Test
    func searchesAndPagesThousands() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        for part in 0..<15 {
            let items = (0..<200).map { index in
                NewItem(
                    services: ["site\(part * 200 + index).example"], user: index == 7 ? "Zoë" : "user",
                    password: WireSecret(SecretBytes(utf8: "p")))
            }
            let _: Items.Add.Answer = try await provider.manage("add", Items.Add.Params(items: items))
        }
        let window = try await PasswordsWindow(provider)
        #expect(window.rows.count == 100 && window.list?.more == true)
        try await window.act(InterfaceAct(element: window.list?.id ?? "", action: "more"))
        try await window.wait { $0.rows.count == 200 }
        try await window.search(for: "zoe site2807")
        try await window.wait { $0.rows.map(\.title) == ["site2807.example"] }
        // Who comes back from a page finds all of it again.
        try await window.open("site2807.example")
        try await window.press("Back")
        try await window.wait { $0.rows.count == 100 }
    }

    // MARK: The end

    @Test
    func whatIsTypedGoesWithTheProcess() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let window = try await PasswordsWindow(provider)
        try await window.press("Add Password")
        try await window.wait(for: "Add Another Site")
        try await window.press("Add Another Site", typing: Self.new)
        try await window.wait { $0.shown.elements.filter { $0.label == "Site" }.count == 2 }
        await provider.stop()
        await #expect(throws: (any Error).self) { try await window.end.value }
        let again = try await ProviderProcess.started(in: container)
        #expect(try await again.list().items.isEmpty)
    }

    @Test
    func aCancelledWindowTakesNoActs() async throws {
        let container = try Container()
        let provider = try await ProviderProcess.started(in: container)
        let id = try await provider.add(["a.example"], "anna", "first").id
        let window = try await PasswordsWindow(provider)
        try await window.open("a.example")
        try await window.wait(for: "Remove…")
        try await window.press("Remove…")
        try await window.wait(for: "Remove")
        provider.peer.notify(Provider.Cancel.name, try JSONValue(encoding: Provider.Cancel.Params(request: 7)))
        await #expect(throws: (any Error).self) { try await window.end.value }
        #expect(await Refusal.of { try await window.press("Remove") }?.code == WireError.Code.expired.rawValue)
        #expect(try await provider.one("get", id).removed == nil)
    }
}
