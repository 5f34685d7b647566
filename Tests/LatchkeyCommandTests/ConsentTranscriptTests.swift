// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import ProcessTesting
import Testing

@testable import latchkey

/// What `latchkey consents` prints, word for word, and what it sends.
@Suite(.tags(.startsProcess)) struct ConsentTranscriptTests {
    private func daemon() throws -> FakeDaemon {
        var state = FakeDaemon.State()
        state.consents = [
            ConsentStatement(
                id: "0011223344556677", kind: "frame", top: "https://top.example", origin: "https://shiny.example.com",
                provider: "org.latchkey.passwords", service: "shiny.example.com", user: "r\u{1B}mondello",
                date: 1_790_000_000),
            ConsentStatement(
                id: "8899aabbccddeeff", kind: "insecureLocal", origin: "http://nas.local",
                provider: "org.latchkey.passwords", service: "http://nas.local", user: "admin", date: 1_790_000_000),
        ]
        return try FakeDaemon(TestHome(), state)
    }

    @Test func listSaysWhatMayGoWhere() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("consents")
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 0 && lines.count == 2)
        #expect(
            lines.first?.hasPrefix(
                "0011223344556677\tshiny.example.com\tr\\u{1B}mondello\thttps://shiny.example.com in a page of "
                    + "https://top.example\t") == true)
        #expect(lines.last?.hasPrefix("8899aabbccddeeff\thttp://nas.local\tadmin\thttp://nas.local\t") == true)
    }

    @Test func listAsJSONHasEveryMember() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("consents", "list", "--json")
        #expect(
            run.output.contains(
                #"""
                {"id":"8899aabbccddeeff","kind":"insecureLocal","top":null,"origin":"http://nas.local",\#
                "provider":"org.latchkey.passwords","service":"http://nas.local","user":"admin","date":1790000000}
                """#))
    }

    @Test func forgetTakesBackWhatIsNamed() async throws {
        let daemon = try daemon()
        #expect(await daemon.home.run("consents", "forget", "0011223344556677").status == 0)
        #expect(daemon.with { $0.consents.map(\.kind) } == ["insecureLocal"])
        #expect(await daemon.home.run("consents", "forget", "--all").status == 0)
        #expect(daemon.with { $0.consents.isEmpty })
    }

    @Test(
        arguments: [
            (["forget"], 64), (["forget", "--all", "0011223344556677"], 64), (["forget", "ffffffffffffffff"], 5),
            (["forget", "0011223344556677", "ffffffffffffffff"], 5),
        ] as [([String], Int32)]) func forgetSaysWhatItCouldNotDo(arguments: [String], status: Int32) async throws
    {
        let daemon = try daemon()
        let run = await daemon.home.run(["consents"] + arguments, input: "", adding: [:])
        #expect(run.status == status && run.output == "" && run.error.hasPrefix("latchkey: "))
    }
}
