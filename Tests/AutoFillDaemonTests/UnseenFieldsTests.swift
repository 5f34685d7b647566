// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// Fields that the user is not known to see: filled after a question outside the page, which names them, and not before.
struct UnseenFieldsTests {
    private static let fields = [
        FieldRoleAnswer(ref: 3, role: "username"), FieldRoleAnswer(ref: 4, role: "current-password"),
    ]

    @Test("S40: the question names what is filled and what may not be seen")
    func sentenceNamesFields() throws {
        let one = try #require(UnseenFields([4], in: Self.fields).sentence)
        #expect(one.contains("fills the user name and the password"))
        #expect(one.contains("the field for the password;"))
        let both = try #require(UnseenFields([4, 3], in: Self.fields).sentence)
        #expect(both.contains("the field for the user name and the password;"))
        let boxes = (0..<6).map { FieldRoleAnswer(ref: $0, role: "one-time-code") }
        let code = try #require(UnseenFields([2], in: boxes).sentence)
        #expect(code.contains("fills the code.") && code.contains("the field for the code;"))
        let pair = [5, 6].map { FieldRoleAnswer(ref: $0, role: "new-password") }
        #expect(UnseenFields([6], in: pair).sentence?.contains("the field for the new password;") == true)
    }

    @Test("S40: only fields of the session count", arguments: [nil, [], [0], [-4], [5, 5_000_000_000]] as [[Int]?])
    func othersDoNotCount(refs: [Int]?) {
        let unseen = UnseenFields(refs, in: Self.fields)
        #expect(unseen.isEmpty && unseen.sentence == nil)
    }
}
