// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillSecrets
import GRDB
import Glibc
import Testing

@testable import AutoFillIdentityStore

@Suite struct IdentityStoreTests {
    private let folder = TemporaryFolder()
    private let fixture: StoreFixture

    init() {
        fixture = StoreFixture(folder: folder.path)
    }

    @Test func aMissingStoreIsEmptyAndWantsEverything() throws {
        let state = try fixture.open().state
        #expect(!state.supportsIncrementalUpdates)
        #expect(state.count == 0)
    }

    @Test func findsWhatWasSavedBySite() throws {
        let store = try fixture.open()
        let saved = (0..<50).map { StoreFixture.identity($0) }
        try store.save(saved)
        #expect(try store.lookup(terms: StoreFixture.terms("site7.example")) == [saved[7]])
        #expect(try store.lookup(terms: StoreFixture.terms("www.site7.example")) == [saved[7]])
        #expect(try store.lookup(terms: StoreFixture.terms("site77.example")).isEmpty)
        #expect(try store.lookup(terms: []).isEmpty)
        #expect(try store.lookup(terms: ["", "site:", "\0"]).isEmpty)
        #expect(try store.state == .init(supportsIncrementalUpdates: true, count: 50))
    }

    /// On a full disk the kernel ends a process that touches a mapped file.
    @Test func mapsNoFileIntoMemory() throws {
        let store = try fixture.open()
        try store.save([StoreFixture.identity(1)])
        #expect(try store.lookup(terms: StoreFixture.terms("site1.example")).count == 1)
        let mapped = String(decoding: try readFile("/proc/self/maps"), as: UTF8.self)
        #expect(mapped.contains("/") && !mapped.contains(folder.path))
        #expect(try !folder.names.contains { $0.hasSuffix("-shm") })
    }

    @Test func readingDoesNotWaitForAChange() throws {
        let store = try fixture.open()
        try store.save([StoreFixture.identity(1)])
        try store.withDatabase { db in
            try db.execute(sql: "BEGIN IMMEDIATE; DELETE FROM index_terms")
            #expect(try store.lookup(terms: StoreFixture.terms("site1.example")).count == 1)
            try db.execute(sql: "ROLLBACK")
        }
    }

    @Test func keepsEveryMember() throws {
        let store = try fixture.open()
        let odd = [
            CredentialIdentity(
                type: CredentialType(rawValue: "unheard of"),
                service: ServiceIdentifier(kind: .url, value: "https://a.test:8443/x"),
                user: "",
                recordIdentifier: nil,
                rank: .min
            ),
            CredentialIdentity(
                type: .passkey,
                service: ServiceIdentifier(kind: .app, value: "org.example.app"),
                user: "ü\u{202A}\u{200B} ",
                recordIdentifier: "",
                rank: .max,
                credentialID: "BwA=",
                userHandle: "AA=="
            ),
            CredentialIdentity(
                type: .oneTimeCode,
                service: ServiceIdentifier(kind: .init(rawValue: 99), value: ""),
                user: "x",
                recordIdentifier: "r"
            ),
        ]
        try store.save(odd)
        store.close()
        let reopened = try fixture.open()
        #expect(try reopened.all() == odd)
        #expect(try reopened.lookup(terms: ["app:org.example.app"]) == [odd[1]])
    }

    @Test func twoPasskeysOfOneUserAreTwo() throws {
        let store = try fixture.open()
        let passkeys = ["AQ==", "Ag=="].map {
            CredentialIdentity(
                type: .passkey, service: ServiceIdentifier(kind: .domain, value: "a.test"), user: "u",
                recordIdentifier: "r",
                credentialID: $0, userHandle: "AA==")
        }
        try store.save(passkeys + passkeys)
        #expect(try store.all() == passkeys)
        try store.remove([passkeys[0]])
        #expect(try store.all() == [passkeys[1]])
    }

    @Test func higherRanksComeFirst() throws {
        let store = try fixture.open()
        let saved = [1, 3, 2].map { StoreFixture.identity($0, host: "a.test", rank: $0) }
        try store.save(saved)
        #expect(try store.lookup(terms: StoreFixture.terms("a.test")).map(\.rank) == [3, 2, 1])
    }

    @Test func lookupPutsTheLatestFirstAmongEqualRanks() throws {
        let store = try fixture.open()
        try store.save([StoreFixture.identity(1, host: "a.test", rank: 7)])
        try store.save([StoreFixture.identity(2, host: "a.test", rank: 7)])
        try store.save([StoreFixture.identity(3, host: "a.test", rank: 8)])
        try store.save([StoreFixture.identity(4, host: "a.test", rank: 7)])
        let found = try store.lookup(terms: StoreFixture.terms("a.test"))
        #expect(found.map(\.key) == [3, 4, 2, 1].map { StoreFixture.identity($0, host: "a.test", rank: 7).key })
    }

    @Test func anIdentityInTwoTermsIsFoundOnce() throws {
        let store = try fixture.open()
        try store.save([StoreFixture.identity(1, host: "a.test")])
        let terms = StoreFixture.terms("a.test") + StoreFixture.terms("b.test") + StoreFixture.terms("a.test")
        #expect(try store.lookup(terms: terms).count == 1)
    }

