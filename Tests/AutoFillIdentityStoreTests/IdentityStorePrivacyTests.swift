// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillMatching
import AutoFillSecrets
import Foundation
import Testing

@testable import AutoFillIdentityStore

@Suite struct IdentityStorePrivacyTests {
    private let folder = TemporaryFolder()

    @Test("S27: no user name, host or record identifier appears in any file of the store's folder")
    func nothingIsReadable() throws {
        let fixture = StoreFixture(folder: folder.path)
        let store = try fixture.open()
        try store.save((0..<200).map { StoreFixture.identity($0) })
        try store.remove((0..<20).map { StoreFixture.identity($0) })
        try store.replace(with: (100..<300).map { StoreFixture.identity($0) })

        // The alive check: a canary that is written in the clear is found.
        let names = try folder.names
        #expect(names.contains { $0.hasSuffix("-wal") }, "the WAL is looked at too")
        var sizes = 0
        for name in names {
            let text = try readFile(folder.path + "/" + name)
            sizes += text.count
            for number in stride(from: 0, to: 300, by: 7) {
                let identity = StoreFixture.identity(number)
                let canaries = [
                    identity.user, identity.service.value, identity.recordIdentifier ?? "", "site\(number).example",
                ]
                for canary in canaries {
                    let isFound = Self.contains(text, Array(canary.utf8))
                    #expect(!isFound, "\(canary) in \(name)")
                }
            }
        }
        #expect(sizes > 50_000)
        #expect(Self.contains(Array("xuser7@mail.example".utf8), Array("user7@mail.example".utf8)))
    }

    @Test("S27: two providers' files do not show that they hold the same site") func blindsDifferByProvider() throws {
        let fixture = StoreFixture(folder: folder.path)
        let index = try #require(fixture.indexKey)
        let other = try #require(BundleIdentifier("org.example.other"))
        let identity = StoreFixture.identity(1)
        let keys = [fixture.provider, other].map { IdentityKeys(provider: $0, seal: fixture.sealKey, index: index) }
        let terms = StoreFixture.terms(identity.service.value)
        #expect(keys[0].blinds(terms: terms) != keys[1].blinds(terms: terms))
        #expect(keys[0].blindKey(of: identity) != keys[1].blindKey(of: identity))
        #expect(keys[0].blinds(terms: terms).count == 1)
    }

    @Test(
        "S27: how many words a row has does not tell how long the name of its site is",
        arguments: [
            "a.test", "abcdef.test", "abcdefghijklm.test", "aaaaaaaaaaaaa.test", "localhost", "com.example.app",
        ])
    func wordsFallIntoBuckets(host: String) throws {
        let fixture = StoreFixture(folder: folder.path)
        let keys = IdentityKeys(
            provider: fixture.provider, seal: fixture.sealKey, index: try #require(fixture.indexKey))
        #expect(keys.blinds(for: StoreFixture.identity(1, host: host), IndexTerms(.none)).count == 16)
    }

    @Test("S27: sizes fall into buckets") func sizesFallIntoBuckets() throws {
        let fixture = StoreFixture(folder: folder.path)
        let keys = IdentityKeys(
            provider: fixture.provider,
            seal: fixture.sealKey,
            index: try #require(fixture.indexKey)
        )
        for number in [1, 12, 123, 1234] {
            let sealed = keys.seal(StoreFixture.identity(number), row: 1)
            #expect((sealed.count - SealKey.overhead) % 64 == 0)
        }
    }

    /// By Foundation, because files are large and tests are not optimised.
    private static func contains(_ haystack: [UInt8], _ needle: [UInt8]) -> Bool {
        Data(haystack).range(of: Data(needle)) != nil
    }
}
