// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import Testing

@testable import TerminalRendering
@testable import latchkey

/// `latchkey upgrade`
@Suite struct UpgradeCommandTests {
    @Test(arguments: [
        [], ["--list", "--unsettled"], ["--unsettled", "--settle", "x", "--works", "old"], ["--settle", "x"],
        ["--works", "new", "a.example"], ["--settle", "x", "--works", "both"], ["a.example", "--to", "passkey"],
        ["--unsettled", "a.example"], ["--settle", "x", "--works", "new", "a.example"],
        ["--all", "a.example", "anna"], ["--all", "--unsettled"], ["--all", "--settle", "x", "--works", "new"],
        ["--all", "--to", "sign-in-with-apple"],
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
        #expect(try UpgradeCommand.parse(["--all"]).all && UpgradeCommand.parse(["--all", "--list"]).list)
        #expect(try UpgradeCommand.parse(["--all", "a.example", "--json"]).service == "a.example")
    }

    @Test func everyStepHasASentenceAndUnknownOnesHaveNone() {
        for step in ["making", "keeping", "changing", "asking", "saving", "signing-in", "removing"] {
            #expect(Upgrades.Progress.sentence(of: step) != nil)
        }
        #expect(Upgrades.Progress.sentence(of: "dancing") == nil)
    }

    @Test func listingsAreJSON() {
        let account = UpgradeStatement(service: "a.example", user: "anna", provider: "Passwords", extension: "Shiny")
        let text = UpgradeCommand.json([account]).encoded().testText
        for part in ["\"service\":\"a.example\"", "\"extension\":\"Shiny\"", "\"refusal\":null"] {
            #expect(text.contains(part), "\(text)")
        }
    }

    @Test func accountsThatSignInWithAppleAreSaidSo() {
        var account = UpgradeStatement(service: "a.example", user: "anna", provider: "Passwords", extension: "Shiny")
        #expect(ConversionText.offer(account) == "by Shiny")
        account.signInWithApple = "Shiny"
        #expect(ConversionText.offer(account) == "by Shiny, or to Sign in with Apple")
        (account.extension, account.refusal) = (nil, "nobody can")
        #expect(ConversionText.offer(account) == "to Sign in with Apple by Shiny")
        account.signInWithApple = nil
        #expect(ConversionText.offer(account) == "nobody can")
        let converted = ConvertedStatement(
            service: "a.example", user: "anna", provider: "Passwords", app: "A.b", date: 0, password: "kept")
        #expect(ConversionText.rows([converted])[0].last?.contains("remove its password in Passwords") == true)
        let text = UpgradeCommand.json([], converted: [converted]).encoded().testText
        #expect(text.contains("\"signsInWith\":\"apple\"") && text.contains("\"password\":\"kept\""), "\(text)")
    }

    @Test(arguments: ["removed", "detached", "kept", "none", "pending", "of a newer daemon"])
    func everyEndHasASentence(fate: String) {
        let answer = Upgrades.Run.Answer(
            service: "a.example", user: "anna", provider: "Passwords", extension: "Shiny", password: fate)
        #expect(ConversionText.end(answer)?.hasPrefix("anna signs in to a.example with Apple now. ") == true)
        #expect(ConversionText.end(.init(service: "a", user: "b", provider: "c", extension: "d")) == nil)
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
        #expect(EnableQuestion(provider: provider).lines.joined().contains("never uses it"))
    }
}