    @Test func savingTheSameKeyReplaces() throws {
        let store = try fixture.open()
        try store.save([StoreFixture.identity(1, rank: 1)])
        try store.save([StoreFixture.identity(1, rank: 5), StoreFixture.identity(1, rank: 6)])
        #expect(try store.all().map(\.rank) == [6])
        #expect(try store.lookup(terms: StoreFixture.terms("site1.example")).count == 1)
        var other = StoreFixture.identity(1)
        other.recordIdentifier = nil
        try store.save([other])
        #expect(try store.state.count == 2)
    }

    @Test func removesByKeyAndForgivesWhatIsNotThere() throws {
        let store = try fixture.open()
        try store.save((0..<3).map { StoreFixture.identity($0) })
        try store.remove([StoreFixture.identity(1, rank: 99), StoreFixture.identity(42)])
        #expect(try store.all() == [StoreFixture.identity(0), StoreFixture.identity(2)])
        #expect(try store.lookup(terms: StoreFixture.terms("site1.example")).isEmpty)
    }

    @Test func removingEverythingKeepsIncrementalUpdates() throws {
        let store = try fixture.open()
        try store.removeAll()
        #expect(try !store.state.supportsIncrementalUpdates)
        try store.save([StoreFixture.identity(1)])
        try store.removeAll()
        #expect(try store.state == .init(supportsIncrementalUpdates: true, count: 0))
        #expect(try store.lookup(terms: StoreFixture.terms("site1.example")).isEmpty)
    }

    @Test func anEmptyReplaceCountsAsFilled() throws {
        let store = try fixture.open()
        try store.replace(with: [])
        #expect(try store.state == .init(supportsIncrementalUpdates: true, count: 0))
        store.close()
        #expect(try fixture.open().state.supportsIncrementalUpdates)
    }

    @Test func replacesEverything() throws {
        let store = try fixture.open()
        try store.save((0..<10).map { StoreFixture.identity($0) })
        try store.replace(with: (5..<8).map { StoreFixture.identity($0, rank: 1) })
        #expect(try store.all() == (5..<8).map { StoreFixture.identity($0, rank: 1) })
        #expect(try store.lookup(terms: StoreFixture.terms("site1.example")).isEmpty)
    }

    @Test func pagesAndSearches() throws {
        let store = try fixture.open()
        let saved = (0..<30).map { StoreFixture.identity($0) }
        try store.save(saved)
        #expect(try store.all(offset: 10, limit: 5) == Array(saved[10..<15]))
        #expect(try store.all(offset: 28, limit: 5) == Array(saved[28...]))
        #expect(try store.all(offset: 99, limit: 5).isEmpty)
        #expect(try store.all(offset: -1, limit: 5).isEmpty)
        #expect(try store.all(offset: 0, limit: 0).isEmpty)
        #expect(try store.all(search: "USER2", offset: 1, limit: 3) == Array(saved[20..<23]))
        #expect(try store.all(search: "Site12.Example") == [saved[12]])
        #expect(try store.all(search: "record-").isEmpty)
    }

    @Test func aFullDiskKeepsWhatWasThere() throws {
        let store = try fixture.open()
        try store.save([StoreFixture.identity(1)])
        try store.withDatabase { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        #expect { try store.replace(with: (0..<500).map { StoreFixture.identity($0) }) } throws: {
            code($0) == .diskFull
        }
        #expect(try store.all() == [StoreFixture.identity(1)])
    }

    @Test func aClosedStoreGivesErrors() throws {
        let store = try fixture.open()
        store.close()
        #expect { try store.state } throws: { code($0) == .closed }
        #expect { try store.lookup(terms: ["site:a.test"]) } throws: { code($0) == .closed }
        #expect { try store.save([]) } throws: { code($0) == .closed }
    }

    @Test func closingInTheMiddleOfUseNeverCrashes() async throws {
        for _ in 0..<20 {
            let store = try fixture.open()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        for _ in 0..<20 { try? store.save([StoreFixture.identity(number)]) }
                    }
                }
                group.addTask { store.close() }
            }
        }
    }

    @Test func deletingLeavesNothing() throws {
        let store = try fixture.open()
        try store.save([StoreFixture.identity(1)])
        store.deleteFile()
        #expect(try folder.names == ["CACHEDIR.TAG"])
        #expect(try !fixture.open().state.supportsIncrementalUpdates)
        IdentityStore.deleteFile(folder: folder.path, provider: fixture.provider)
        #expect(try folder.names == ["CACHEDIR.TAG"])
    }

    @Test func theFolderIsPrivateAndTagged() throws {
        var nested = StoreFixture(folder: folder.path + "/state/identities")
        nested.provider = try #require(BundleIdentifier("org.example.other"))
        let store = try nested.open()
        try store.save([StoreFixture.identity(1)])
        let tag = String(decoding: try readFile(nested.folder + "/CACHEDIR.TAG"), as: UTF8.self)
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
        var status = stat()
        #expect(stat(nested.folder, &status) == 0 && status.st_mode & 0o777 == 0o700)
        for suffix in ["", "-wal"] {
            #expect(stat(nested.path + suffix, &status) == 0 && status.st_mode & 0o777 == 0o600, "\(suffix)")
        }
    }

    @Test func providersHaveFilesOfTheirOwn() throws {
        var other = fixture
        other.provider = try #require(BundleIdentifier("org.example.other"))
        let first = try fixture.open()
        let second = try other.open()
        try first.save([StoreFixture.identity(1)])
        #expect(try second.all().isEmpty)
        #expect(first.path != second.path)
    }
}
