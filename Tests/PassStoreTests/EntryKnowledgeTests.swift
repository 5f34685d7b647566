// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Foundation
import Testing

@testable import PassStore

@Suite
struct EntryKnowledgeTests {
    private let name: EntryName

    init() throws {
        name = try #require(EntryName("shiny.example.com/rmondello"))
    }

    private func knowledge(_ line: String) throws -> EntryKnowledge {
        var known = EntryKnowledge()
        _ = known.learn(try EntryText(SecretBytes(utf8: "password\n" + line)), of: name)
        return known
    }

    @Test(arguments: [
        ("otpauth://totp/x?secret=JBSWY3DPEHPK3PXP&period=60", 60), ("otpauth://totp/x?secret=JBSWY3DPEHPK3PXP", 30),
    ])
    func codesComeWithTheirPeriod(line: String, period: Int) throws {
        let claims = try knowledge(line).claims(of: name)
        #expect(claims.map(\.isCode) == [false, true])
        #expect(claims.map(\.period) == [nil, period])
    }

    @Test(
        "A key that is not understood has no period",
        arguments: [
            "otpauth://hotp/x?secret=JBSWY3DPEHPK3PXP&counter=1", "otpauth://totp/x?secret=1", "otpauth://totp/x",
        ])
    func keysWithoutAPeriod(line: String) throws {
        #expect(try knowledge(line).claims(of: name).map(\.period) == [nil, nil])
    }

    @Test
    func noKeyIsNoClaim() throws {
        #expect(try knowledge("user: u").claims(of: name).map(\.isCode) == [false])
    }

    /// What was learned before periods were: it is read, and learned again when the entry is opened the next time.
    @Test
    func whatWasLearnedBeforeIsReadAndLearnedAgain() throws {
        let text = #"{"inside":{"shiny.example.com/rmondello":{"services":[],"hasCode":true}}}"#
        var known = try JSONDecoder().decode(EntryKnowledge.self, from: Data(text.utf8))
        #expect(known.claims(of: name).map(\.period) == [nil, nil])
        let entry = try EntryText(SecretBytes(utf8: "p\notpauth://totp/x?secret=JBSWY3DPEHPK3PXP&period=60"))
        let isNews = known.learn(entry, of: name)
        #expect(isNews)
        #expect(known.claims(of: name).map(\.period) == [nil, 60])
        let isNewsAgain = known.learn(entry, of: name)
        #expect(!isNewsAgain)
    }
}
