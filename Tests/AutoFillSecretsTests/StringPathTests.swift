// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Testing

/// S61: paths are bytes between slashes, in every spelling.
@Suite struct StringPathTests {
    @Test(
        "S61: a slash beside a mark, a joiner or a prepended scalar separates all the same",
        arguments: [
            "a/\u{301}b", "a/\u{200D}b", "a\u{600}/b", "a/\u{FE0F}b",
        ])
    func slashIsASlash(path: String) {
        #expect(path.pathParts.count == 2)
        #expect(!path.showsItsFolders)
        #expect(path.pathParent?.utf8.first == UInt8(ascii: "a"))
        #expect(path.hasSlash)
    }

    @Test func emptyPartsAreLeftOut() {
        #expect("//usr///bin/".pathParts == ["usr", "bin"])
        #expect("".pathParts.isEmpty)
        #expect("/".pathParts.isEmpty)
        #expect("/usr/bin".showsItsFolders)
    }

    @Test func insideIsByWholeNames() {
        #expect("/home/anna/x".isBelow("/home/anna"))
        #expect("/home/anna/x".isBelow("/home/anna/"))
        #expect(!"/home/annabel".isBelow("/home/anna"))
        #expect(!"/home/anna".isBelow("/home/anna"))
        #expect(!"/home/anna/".isBelow("/home/anna"))
        #expect("/home/anna/a/b".pathPart(below: "/home/anna") == "a/b")
        #expect("/other".pathPart(below: "/home") == nil)
    }

    @Test("S61: names that look alike in other bytes are other names")
    func bytesDecide() {
        // Both show é, and are equal as strings.
        #expect(!"/caf\u{E9}/x".isBelow("/cafe\u{301}"))
    }

    @Test func parentAndLastPart() {
        #expect("/usr/bin/env".pathParent == "/usr/bin")
        #expect("/env".pathParent == "")
        #expect("env".pathParent == nil)
        #expect("/usr/bin/env".lastPathPart == "env")
        #expect("env".lastPathPart == "env")
    }
}
