// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillMatching
import AutoFillSecrets
import Synchronization
import Testing

@testable import AutoFillIdentityStore

@Suite struct IdentityStoreBoundsTests {
    private let folder = TemporaryFolder()
    private let fixture: StoreFixture

    init() {
        fixture = StoreFixture(folder: folder.path)
    }

    private func open(quota: Int = IdentityStore.standardQuota) throws -> IdentityStore {
        let indexKey = try #require(fixture.indexKey)
        return try IdentityStore(
            folder: folder.path, provider: .builtIn, sealKey: fixture.sealKey, indexKey: indexKey,
            generation: fixture.generation, machine: fixture.machine, terms: IndexTerms(.none), quota: quota)
    }

    private func crowd(_ range: Range<Int>, host: String = "crowded.example") -> [CredentialIdentity] {
        range.map { StoreFixture.identity($0, host: host) }
    }

    @Test("S45: a look-up opens so many rows of a word, the newest ones, whatever else is there")
    func readsWithinBounds() throws {
        let store = try open()
        try store.save(crowd(0..<3_000) + [StoreFixture.identity(9_999, host: "quiet.example")])
        let found = try store.lookup(
            terms: StoreFixture.terms("crowded.example"), within: .init(rowsOfWord: 50, rows: 200))
        #expect(found.rowsRead == 50 && found.identities.count == 50)
        #expect(Set(found.identities.map(\.recordIdentifier)) == Set((2_950..<3_000).map { "record-\($0)" }))
        // What is crowded takes nothing from a word beside it.
        let both = try store.lookup(
            terms: StoreFixture.terms("crowded.example") + StoreFixture.terms("quiet.example"),
            within: .init(rowsOfWord: 50, rows: 200))
        #expect(both.rowsRead == 51 && both.identities.contains { $0.service.value == "quiet.example" })
        let few = try store.lookup(
            terms: StoreFixture.terms("crowded.example") + StoreFixture.terms("quiet.example"),
            within: .init(rowsOfWord: 50, rows: 20))
        #expect(few.rowsRead <= 20)
        let all = try store.lookup(terms: StoreFixture.terms("crowded.example"))
        #expect(all.count == LookupBounds.standard.rowsOfWord)
    }

    @Test("S45: a look-up counts as short only where nobody else reads and few rows are opened")
    func shortLookups() throws {
        let store = try open()
        try store.save(crowd(0..<10))
        let terms = StoreFixture.terms("crowded.example")
        let short = try store.shortLookup(terms: terms, rows: 11)
        let whole = try store.lookup(terms: terms)
        #expect(short?.identities == whole && whole.count == 10)
        for rows in [10, 0] {
            let tooFew = try store.shortLookup(terms: terms, rows: rows)
            #expect(tooFew == nil, "\(rows)")
        }
        let none = try store.shortLookup(terms: StoreFixture.terms("quiet.example"), rows: 1)
        #expect(none?.identities == [])
        let meanwhile = try store.reading { _ in try store.shortLookup(terms: terms, rows: 11) }
        #expect(meanwhile == nil)
        let after = try store.shortLookup(terms: terms, rows: 11)
        #expect(after?.rowsRead == 10)
    }

    @Test func ordinaryNumbersAreFoundWholeAndInOrder() throws {
        let store = try open()
        let saved = (0..<900).map { StoreFixture.identity($0, host: "shiny.example", rank: $0 % 3) }
        try store.save(saved)
        let found = try store.lookup(terms: StoreFixture.terms("shiny.example"))
        let wanted = saved.enumerated().sorted { ($1.element.rank, $1.offset) < ($0.element.rank, $0.offset) }
        #expect(found == wanted.map(\.element))
    }

    @Test("S45: a search opens so many rows for a page, and goes on where it ended")
    func searchIsBounded() throws {
        let store = try open()
        try store.save(crowd(0..<1_000) + [StoreFixture.identity(5_000, host: "needle.example")])
        let first = try store.page(search: "NEEDLE", limit: 10, reading: 300)
        #expect(first.identities.isEmpty && first.rowsRead == 300)
        var (found, next, pages): ([CredentialIdentity], Int64?, Int) = ([], first.next, 1)
        while let place = next {
            let page = try store.page(search: "needle", from: place, limit: 10, reading: 300)
            #expect(page.rowsRead <= 300)
            (found, next, pages) = (found + page.identities, page.next, pages + 1)
        }
        #expect(found.map(\.service.value) == ["needle.example"] && pages == 4)
        #expect(try store.page(limit: 1_001).next == nil)
        #expect(try store.page(limit: 0).identities.isEmpty)
    }

