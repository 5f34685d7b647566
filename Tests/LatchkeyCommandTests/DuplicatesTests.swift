// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import ProcessTesting
import Testing

@testable import latchkey

@Suite struct DuplicatesTests {
    private static func item(
        _ id: String, _ services: [String], _ user: String, modified: Int64 = 0, title: String? = nil
    )
        -> Item
    {
        Item(id: id, services: services, user: user, created: 0, modified: modified, title: title)
    }

    @Test(
        arguments: [
            ([item("a", ["x.example"], "me"), item("b", ["x.example"], "you")], []),
            (
                [item("a", ["x.example"], "me"), item("b", ["X.example", "y.example"], "me", modified: 1)],
                [["b", "a"]]
            ),
            // The third has something in common with either of two that have nothing in common.
            (
                [
                    item("a", ["x.example"], "me"), item("b", ["y.example"], "me"),
                    item("c", ["x.example", "y.example"], "me"),
                ],
                [["a", "b", "c"]]
            ),
            (
                [item("a", [], "", title: "Door"), item("b", [], "", title: "Door"), item("c", [], "", title: "Bike")],
                [["a", "b"]]
            ),
            ([item("a", [], "Door", title: "x"), item("b", ["x"], "Door")], []),
        ] as [([Item], [[String]])])
    func groupsHaveTheUserAndASiteInCommon(items: [Item], groups: [[String]]) {
        #expect(DuplicatesCommand.groups(items).map { $0.map(\.id) } == groups)
    }
}

@Suite(.tags(.startsProcess)) struct DuplicatesTranscriptTests {
    @Test func listsThemWithTheTimesOfTheirLastChange() async throws {
        let daemon = try FakeDaemon(TestHome())
        #expect(await daemon.home.run("duplicates", "--json").output == "[]\n")
        for number in 1...2 { daemon.keep(number, ["shiny.example.com"], "rmondello", "\(number)") }
        daemon.keep(3, ["other.example"], "rmondello", "3")
        let run = await daemon.home.run("duplicates")
        let lines = run.output.split(separator: "\n")
        #expect(
            lines.count == 2 && lines.allSatisfy { $0.contains("\tshiny.example.com\trmondello\tchanged 2026-09-2") })
        #expect(await daemon.home.run("list").output.split(separator: "\n").count { $0.contains("\tchanged ") } == 2)
    }
}
