// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import ProcessTesting
import Testing

@testable import latchkey

/// What the commands about items print, word for word, and what they send.
@Suite(.tags(.startsProcess)) struct ItemTranscriptTests {
    private static let canary = "canary-7f3a-Zq"

    private func daemon(_ change: (inout FakeDaemon.State) -> Void = { _ in }) throws -> FakeDaemon {
        var state = FakeDaemon.State()
        change(&state)
        let daemon = try FakeDaemon(TestHome(), state)
        daemon.keep(1, ["shiny.example.com"], "rmondello", Self.canary, notes: "first\nsecond")
        daemon.keep(2, ["shiny.example.com", "http://old.example:8080"], "other", "two")
        return daemon
    }

    @Test func addPrintsTheNewIdAloneAndTakesOffExactlyOneNewline() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("add", "new.example", "me", input: "ends in a newline\n\n")
        #expect(run.output == "2000000b000000000000000000000000\n")
        #expect(run.error == "Saved me at new.example.\n")
        #expect(run.status == 0)
        #expect(daemon.passwords.last == "ends in a newline\n")
    }

    @Test func addMakesAPassword() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("add", "new.example", "me", "--generate")
        #expect(run.status == 0 && run.output == "2000000b000000000000000000000000\n")
        #expect(run.error.contains("`latchkey show 2000000b --copy`"))
        let made = try #require(daemon.passwords.last)
        #expect(made.utf8.count >= 12 && !(run.output + run.error).contains(made))
        #expect(await daemon.home.run("add", "a.example", "me", "--generate", "--password-file", "x").status == 64)
    }

    @Test func whatWasDoneIsSaid() async throws {
        let daemon = try daemon()
        #expect(
            await daemon.home.run("edit", "1000", "--new-user", "roberta").error
                == "Changed roberta at shiny.example.com.\n")
        #expect(await daemon.home.run("remove", "1000").status == 0)
        #expect(await daemon.home.run("restore-item", "1000").error == "roberta at shiny.example.com is back.\n")
    }

    @Test(arguments: [
        ["add", "https://oauth2:canary@git.example/app.git", "me"],
        ["add", "a.example", "me", "--also", "https://me:canary@b.example"],
        ["edit", "2000000a", "--add-service", "ftp://me:canary@a.example"],
    ]) func refusesAnAddressWithASecretAndDoesNotShowIt(command: [String]) async throws {
        let daemon = try daemon()
        let run = await daemon.home.run(command, input: "pw", adding: [:])
        #expect(run.status == 13)
        #expect(
            run.error
                == """
                latchkey: The address holds a password or a token, which would be shown wherever the address is.
                hint: Leave out what stands before the @, and save it as the password.

                """
        )
        #expect(run.output == "")
        #expect(!daemon.asked.contains { $0.hasPrefix("items.") })
    }

    @Test func addLeavesTheUserNameOutOfAnAddress() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("add", "https://me@git.example/app.git", "me", input: "pw")
        #expect(
            run.error
                == "The address is saved without the user name in it: https://git.example/app.git\n"
                + "Saved me at https://git.example/app.git.\n")
        #expect(daemon.with { $0.kept.last?.item.services } == ["https://git.example/app.git"])
    }

    @Test(arguments: [("git@git.example:team/app.git", "git.example"), ("*.a.example", "a.example")])
    func addAsksForTheHostThatIsMeant(text: String, host: String) async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("add", text, "me", input: "pw")
        #expect(run.status == 13)
        #expect(run.error.hasSuffix(" is not the address of a site.\nhint: Did you mean \(host)?\n"))
        #expect(!daemon.asked.contains("items.add"))
    }

    @Test func addSaysThatATitleIsSuggestedNowhere() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("add", "my bank", "me", input: "pw")
        #expect(run.status == 0)
        #expect(
            run.error
                == """
                my bank is not the address of a site, so it is not suggested anywhere. \
                `latchkey edit` gives it one with --add-service shiny.example.com.
                Saved me at my bank.

                """
        )
        #expect(daemon.with { $0.kept.last?.item.services } == ["my bank"])
    }

    @Test func noteIsAddedShownAndFoundByItsTitle() async throws {
        let daemon = try daemon()
        daemon.home.write("notes", "1234\n")
        let added = await daemon.home.run("add", "--title", "Front Door", "--notes-file", "notes")
        #expect(added.status == 0 && added.error == "Saved Front Door.\n")
        #expect(daemon.with { $0.kept.last?.item.services } == [])
        let shown = await daemon.home.run("show", "front door", "--notes")
        #expect(shown.output.contains("title     Front Door\n") && shown.output.contains("password  none\n"))
        #expect(shown.output.hasSuffix("notes\n1234\n") && !shown.output.contains("user "))
        let refused = await daemon.home.run("show", "Front Door", "--only-password")
        #expect(refused.status == 5 && refused.error.hasPrefix("latchkey: Front Door has no password.\n"))
        #expect(await daemon.home.run("list").output.contains("\tFront Door\t"))
        let removed = await daemon.home.run("remove", "front door")
        #expect(removed.error.hasPrefix("Removed Front Door; "))
    }

    @Test func passwordForNoSiteHasATitle() async throws {
        let daemon = try daemon()
        let added = await daemon.home.run("add", "--title", "Wi-Fi", input: "pw")
        #expect(added.status == 0 && daemon.passwords.last == "pw")
        #expect(await daemon.home.run("show", "wi-fi", "--only-password").output == "pw\n")
        #expect(await daemon.home.run("add", input: "pw").status == 64)
        #expect(await daemon.home.run("add", "a.example", input: "pw").status == 64)
        #expect(await daemon.home.run("add", "--title", "x", "--also", "a.example", input: "pw").status == 64)
    }

    @Test func titleIsGivenAndTakenAway() async throws {
        let daemon = try daemon()
        daemon.with { $0.kept[0].item.tags = [] }
        _ = await daemon.home.run("edit", "shiny.example.com", "rmondello", "--title", "The shop")
        #expect(await daemon.home.run("show", "the shop", "--json").output.contains(#""title":"The shop""#))
        _ = await daemon.home.run("edit", "The shop", "--title", "")
        #expect(daemon.with { $0.kept[0].item.title } == nil)
    }

    @Test func addSendsFurtherServicesAndNotes() async throws {
        let daemon = try daemon()
        let notes = daemon.home.write("notes", "one\r\ntwo\r\n")
        let run = await daemon.home.run(
            "add", "a.example", "me", "--also", "b.example", "--also", "c.example", "--notes-file", notes, "--json",
            input: "pw")
        #expect(
            run.output
                == """
                {"id":"2000000b000000000000000000000000","services":["a.example","b.example","c.example"],"user":"me",\
                "created":1790000100,"modified":1790000100}

                """
        )
        #expect(daemon.with { $0.kept.last?.notes } == "one\r\ntwo")
    }

    @Test(arguments: [
        ("", "There is nothing in standard input."), (String(repeating: "x", count: 4099), "more than 4096 bytes"),
    ]) func addRefusesAPasswordThatIsNone(input: String, message: String) async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("add", "new.example", "me", input: input)
        #expect(run.status == 13)
        #expect(run.output == "")
        #expect(run.error.contains(message) || run.error.contains("standard input is empty"))
        #expect(!daemon.asked.contains("items.add"))
    }

    @Test func addNeverTakesThePasswordAsAnArgument() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("add", "new.example", "me", "hunter2", input: "pw")
        #expect(run.status == 64)
        #expect(run.error.hasPrefix("latchkey: "))
        #expect(run.error.contains("\nhint: See `latchkey add --help`.\n"))
    }

    @Test func listForScriptsHasExactlyTheDocumentedMembers() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("list", "--json")
        #expect(
            run.output
                == """
                [
                  {"id":"1000000a000000000000000000000000","services":["shiny.example.com"],"user":"rmondello",\
                "created":1790000000,"modified":1790000000},
                  {"id":"2000000a000000000000000000000000","services":["shiny.example.com","http://old.example:8080"],\
                "user":"other","created":1790000000,"modified":1790000000}
                ]

                """
        )
        #expect(run.error == "")
    }

    @Test func listIntoAPipeHasTabsAndWholeIds() async throws {
        let daemon = try daemon()
        daemon.keep(3, ["evil.example"], "a\u{1B}]0;title\u{07}\tb\nc", "x")
        let run = await daemon.home.run("list", "evil")
        #expect(run.output == "3000000a000000000000000000000000\tevil.example\ta\\u{1B}]0;title\\u{7}\\u{9}b\\u{A}c\n")
    }

    @Test func listFollowsEveryPage() async throws {
        let daemon = try daemon { $0.pageSize = 3 }
        for number in 3..<12 { daemon.keep(number, ["s\(number).example"], "u", "p") }
        let run = await daemon.home.run("list")
        #expect(run.output.split(separator: "\n").count == 11)
    }

    @Test func emptyListIsAnEmptyArray() async throws {
        let daemon = try FakeDaemon(TestHome())
        #expect(await daemon.home.run("list", "--json").output == "[]\n")
    }

    @Test func showHidesThePasswordUnlessAsked() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("show", "shiny.example.com", "rmondello")
        #expect(
            run.output
                == """
                id        1000000a000000000000000000000000
                service   shiny.example.com
                user      rmondello
                password  hidden; --password shows it
                created   2026-09-21 14:13:20
                modified  2026-09-21 14:13:20
                notes     hidden; --notes shows them

                """
        )
        #expect(!daemon.asked.contains("items.reveal"))
    }

    @Test func showGivesWhatIsAskedForAndSaysWhy() async throws {
        let daemon = try daemon()
        let all = await daemon.home.run("show", "1000", "--password", "--notes")
        #expect(all.output.contains("password  \(Self.canary)\n"))
        #expect(all.output.hasSuffix("notes\nfirst\nsecond\n"))
        #expect(daemon.with { $0.lastParams["items.reveal"]?["purpose"] } == .string("show"))
        let only = await daemon.home.run("show", "1000", "--only-password")
        #expect(only.output == Self.canary + "\n")
        let json = await daemon.home.run("show", "1000", "--password", "--notes", "--json")
        #expect(
            json.output.hasSuffix(#""modified":1790000000,"password":"canary-7f3a-Zq","notes":"first\nsecond"}"# + "\n")
        )
    }

    @Test func showHasTheHistory() async throws {
        let daemon = try FakeDaemon(TestHome())
        let change = PasswordChange(date: 1_700_000_000, password: WireSecret(SecretBytes(utf8: "earlier")))
        daemon.keep(1, ["a.example"], "me", "now", history: [change])
        let run = await daemon.home.run("show", "a.example", "--history")
        #expect(run.output.contains("until     2023-11-14 22:13:20  earlier\n"))
        let json = await daemon.home.run("show", "a.example", "--history", "--json")
        #expect(json.output.contains(#""history":[{"date":1700000000,"password":"earlier"}]"#))
    }

    @Test func showAuthenticatesAndAsksAgain() async throws {
        let daemon = try daemon { $0.wantsAuthentication = true }
        let file = daemon.home.write("passphrase", FakeDaemon.passphrase + "\n")
        let run = await daemon.home.run("show", "1000", "--only-password", "--passphrase-file", file)
        #expect(run.output == Self.canary + "\n")
        #expect(daemon.asked.suffix(3) == ["items.reveal", "authenticate", "items.reveal"])
    }

    @Test func showLeavesStandardInputAloneWhenThePassphraseIsMissing() async throws {
        let daemon = try daemon { $0.wantsAuthentication = true }
        let run = await daemon.home.run("show", "1000", "--only-password", input: "a list of ids\n")
        #expect(run.status == 4)
        #expect(run.output == "")
        #expect(
            run.error
                == """
                latchkey: Passphrase is required, and there is no terminal to ask on.
                hint: Pass --passphrase-file FILE, or --passphrase-file - for standard input.

                """
        )
        #expect(!daemon.asked.contains("authenticate"))
    }

    @Test func showRefusesAWrongPassphraseOnce() async throws {
        let daemon = try daemon { $0.wantsAuthentication = true }
        let run = await daemon.home.run("show", "1000", "--password", "--passphrase-file", "-", input: "wrong\n")
        #expect(run.status == 4)
        #expect(run.output == "")
        #expect(run.error == "latchkey: Wrong passphrase.\n")
        #expect(daemon.asked.filter { $0 == "authenticate" }.count == 1)
    }

    @Test func ambiguousNamesAreListed() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("show", "shiny.example.com")
        #expect(run.status == 9)
        #expect(
            run.error
                == """
                latchkey: 2 items match shiny.example.com: 1000000a (rmondello at shiny.example.com), 2000000a (other at \
                shiny.example.com).
                hint: Add the user name, or the beginning of the id.

                """
        )
    }

    @Test func unknownNamesAreNotFound() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("remove", "nowhere.example")
        #expect(run.status == 5)
        #expect(
            run.error
                == "latchkey: There is no item for nowhere.example.\nhint: `latchkey list` shows all.\n"
        )
        #expect(!daemon.asked.contains("items.remove"))
    }

    @Test func removedItemsComeBack() async throws {
        let daemon = try daemon()
        let removed = await daemon.home.run("remove", "1000")
        #expect(removed.status == 0)
        #expect(removed.error.contains("`latchkey restore-item 1000000a` brings it back"))
        #expect(await daemon.home.run("list", "--removed", "--json").output.contains(#""removed":1790000500}"#))
        #expect(await daemon.home.run("restore-item", "1000").status == 0)
        #expect(await daemon.home.run("restore-item", "1000").status == 5)
    }

    @Test func strictnessIsSetTakenBackAndShown() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("edit", "1000", "--strict", "--json")
        #expect(run.status == 0 && run.output.hasSuffix(#""strict":true}"# + "\n"))
        #expect(await daemon.home.run("show", "1000").output.contains("strict    offered to exactly these hosts\n"))
        #expect(await !daemon.home.run("edit", "1000", "--no-strict", "--json").output.contains("strict"))
        #expect(await daemon.home.run("edit", "1000", "--strict", "--no-strict").status == 64)
        #expect(await daemon.home.run("add", "b.example", "me", "--strict", input: "pw").status == 0)
        guard case .array(let items)? = daemon.with({ $0.lastParams["items.add"]?["items"] }) else {
            Issue.record("nothing was added")
            return
        }
        #expect(items.first?["strict"] == .bool(true))
    }

    @Test func editChangesWhatIsNamedAndNothingElse() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run(
            "edit", "2000", "--add-service", "new.example", "--remove-service", "shiny.example.com", "--new-user", "me",
            "--json")
        #expect(run.output.contains(#""services":["http://old.example:8080","new.example"],"user":"me""#))
        #expect(daemon.with { $0.lastParams["items.edit"]?["password"] } == nil)
        #expect(await daemon.home.run("edit", "2000", "--new-password", input: "three\n").status == 0)
        #expect(daemon.passwords == [Self.canary, "three"])
    }

    @Test(
        arguments: [
            (["edit", "1000"], Int32(64)), (["edit", "1000", "--remove-service", "shiny.example.com"], 13),
            (["edit", "1000", "--remove-service", "absent.example"], 5),
            (["edit", "1000", "--new-password", "--notes-file", "-"], 64),
            (["add", "a.example", "me", "--notes-file", "-"], 64), (["show", "1000", "--only-password", "--json"], 64),
            (["show", "1000", "--copy", "--clear-after", "0"], 64), (["list", "a", "b"], 64),
        ] as [([String], Int32)]) func refusesWhatMakesNoSense(arguments: [String], status: Int32) async throws
    {
        let daemon = try daemon()
        let run = await daemon.home.run(arguments, input: "", adding: [:])
        #expect(run.status == status)
        #expect(run.output == "")
        #expect(run.error.hasPrefix("latchkey: "))
        #expect(!daemon.asked.contains("items.edit"))
    }

    @Test func locksAreSaidBeforeASecretIsRead() async throws {
        let daemon = try daemon { $0.isLocked = true }
        let run = await daemon.home.run("add", "a.example", "me", input: "pw")
        #expect(run.status == 3)
        #expect(run.error == "latchkey: Latchkey is locked.\nhint: Run `latchkey unlock` first.\n")
        #expect(daemon.asked == ["hello"])
    }
}
