// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillMatching
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// Fields that the user is not known to see: filled after a question outside the page, which names them, and not before.
struct FieldDoubtsTests {
    private static let fields = [
        FieldRoleAnswer(ref: 3, role: "username"), FieldRoleAnswer(ref: 4, role: "current-password"),
    ]

    private static func doubts(
        unseen: [Int]? = nil, unstated: [Int]? = nil, sends: [String]? = nil,
        in fields: [FieldRoleAnswer] = fields
    ) -> FieldDoubts {
        FieldDoubts(
            unseen: unseen, unstated: unstated, sends: sends, in: fields, at: Origin(url: "https://www.example.co.uk"),
            by: MatchPolicy(.none))
    }

    @Test(
        "S71: a form that sends what is filled to another site is asked about",
        arguments: [
            "https://evil.example", "http://www.example.co.uk", "https://other.co.uk", "mailto:",
            "an unreadable address",
            "https://www.example.co.uk@evil.example", "https://www.example.co.uk:8443",
            "more places than can be named",
        ])
    func otherSites(target: String) throws {
        let doubts = Self.doubts(sends: [target])
        #expect(!doubts.isEmpty)
        #expect(
            try #require(doubts.sentences.first).contains("sends what is filled to \(target), which is not this site"))
    }

    @Test("S71: of many places the first three are named, and the end of a long one")
    func manyPlaces() throws {
        let long = "https://www.example.co.uk." + String(repeating: "a.", count: 40) + "evil.example"
        let doubts = Self.doubts(sends: [long] + (0..<5).map { "https://evil\($0).example" })
        let sentence = try #require(doubts.sentences.first)
        #expect(sentence.contains("a.a.evil.example, https://evil0.example, https://evil1.example and 3 more, which"))
    }

    @Test(
        "A form may send to its own site",
        arguments: ["https://www.example.co.uk", "https://login.example.co.uk"])
    func ownSite(target: String) {
        #expect(Self.doubts(sends: [target]).isEmpty)
    }

    @Test("S40: what a browser does not say is asked about, and no field is called hidden for it")
    func whatIsNotStated() throws {
        let unstated = Self.doubts(unstated: [3, 4])
        #expect(!unstated.isEmpty && unstated.areUnstatedAtMost && unstated.sentences.isEmpty)
        #expect(!Self.doubts(unseen: [4], unstated: [3]).areUnstatedAtMost)
        #expect(!Self.doubts(unstated: [3], sends: ["https://evil.com"]).areUnstatedAtMost)
        #expect(Self.doubts(unseen: [4], unstated: [3]).sentences == Self.doubts(unseen: [4]).sentences)
        #expect(Self.doubts(unstated: [7]).isEmpty)
    }

    @Test("S40: the question names what is filled and what may not be seen")
    func sentenceNamesFields() throws {
        let one = try #require(Self.doubts(unseen: [4], in: Self.fields).sentences.first)
        #expect(one.contains("fills the user name and the password"))
        #expect(one.contains("the field for the password;"))
        let both = try #require(Self.doubts(unseen: [4, 3], in: Self.fields).sentences.first)
        #expect(both.contains("the field for the user name and the password;"))
        let boxes = (0..<6).map { FieldRoleAnswer(ref: $0, role: "one-time-code") }
        let code = try #require(Self.doubts(unseen: [2], in: boxes).sentences.first)
        #expect(code.contains("fills the code.") && code.contains("the field for the code;"))
        let pair = [5, 6].map { FieldRoleAnswer(ref: $0, role: "new-password") }
        #expect(Self.doubts(unseen: [6], in: pair).sentences.first?.contains("the field for the new password;") == true)
    }

    @Test("S40: only fields of the session count", arguments: [nil, [], [0], [-4], [5, 5_000_000_000]] as [[Int]?])
    func othersDoNotCount(refs: [Int]?) {
        let doubts = Self.doubts(unseen: refs, in: Self.fields)
        #expect(doubts.isEmpty && doubts.sentences.isEmpty)
    }
}
