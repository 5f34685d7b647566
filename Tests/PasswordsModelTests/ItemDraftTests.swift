// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Testing

@testable import PasswordsModel

@Suite struct ItemDraftTests {
    private static let saved = Item(
        id: "1", services: ["shiny.example.com"], user: "rmondello", created: 0, modified: 0, authenticator: true)

    private static func secret(_ text: String) -> WireSecret { WireSecret(SecretBytes(utf8: text)) }

    @Test func changesNothingThatWasNotTouched() throws {
        #expect(try ItemDraft(Self.saved).changes() == nil)
    }

    @Test func changesOnlyWhatWasTouched() throws {
        var draft = ItemDraft(Self.saved)
        draft.user = "eliza"
        draft.password = Self.secret("")
        let changes = try #require(try draft.changes())
        #expect(changes == ItemChanges(id: "1", user: "eliza"))
    }

    @Test func takesSitesLineByLineWithoutWhiteSpace() throws {
        var draft = ItemDraft(Self.saved)
        draft.services = " shiny.example.com \n\n\tother.example\n"
        #expect(try draft.changes()?.services == ["shiny.example.com", "other.example"])
    }

    @Test func takesTagsApartAtCommasEachOnce() throws {
        var draft = ItemDraft(Self.saved)
        draft.tags = " Work,, home office ,WORK,"
        #expect(try draft.changes() == ItemChanges(id: "1", tags: ["Work", "home office"]))
        var item = Self.saved
        item.tags = ["Work", "home office"]
        #expect(ItemDraft(item).tags == "Work, home office")
        #expect(try ItemDraft(item).changes() == nil)
        draft = ItemDraft(item)
        draft.tags = ""
        #expect(try draft.changes() == ItemChanges(id: "1", tags: []))
    }

    @Test func takesATitleAndTakesItAway() throws {
        var draft = ItemDraft(Self.saved)
        draft.title = " The shop "
        #expect(draft.isChanged)
        #expect(try draft.changes() == ItemChanges(id: "1", title: "The shop"))
        var item = Self.saved
        item.title = "The shop"
        #expect(try ItemDraft(item).changes() == nil)
        draft = ItemDraft(item)
        draft.title = ""
        #expect(try draft.changes() == ItemChanges(id: "1", title: ""))
    }

    @Test func noteHasATitleAndNeedsNoPassword() throws {
        var draft = ItemDraft()
        draft.title = "Door"
        draft.notes = Self.secret("1234")
        let new = try draft.newItem()
        #expect(new.services.isEmpty && new.title == "Door" && new.password.bytes.count == 0)
        draft.notes = nil
        #expect(throws: ItemDraft.Problem(sentence: "Enter a password or notes.")) { try draft.newItem() }
        draft.notes = Self.secret("1234")
        draft.services = "shiny.example.com"
        #expect(throws: ItemDraft.Problem(sentence: "Enter the password.")) { try draft.newItem() }
        draft.title = ""
        draft.services = ""
        #expect(throws: ItemDraft.Problem.self) { try draft.newItem() }
    }

    @Test func keepsWhatWasChangedElsewhereMeanwhile() throws {
        var original = Self.saved
        original.services = ["a.example", "b.example"]
        original.tags = ["old", "home"]
        var current = original
        current.services = ["b.example", "c.example"]
        current.tags = ["home", "bank"]
        #expect(try ItemDraft(original).changes(to: current) == nil, "nothing was typed")
        current.services = ["c.example", "a.example", "b.example"]
        #expect(try ItemDraft(original).changes(to: current) == nil, "the order from elsewhere stays")
        current.services = ["b.example", "c.example"]
        var draft = ItemDraft(original)
        draft.services = "a.example\nb.example\nd.example"
        draft.tags = "old, work"
        let changes = try #require(try draft.changes(to: current))
        #expect(changes.services == ["b.example", "d.example", "c.example"])
        #expect(changes.tags == ["work", "bank"])
    }

    @Test func keepsASiteWhereAllOthersAreGone() throws {
        var current = Self.saved
        current.services = []
        var draft = ItemDraft(Self.saved)
        draft.user = "eliza"
        #expect(try draft.changes(to: current)?.services == ["shiny.example.com"])
    }

    @Test func saysWhatWouldBeLost() {
        #expect(!ItemDraft().isChanged)
        #expect(!ItemDraft(Self.saved).isChanged)
        let acts: [(inout ItemDraft) -> Void] = [
            { $0.services += "\nother.example" }, { $0.user = "eliza" }, { $0.password = Self.secret("x") },
            { $0.notes = Self.secret("x") }, { $0.authenticator = Self.secret("x") }, { $0.isStrict = true },
            { $0.tags = "home" }, { $0.removesAuthenticator = true }, { $0.removesNotes = true },
        ]
        for act in acts {
            var draft = ItemDraft(Self.saved)
            act(&draft)
            #expect(draft.isChanged)
        }
    }

    @Test func takesTheNotesAway() throws {
        var draft = ItemDraft(Self.saved)
        draft.removesNotes = true
        #expect(try draft.changes()?.notes?.bytes.count == 0)
        draft.notes = Self.secret("new ones")
        #expect(try draft.changes()?.notes == draft.notes)
    }

    @Test func takesTheCodesAway() throws {
        var draft = ItemDraft(Self.saved)
        draft.removesAuthenticator = true
        #expect(try draft.changes()?.authenticator?.bytes.count == 0)
        draft.authenticator = Self.secret("otpauth://totp/a?secret=GEZDGNBV")
        #expect(try draft.changes()?.authenticator == draft.authenticator)
    }

    @Test(arguments: ["", " \n ", "ftp://shiny.example.com", "javascript://shiny.example.com"])
    func refusesWhatIsNoSite(services: String) {
        var draft = ItemDraft()
        draft.services = services
        draft.password = Self.secret("x")
        #expect(throws: ItemDraft.Problem.self) { try draft.newItem() }
    }

    @Test func refusesANewAccountWithoutAPassword() {
        var draft = ItemDraft()
        draft.services = "shiny.example.com"
        #expect(throws: ItemDraft.Problem(sentence: "Enter the password.")) { try draft.newItem() }
    }
}
