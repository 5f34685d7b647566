// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import Testing

@testable import latchkey

/// `latchkey upgrade`
@Suite struct UpgradeCommandTests {
    @Test(arguments: [
        [], ["--list", "--unsettled"], ["--unsettled", "--settle", "x", "--works", "old"], ["--settle", "x"],
        ["--works", "new", "a.example"], ["--settle", "x", "--works", "both"], ["a.example", "--to", "passkey"],
        ["--unsettled", "a.example"], ["--settle", "x", "--works", "new", "a.example"],
    ])
    func refuses(arguments: [String]) {
        #expect(throws: (any Error).self) { try UpgradeCommand.parse(arguments) }
    }

    @Test func reads() throws {
        let plain = try UpgradeCommand.parse(["a.example", "anna"])
        #expect(plain.service == "a.example" && plain.user == "anna" && plain.to == .strongPassword)
        #expect(try UpgradeCommand.parse(["--list"]).service == nil)
        #expect(try UpgradeCommand.parse(["--list", "a.example"]).list)
        #expect(try UpgradeCommand.parse(["--settle", "x", "--works", "new"]).works == .new)
        #expect(try UpgradeCommand.parse(["a.example", "--to", "sign-in-with-apple"]).to == .signInWithApple)
    }

    @Test func everyStepHasASentenceAndUnknownOnesHaveNone() {
        for step in ["making", "keeping", "changing", "asking", "saving"] {
            #expect(UpgradeCommand.sentence(step) != nil)
        }
        #expect(UpgradeCommand.sentence("dancing") == nil)
    }

    @Test func listingsAreJSON() {
        let account = UpgradeStatement(service: "a.example", user: "anna", provider: "Passwords", extension: "Shiny")
        let text = UpgradeCommand.json([account]).encoded().testText
        for part in ["\"service\":\"a.example\"", "\"extension\":\"Shiny\"", "\"refusal\":null"] {
            #expect(text.contains(part), "\(text)")
        }
    }

    @Test func extensionThatIsToBeEnabledSaysWhatItIsGiven() {
        var provider = ProviderStatement(
            identifier: "com.example.Shiny.upgrade", name: "Shiny", version: "1", path: "/x", builtIn: false,
            state: "disabled", running: false, provides: [], showsConfiguration: false, debug: false,
            isolation: "bubblewrap", grants: .init())
        provider.modification = .init(
            app: "E5336VM85F.com.example.Shiny", domains: ["webcredentials:shiny.example.com"],
            kinds: ["strong-password"])
        let lines = EnableQuestion(provider: provider).lines.joined(separator: "\n")
        #expect(lines.contains("E5336VM85F.com.example.Shiny") && lines.contains("shiny.example.com"))
        #expect(lines.contains("the old and the new password"))
        #expect(!lines.contains("fills"))
        provider.modification?.domains = []
        #expect(EnableQuestion(provider: provider).lines.joined().contains("never asked"))
    }
}
