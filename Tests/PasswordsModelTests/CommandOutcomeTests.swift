// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import PasswordsModel
import Testing

@Suite struct CommandOutcomeTests {
    @Test func sentenceKeepsHintsThatAreNoCommands() {
        let problem = """
            a note beside it
            latchkey: The file is JSON, which cannot be imported.
            hint: Export again and choose CSV.
            hint: Run `latchkey import`.
            hint: --format other says yes.

            """
        let outcome = CommandOutcome(status: 64, problem: problem)
        #expect(outcome.sentence == "The file is JSON, which cannot be imported. Export again and choose CSV.")
        #expect(outcome.notes == ["a note beside it"])
    }

    @Test func commandThatSaysNothingHasASentenceAllTheSame() {
        #expect(CommandOutcome(status: 70).sentence == "The program latchkey ended with status 70.")
    }

    @Test(
        arguments: [
            ("hint: --format other says yes.", 1, "other"), ("hint: --format bitwarden-2 says yes.", 64, "bitwarden-2"),
            ("hint: --format ; rm", 1, nil), ("hint: --format", 1, nil), ("hint: --format other says yes.", 0, nil),
            ("", 1, nil),
        ] as [(String, Int32, String?)])
    func formatIsTakenFromTheHintAlone(problem: String, status: Int32, name: String?) {
        #expect(GuessedFormat(CommandOutcome(status: status, problem: problem))?.name == name)
    }

    @Test(arguments: ["", "{}", "[]", "null", "{\"browsers\":[{\"name\":\"x\"}]}"])
    func reportThatIsNoneIsNone(output: String) {
        #expect(BrowserReport(CommandOutcome(status: 0, output: output)) == nil)
        #expect(ImportOutcome(CommandOutcome(status: 0, output: output)) == nil)
        #expect(WebsitePlace(CommandOutcome(status: 0, output: output)) == nil)
    }

    @Test func browserThatIsNotConnectedSaysWhy() throws {
        let output =
            #"{"browsers":[{"name":"Firefox","ready":false,"fault":"nothing tells this browser of Latchkey yet"}],"daemon":"running"}"#
        let report = try #require(BrowserReport(CommandOutcome(status: 69, output: output)))
        #expect(report.browsers.map(\.fault) == ["nothing tells this browser of Latchkey yet"])
    }

    @Test(arguments: ["http://a.example/p", "javascript:alert(1)", "file:///etc/passwd", ""])
    func pageThatIsNotOfTheWebIsNotOpened(url: String) {
        #expect(WebsitePlace(CommandOutcome(status: 0, output: "{\"url\":\"\(url)\",\"source\":\"site\"}")) == nil)
    }

    private static func report(_ members: String, complete: Bool = true, withoutSite: Int = 0) -> String {
        "{\"imported\":2,\"withoutSite\":\(withoutSite),\"settled\":[2,3],\"past\":[3],\"completed\":0,\"otherPassword\":[],\"uncertain\":[],\"columns\":[],\"skipped\":[],\"complete\":\(complete)\(members)}"
            .replacing("\"skipped\":[],", with: members.contains("skipped") ? "" : "\"skipped\":[],")
    }

    @Test func importSaysWhatWasLeftOutAndWhetherTheFileMayGo() throws {
        let skipped = (2...7).map { "{\"line\":\($0),\"reason\":\"it has no password\",\"loss\":true}" }.joined(
            separator: ",")
        let lossy = CommandOutcome(status: 0, output: Self.report(",\"skipped\":[\(skipped)]", complete: false))
        #expect(
            try #require(ImportOutcome(lossy)).sentences == [
                "2 accounts were imported.", "Left out, 6 lines (2, 3, 4, 5, …): it has no password.",
                "The file's password is used now; the earlier one is in the account's history: line 2.",
                "The file's password is in the account's history and not used: line 3.",
                "The file holds passwords in the clear, and not everything in it was saved: look after the rest, then delete it.",
            ])
        let whole = CommandOutcome(status: 0, output: Self.report("", withoutSite: 1))
        #expect(
            try #require(ImportOutcome(whole)).sentences == [
                "2 accounts were imported.", "One of them is for no website. It is in the list by its title.",
                "The file's password is used now; the earlier one is in the account's history: line 2.",
                "The file's password is in the account's history and not used: line 3.",
                "The file holds these passwords in the clear. Delete it.",
            ])
    }

    @Test func importThatFindsOtherPasswordsIsAQuestion() throws {
        let problem =
            "latchkey: One account is saved with another password. There is no terminal to ask on.\nhint: --keep file|saved|both chooses.\n"
        let asked = CommandOutcome(status: 64, output: "", problem: problem)
        #expect(PasswordConflict(asked)?.sentence == "One account is saved with another password.")
        #expect(GuessedFormat(asked) == nil)
        #expect(PasswordConflict(CommandOutcome(status: 8, output: "", problem: problem)) == nil)
    }

    @Test func importThatBrokeOffSaysWhy() throws {
        let broken = CommandOutcome(
            status: 75, output: Self.report("", complete: false),
            problem: "passwords.csv holds these passwords in the clear.\nlatchkey: Latchkey was locked.\n")
        #expect(try #require(ImportOutcome(broken)).sentences.contains("Latchkey was locked."))
    }
}
