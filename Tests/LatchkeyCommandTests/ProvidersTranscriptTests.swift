// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import ProcessTesting
import Testing

@testable import TerminalRendering
@testable import latchkey

/// `latchkey providers …`, from the arguments to what is printed.
@Suite(.tags(.startsProcess)) struct ProvidersTranscriptTests {
    private func daemon(_ change: (inout FakeDaemon.State) -> Void = { _ in }) throws -> FakeDaemon {
        var state = FakeDaemon.State()
        state.providers.append(FakeProviders.acme())
        change(&state)
        return try FakeDaemon(TestHome(), state)
    }

    private func terminal(_ arguments: [String], _ home: TestHome) throws -> PseudoTerminal {
        let terminal = try #require(PseudoTerminal())
        try #require(terminal.start(arguments, home.environment))
        return terminal
    }

    @Test func listMarksStateOrderRunningAndIsolation() async throws {
        let daemon = try daemon {
            $0.providers.append(
                FakeProviders.acme {
                    $0.identifier = "com.example.broken"
                    $0.name = "Bad\u{1B}[2J"
                    $0.state = "broken"
                    $0.problem = "no\nexecutable"
                    $0.isolation = "none"
                    $0.debug = true
                })
            $0.isolation = IsolationStatement(available: false, reason: "bwrap is not there")
        }
        let run = await daemon.home.run("providers", "list")
        #expect(
            run.output.split(separator: "\n").map { $0.replacing("\t", with: "|") } == [
                "1|org.latchkey.passwords|Passwords 0.1.0|enabled|running|2 identities|bubblewrap|",
                "-|com.example.acme|Acme 2.1|disabled|not running|-|bubblewrap|",
                "-|com.example.broken|Bad\\u{1B}[2J 2.1|broken, debug|not running|-|not isolated|no\\u{A}executable",
            ])
        #expect(run.error == "Note: providers are not isolated: bwrap is not there.\n")
        #expect(await daemon.home.run("providers").output == run.output)
    }

    @Test func listAndInfoHaveJSON() async throws {
        let daemon = try daemon()
        let list = await daemon.home.run("providers", "list", "--json")
        #expect(list.output.hasPrefix(#"{"providers":[{"identifier":"org.latchkey.passwords","name":"Passwords""#))
        #expect(list.output.hasSuffix(#"],"isolation":{"available":true,"reason":null}}"# + "\n"))
        let one = await daemon.home.run("providers", "info", "acme", "--json")
        #expect(one.output.contains(#""order":null,"running":false,"identities":null"#))
        #expect(one.output.contains(#""grants":{"network":true,"hosts":[],"folders":[{"path":".acme","write":true}]"#))
    }

    @Test func infoSaysWhatItAsksFor() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("providers", "info", "com.example.acme")
        #expect(run.status == 0)
        for line in [
            "state          disabled",
            "asks           It can use the internet, but reach nothing on this computer or your network.",
            "asks           It can read and change ~/.acme.", "group          group.com.example.acme",
        ] { #expect(run.output.contains(line + "\n")) }
    }

    @Test func aNameThatFitsNoneOrSeveralDoesNothing() async throws {
        let daemon = try daemon { $0.providers.append(FakeProviders.acme { $0.identifier = "org.other.acme" }) }
        let none = await daemon.home.run("providers", "disable", "nobody")
        #expect(none.status == 5)
        #expect(none.error.hasPrefix("latchkey: There is no provider nobody.\nhint: "))
        let several = await daemon.home.run("providers", "disable", "Acme")
        #expect(several.status == 9)
        #expect(several.error.contains("com.example.acme, org.other.acme"))
        #expect(!daemon.asked.contains("providers.disable"))
    }

    @Test func enableWithoutATerminalNeedsYes() async throws {
        let daemon = try daemon()
        let refused = await daemon.home.run("providers", "enable", "acme", input: "y\n")
        #expect(refused.status == 64)
        #expect(
            refused.error
                == "latchkey: There is no terminal to ask on.\nhint: --yes, with --passphrase-file FILE, says yes.\n")
        #expect(!daemon.asked.contains("providers.enable"))
        let run = await daemon.home.run("providers", "enable", "acme", "--yes")
        #expect(run.status == 0)
        let asked = "It can use the internet, but reach nothing on this computer or your network."
        let agent = "It can talk to the program behind ~/.acme/agent."
        #expect(run.error.contains("It can read and change ~/.acme.\n\(agent)\n\(asked)\n"))
        #expect(daemon.with { $0.lastParams["providers.enable"]?["digest"] } == .string("d1"))
        #expect(await daemon.home.run("providers", "enable", "acme").error == "Acme is enabled already.\n")
    }

    @Test func whatIsNotEnabledIsNotConfigured() async throws {
        let daemon = try daemon()
        let refused = await daemon.home.run("providers", "configure", "acme")
        #expect(refused.status == 5)
        #expect(
            refused.error
                == "latchkey: Acme is not enabled.\nhint: `latchkey providers enable com.example.acme` enables it.\n")
        #expect(!daemon.asked.contains("providers.configure"))
    }

    @Test func enableShowsAndAsksOnATerminal() async throws {
        let daemon = try daemon { $0.providers[1].name = "Acme\u{1B}[2J\u{202E}" }
        let no = try terminal(["providers", "enable", "com.example.acme"], daemon.home)
        #expect(await no.wait(for: "Enable it? [y/N] "))
        #expect(no.shown.contains("Acme\\u{1B}[2J\\u{202E} 2.1 (com.example.acme)"))
        #expect(no.shown.contains("It can talk to the program behind ~/.acme/agent."))
        no.type("\r")
        #expect(await no.status() == 8)
        #expect(!daemon.asked.contains("providers.enable"))
        let yes = try terminal(["providers", "enable", "com.example.acme"], daemon.home)
        #expect(await yes.wait(for: "[y/N] "))
        yes.type("y\r")
        #expect(await yes.status() == 0)
        #expect(daemon.with { $0.providers[1].state } == "enabled")
    }

    @Test func aBundleThatChangedMeanwhileIsRefused() async throws {
        let daemon = try daemon()
        let terminal = try terminal(["providers", "enable", "acme"], daemon.home)
        #expect(await terminal.wait(for: "[y/N] "))
        daemon.with { $0.providers[1].digest = "other" }
        terminal.type("yes\r")
        #expect(await terminal.status() == 6)
        #expect(terminal.shown.contains("It is another bundle by now. (its digest has changed)"))
    }

    @Test(arguments: [("broken", 13), ("missing", 5)]) func whatCannotBeEnabledIsNotAskedAbout(
        state: String, status: Int
    )
        async throws
    {
        let daemon = try daemon { $0.providers[1].state = state }
        #expect(await daemon.home.run("providers", "enable", "acme", "--yes").status == Int32(status))
        #expect(!daemon.asked.contains("providers.enable"))
    }

    @Test func withoutIsolationTheQuestionSaysSo() {
        let lines = EnableQuestion(provider: FakeProviders.acme { $0.isolation = "none" }).lines
        #expect(lines.contains("It is not isolated: it can do whatever your own programs can do."))
        let modest = EnableQuestion(provider: FakeProviders.acme { $0.grants = GrantsStatement() }).lines
        #expect(modest.contains("It can use its own folder and nothing else."))
    }

    @Test func thePassphraseIsAskedForWhenTheDaemonWantsIt() async throws {
        let daemon = try daemon { $0.wantsAuthentication = true }
        let refused = await daemon.home.run("providers", "disable", "org.latchkey.passwords", input: "correct horse\n")
        #expect(refused.status == 4)
        let run = await daemon.home.run(
            "providers", "disable", "org.latchkey.passwords", "--passphrase-file", "-", input: "correct horse\n")
        #expect(run.status == 0)
        #expect(run.error == "Passwords is disabled.\n")
        #expect(daemon.with { $0.providers[0].state } == "disabled")
    }

    @Test func orderPutsTheNamedOnesFirst() async throws {
        let daemon = try daemon { $0.providers[1].state = "enabled" }
        let run = await daemon.home.run("providers", "order", "acme", "--json")
        #expect(run.output == "[\n  \"com.example.acme\",\n  \"org.latchkey.passwords\"\n]\n")
        #expect(
            daemon.with { $0.lastParams["providers.order"]?["identifiers"] }
                == .array([.string("com.example.acme"), .string("org.latchkey.passwords")]))
        #expect(await daemon.home.run("providers", "order").output == "org.latchkey.passwords\ncom.example.acme\n")
        #expect(await daemon.home.run("providers", "order", "acme", "ACME").status == 13)
        daemon.with { $0.providers[1].state = "disabled" }
        #expect(await daemon.home.run("providers", "order", "acme").status == 13)
        #expect(daemon.asked.filter { $0 == "providers.order" }.count == 1)
    }

    @Test func installTakesAFolderAndEnablesWhenTold() async throws {
        let daemon = try daemon { $0.providers.removeLast() }
        daemon.home.write("file", "")
        #expect(await daemon.home.run("providers", "install", "absent").status == 5)
        #expect(await daemon.home.run("providers", "install", "file").status == 5)
        #expect(!daemon.asked.contains("providers.install"))
        let run = await daemon.home.run("providers", "install", "data", "--enable", "--yes")
        #expect(run.status == 0)
        #expect(run.error.hasPrefix("Installed Acme 2.1 (com.example.acme).\n"))
        #expect(daemon.with { $0.lastParams["providers.install"]?["path"] } == .string(daemon.home.folder + "/data"))
        #expect(daemon.with { $0.providers[1].state } == "enabled")
        #expect(await daemon.home.run("providers", "install", "data", "--yes").status == 64)
    }

    @Test func removeKeepsDataUnlessTold() async throws {
        let daemon = try daemon()
        #expect(await daemon.home.run("providers", "remove", "org.latchkey.passwords").status == 6)
        #expect(await daemon.home.run("providers", "remove", "acme", "--delete-data").status == 64)
        #expect(daemon.with { $0.providers.count } == 2)
        #expect(await daemon.home.run("providers", "remove", "acme").status == 0)
        #expect(daemon.with { $0.lastParams["providers.remove"]?["deleteData"] } == .bool(false))
    }

    @Test func pathsAreToldToProvidersThatHaveAList() async throws {
        let daemon = try daemon()
        #expect(await daemon.home.run("providers", "paths", "org.latchkey.passwords").status == 6)
        #expect(!daemon.asked.contains("providers.tellPaths"))
        let told = await daemon.home.run("providers", "paths", "acme")
        #expect(told.status == 0)
        #expect(told.error.contains("is told the path of a page from now on"))
        #expect(daemon.with { $0.lastParams["providers.tellPaths"]?["on"] } == .bool(true))
        #expect(await daemon.home.run("providers", "paths", "acme", "--off").status == 0)
        #expect(daemon.with { $0.lastParams["providers.tellPaths"]?["on"] } == .bool(false))
    }

    @Test func debugIsForDebugBuilds() async throws {
        let daemon = try daemon()
        let refused = await daemon.home.run("providers", "debug", "acme")
        #expect(refused.status == 6)
        #expect(refused.error.contains("get-task-allow"))
        #expect(!daemon.asked.contains("providers.debug"))
        daemon.with { $0.providers[1].debug = true }
        #expect(await daemon.home.run("providers", "debug", "acme").status == 0)
        #expect(daemon.with { $0.lastParams["providers.debug"]?["on"] } == .bool(true))
        #expect(await daemon.home.run("providers", "debug", "acme", "--off").status == 0)
    }

    @Test func statusSaysWhetherProvidersAreIsolated() async throws {
        let daemon = try daemon { $0.isolation = IsolationStatement(available: false, reason: "no user namespaces") }
        let text = await daemon.home.run("status")
        #expect(text.output.contains("isolation  providers are not isolated: no user namespaces\n"))
        let json = await daemon.home.run("status", "--json")
        #expect(json.output.contains(#""isolation":{"available":false,"reason":"no user namespaces"}"#))
        daemon.with { $0.isolation = nil }
        #expect(await daemon.home.run("status", "--json").output.contains("\"isolation\":null"))
    }

    @Test(arguments: ["", "n", "yess", "no", "ye s s"]) func onlyYesIsYes(answer: String) {
        #expect(!TerminalQuestion.isYes(answer))
        #expect(TerminalQuestion.isYes(" Yes\r\n"))
    }
}
