// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Testing

@testable import TerminalRendering
@testable import latchkey

@Suite struct AppListingTests {
    private func app(
        _ path: String = "/usr/bin/shiny", identifier: String = "E5336VM85F.com.example.Shiny", state: String = "known"
    ) -> AppStatement {
        AppStatement(
            identifier: identifier, path: path, digest: "d", source: "system", state: state,
            domains: ["webcredentials:shiny.example.com"], hosts: ["shiny.example.com"], file: "/f", date: nil)
    }

    @Test func listingsHaveALineForEach() {
        let lines = AppListing.lines([app(), app("/home/me/x", identifier: "", state: "broken")], forTerminal: false)
        #expect(lines.count == 2)
        #expect(lines[0].contains("E5336VM85F.com.example.Shiny") && lines[0].contains("shiny.example.com"))
        #expect(lines[1].hasPrefix("-"))
    }

    @Test func jsonHasEveryMember() {
        let text = AppListing.json(app()).encoded().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(
            text
                == #"{"identifier":"E5336VM85F.com.example.Shiny","path":"/usr/bin/shiny","digest":"d","source":"system","#
                + #""state":"known","domains":["webcredentials:shiny.example.com"],"hosts":["shiny.example.com"],"#
                + #""problem":null,"file":"/f","date":null}"# + "\n")
    }

    @Test("S21: what a program states is escaped before a person reads it")
    func statementsAreEscaped() {
        let lines = AppListing.question(app("/home/me/\u{1B}[2Jshiny\u{202E}", identifier: "E5336VM85F.com\u{7}"))
        #expect(!lines.joined().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        #expect(!AppListing.details(app("/\u{1B}")).joined().joined().unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test func appsAreFoundByPathAndIdentifier() throws {
        let apps = [app(), app("flatpak com.example.Other", identifier: "E5336VM85F.com.example.Other")]
        #expect(try AppSelection(text: "/usr/bin/shiny").resolve(apps) == apps[0])
        #expect(try AppSelection(text: "E5336VM85F.com.example.Other").resolve(apps) == apps[1])
        #expect(try AppSelection(text: "flatpak com.example.Other").resolve(apps) == apps[1])
    }

    @Test("S21: an identifier that two programs claim names neither")
    func twoClaimants() {
        #expect {
            try AppSelection(text: "E5336VM85F.com.example.Shiny").resolve([app(), app("/usr/bin/other")])
        } throws: {
            ($0 as? CommandFailure)?.status == .ambiguous
        }
        #expect {
            try AppSelection(text: "nobody").resolve([app()])
        } throws: {
            ($0 as? CommandFailure)?.status == .notFound
        }
    }
}