    @Test func pagesHaveEverythingOnce() throws {
        let store = try open()
        try store.save(crowd(0..<95))
        var (found, next): ([CredentialIdentity], Int64?) = ([], 0)
        while let place = next {
            let page = try store.page(from: place, limit: 10)
            (found, next) = (found + page.identities, page.next)
        }
        #expect(found == crowd(0..<95))
    }

    @Test("S45: more identities than a provider may have are refused whole, and what was there stays")
    func quota() throws {
        let store = try open(quota: 100)
        try store.save(crowd(0..<100))
        for change in [{ try store.save(crowd(100..<101)) }, { try store.replace(with: crowd(0..<101)) }] {
            #expect { try change() } throws: { ($0 as? IdentityStoreError)?.code == .full }
        }
        #expect(try store.state.count == 100)
        // What replaces itself is no more than before.
        try store.save(crowd(50..<100))
        try store.remove(crowd(0..<1))
        try store.save(crowd(100..<101))
        #expect(try store.state.count == 100)
    }

    @Test("S45: a long change rests, and meanwhile what was there is read")
    func readingWaitsForNoChange() throws {
        let store = try open()
        try store.save(crowd(0..<10))
        let seen = Mutex<[Int]>([])
        let pace = WritePace {
            let found = (try? store.lookup(terms: StoreFixture.terms("crowded.example")).count) ?? -1
            seen.withLock { $0.append(found) }
            return true
        }
        try store.replace(with: crowd(100..<2_500), pace: pace)
        let counts = seen.withLock { $0 }
        #expect(counts.count >= 4 && Set(counts) == [10])
        #expect(try store.state.count == 2_400)
    }

    @Test("S45: a change that is given up in the middle changes nothing")
    func givingUp() throws {
        let store = try open()
        try store.save(crowd(0..<10))
        for change in [
            { try store.save(crowd(100..<2_500), pace: $0) }, { try store.replace(with: crowd(100..<2_500), pace: $0) },
            { try store.remove(crowd(0..<2_500), pace: $0) },
        ] as [(WritePace) throws -> Void] {
            let left = Mutex(2)
            let pace = WritePace {
                left.withLock { left in
                    left -= 1
                    return left > 0
                }
            }
            #expect { try change(pace) } throws: { ($0 as? IdentityStoreError)?.code == .interrupted }
            #expect(try store.state.count == 10)
            #expect(try store.all() == crowd(0..<10))
        }
    }

    @Test func countIsRightAfterEveryChange() throws {
        let store = try open()
        func expect(_ count: Int) throws {
            #expect(try store.state.count == count)
            #expect(try store.all().count == count)
        }
        try expect(0)
        try store.save(crowd(0..<20))
        try expect(20)
        try store.save(crowd(10..<30) + crowd(10..<30))
        try expect(30)
        try store.remove(crowd(25..<40) + crowd(25..<26))
        try expect(25)
        try store.replace(with: crowd(0..<3))
        try expect(3)
        try store.removeAll()
        try expect(0)
    }

    @Test(
        "S43: an identity with a control character or a line end is refused at the door, with all that came with it",
        arguments: ["a\nb", "a\rb", "a\u{0}", "\u{1B}[31mred", "a\u{7F}", "a\u{85}b", "a\u{9B}b", "a\u{2028}b", "a\tb"])
    func controlsAreRefused(text: String) throws {
        let store = try open()
        try store.save(crowd(0..<1))
        var user = StoreFixture.identity(1)
        user.user = text
        var record = StoreFixture.identity(2)
        record.recordIdentifier = text
        var service = StoreFixture.identity(3)
        service.service = ServiceIdentifier(kind: .domain, value: text)
        for odd in [user, record, service] {
            #expect { try store.save([StoreFixture.identity(4), odd]) } throws: {
                ($0 as? IdentityStoreError)?.code == .refused && !"\($0)".contains(text)
            }
            #expect { try store.replace(with: [odd]) } throws: { ($0 as? IdentityStoreError)?.code == .refused }
        }
        #expect(try store.all() == crowd(0..<1))
        // To be rid of one is never refused.
        try store.remove([user])
    }

    @Test func namesOfAllScriptsAreKeptExactly() throws {
        let store = try open()
        let names = ["\u{202A}+1 555 0100\u{202C}", "می‌خواهم", "👩‍👩‍👧", "  anna  ", "שלום"]
        try store.save(
            names.enumerated().map { number, name in
                var identity = StoreFixture.identity(number)
                identity.user = name
                return identity
            })
        #expect(try store.all().map(\.user) == names)
    }
}
