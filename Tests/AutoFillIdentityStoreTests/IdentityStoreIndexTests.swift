// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillMatching
import FoundationEssentials
import GRDB
import Testing

@testable import AutoFillIdentityStore

/// A store is indexed by the list that is in force, whichever it was filled under.
@Suite struct IdentityStoreIndexTests {
    private let folder = TemporaryFolder()
    private let fixture: StoreFixture

    init() throws {
        fixture = StoreFixture(folder: folder.path + "/store")
    }

    /// Words by a small list of its own.
    private func terms(_ rules: String) throws -> IndexTerms {
        let path = folder.path + "/list.dat"
        try writeFile(Array("// a list for this test\n\(rules)\n".utf8), to: path)
        let suffixes = try #require(PublicSuffixes(path: path))
        return IndexTerms(suffixes: suffixes, shared: .empty)
    }

    private func users(_ store: IdentityStore, _ host: String, _ terms: IndexTerms) throws -> Set<String> {
        let page = try #require(Origin(url: "https://\(host)"))
        return Set(try store.lookup(terms: terms.terms(for: page)).map(\.service.value))
    }

    private func blinds(_ store: IdentityStore) throws -> Set<String> {
        var found: Set<String> = []
        try store.withDatabase { db in
            found = Set(try String.fetchAll(db, sql: "SELECT hex(blind) || '-' || row FROM index_terms"))
        }
        return found
    }

    private let hosts = ["a.shared.test", "b.shared.test", "shared.test", "other.test"]

    private func fill(_ store: IdentityStore) throws {
        try store.save(hosts.enumerated().map { StoreFixture.identity($0.offset, host: $0.element) })
    }

    @Test("S10: a site that a newer list splits in two is two sites at the next unlock") func siteSplitsInTwo() throws {
        let (old, new) = (try terms("test"), try terms("test\nshared.test"))
        let store = try fixture.open(terms: old)
        try fill(store)
        #expect(try users(store, "a.shared.test", old) == ["a.shared.test", "b.shared.test", "shared.test"])
        store.close()

        let reopened = try fixture.open(terms: new)
        #expect(try users(reopened, "a.shared.test", new) == ["a.shared.test"])
        #expect(try users(reopened, "x.a.shared.test", new) == ["a.shared.test"])
        #expect(try users(reopened, "shared.test", new) == ["shared.test"])
        #expect(try users(reopened, "other.test", new) == ["other.test"])
        #expect(try reopened.state == .init(supportsIncrementalUpdates: true, count: 4))
        // What is saved from now on is indexed by the new list, too.
        try reopened.save([StoreFixture.identity(9, host: "c.shared.test")])
        #expect(try users(reopened, "c.shared.test", new) == ["c.shared.test"])
    }

    @Test func sitesThatBecomeOneAreFoundTogether() throws {
        let (old, new) = (try terms("test\nshared.test"), try terms("test"))
        let store = try fixture.open(terms: old)
        try fill(store)
        try store.use(new)
        #expect(try users(store, "b.shared.test", new) == ["a.shared.test", "b.shared.test", "shared.test"])
    }

    @Test func sameListIndexesNothingAnew() throws {
        let terms = try terms("test")
        let store = try fixture.open(terms: terms)
        try fill(store)
        // Random words fill up each row, so that rows which are indexed anew are seen to be.
        let before = try blinds(store)
        #expect(before.count == 4 * 16)
        try store.use(terms)
        store.close()
        #expect(try blinds(fixture.open(terms: terms)) == before)
        #expect(try blinds(fixture.open(terms: self.terms("test\nshared.test"))) != before)
    }

    @Test func storeOfAVersionWithoutTheNoteIsIndexed() throws {
        let terms = try terms("test")
        let store = try fixture.open(terms: terms)
        try fill(store)
        try store.withDatabase { try $0.execute(sql: "DELETE FROM meta WHERE name = 'terms'; DELETE FROM index_terms") }
        store.close()
        let reopened = try fixture.open(terms: terms)
        #expect(try users(reopened, "other.test", terms) == ["other.test"])
    }

    @Test("what is cut short is done at the next opening, whole") func cutShort() throws {
        // By the old list every host is a suffix, and has one word; by the new one it has more than sixty.
        let (old, new) = (try terms("test\n*.test"), try terms("test"))
        let names = (0..<200).map { "n\($0)" + String(repeating: "abc", count: 18) + ".test" }
        let store = try fixture.open(terms: old)
        try store.save(names.enumerated().map { StoreFixture.identity($0.offset, host: $0.element) })
        let before = try blinds(store)
        // The disk is full in the middle of it.
        var pages = 0
        try store.withDatabase { pages = try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
        try store.withDatabase { try $0.execute(sql: "PRAGMA max_page_count = \(pages + 4)") }
        #expect { try store.use(new) } throws: { code($0) == .diskFull }
        // Nothing of it was kept, and what is there is found.
        #expect(try blinds(store) == before)
        #expect(try users(store, names[7], old) == [names[7]])
        store.close()
        let reopened = try fixture.open(terms: new)
        #expect(try users(reopened, "www." + names[7], new) == [names[7]])
        #expect(try blinds(reopened).count == 200 * 64)
    }

    @Test("S20: an imitation finds what it imitates, by its words alone") func imitationsAreFound() throws {
        let terms = IndexTerms(.none)
        let lookalikes = Lookalikes(.none)
        let store = try fixture.open(terms: terms)
        try store.save(
            (0..<500).map { StoreFixture.identity($0) } + [StoreFixture.identity(999, host: "shiny.example.com")])
        for host in ["exarnple.com", "shiny.examp1e.com", "exmaple.com", "example.com.evil.test", "xn--exmple-cua.com"]
        {
            let page = try #require(Origin(url: "https://\(host)"))
            #expect(try users(store, host, terms).isEmpty)
            let found = try store.lookup(terms: lookalikes.terms(for: page)).map { SavedService($0.service) }
            #expect(found.count == 1, "\(host)")
            #expect(lookalikes.warning(for: page, among: found)?.sentence == "This is not shiny.example.com.")
        }
        let stranger = try #require(Origin(url: "https://stranger.test"))
        #expect(try store.lookup(terms: lookalikes.terms(for: stranger)).isEmpty)
    }
}
