// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Foundation
import ProcessTesting
import Testing

@testable import latchkey

@Suite(.tags(.startsProcess)) struct ImportTranscriptTests {
    @Test func importsReportsAndWarns() async throws {
        let daemon = try FakeDaemon(TestHome())
        daemon.home.write("chrome.csv", ImportPlanTests.chrome)
        let run = await daemon.home.run("import", "chrome.csv")
        #expect(
            run.output
                == """
                Imported 5 items from chrome.csv (Chrome).
                2 of them are for no website. They are in the list by their titles.
                Skipped 1:
                  line 7: the same as line 2

                """
        )
        #expect(run.error == "chrome.csv holds these passwords in the clear. Delete it: `shred --remove chrome.csv`\n")
        #expect(run.status == 0)
        #expect(daemon.passwords == ["correct, \"horse\" ", "pw", "", " spaced ", "pw"])
    }

    @Test func deletingIsAdvisedWhereNothingIsLeftBehind() async throws {
        let daemon = try FakeDaemon(TestHome())
        let rows = "a.example,https://a.example,me,pw,\na.example,https://a.example,me,pw,\n"
        daemon.home.write("a.csv", "name,url,username,password,note\n" + rows)
        let run = await daemon.home.run("import", "a.csv")
        #expect(run.error == "a.csv holds these passwords in the clear. Delete it: `shred --remove a.csv`\n")
        // Times say nothing about an account.
        daemon.home.write(
            "b.csv", "url,username,password,httpRealm,formActionOrigin,guid\nhttps://b.example,me,pw,,,{1}\n")
        let other = await daemon.home.run("import", "b.csv")
        #expect(other.output.contains("Times, identifiers and icons are left out: guid (1).\n"))
        #expect(other.error.hasSuffix("Delete it: `shred --remove b.csv`\n"))
    }

    private static let keys = ["GEZDGNBV", "GEZDGNBW"].map { "otpauth://totp/?secret=\($0)" }

    @Test func anAccountThatIsThereGetsWhatItLacks() async throws {
        let daemon = try FakeDaemon(TestHome())
        daemon.keep(1, ["a.example"], "me", "pw", notes: "PIN 12345")
        let header = "url,username,password,totp,extra,name,grouping,fav\n"
        daemon.home.write("a.csv", header + "https://a.example,me,pw,GEZDGNBV,PIN 123,Mine,Work,1\n")
        let run = await daemon.home.run("import", "a.csv")
        #expect(run.status == 0 && run.output.contains("line 2: saved already; what it lacked was added\n"))
        #expect(run.error.contains("shred"))
        let kept = try #require(daemon.with { $0.kept.first })
        #expect(kept.notes == "PIN 12345\nPIN 123" && kept.item.title == "Mine" && kept.item.tags == ["Work"])
        #expect(kept.item.favorite == true && kept.link == Self.keys[0] && daemon.passwords == ["pw"])
        // All is there now, whatever else was added beside it.
        let asked = daemon.asked.filter { $0 == "items.edit" }.count
        let again = await daemon.home.run("import", "a.csv")
        #expect(
            again.output.contains("line 2: saved already\n")
                && daemon.asked.filter { $0 == "items.edit" }.count == asked)
        // Its own key stays, and so does the other title, in the notes.
        daemon.home.write("b.csv", header + "https://a.example,me,pw,GEZDGNBW,,Ours,,\n")
        let other = await daemon.home.run("import", "b.csv")
        #expect(other.output.contains("line 2: saved already; the account keeps its own key of codes\n"))
        #expect(other.error.contains("Not everything in it was imported"))
        #expect(daemon.with { $0.kept[0].link } == Self.keys[0])
        #expect(daemon.with { $0.kept[0].notes } == "PIN 12345\nPIN 123\ntitle: Ours")
    }

    @Test func severalRowsOfASavedAccountAddUp() async throws {
        let daemon = try FakeDaemon(TestHome())
        daemon.keep(1, ["a.example"], "me", "saved")
        daemon.home.write(
            "a.csv",
            "url,username,password,totp,extra,name,grouping,fav\nhttps://a.example,me,first,GEZDGNBV,,One,X,\n"
                + "https://a.example,me,second,GEZDGNBW,,Two,Y,\n")
        let run = await daemon.home.run("import", "a.csv", "--keep", "file")
        let kept = try #require(daemon.with { $0.kept.first })
        #expect(daemon.passwords == ["second"] && kept.history.map(\.password.bytes.testText) == ["first", "saved"])
        #expect(kept.item.title == "One" && kept.notes == "title: Two" && kept.item.tags == ["X", "Y"])
        #expect(kept.link == Self.keys[0])
        #expect(run.output.contains("line 3: saved already; the account keeps its own key of codes\n"))
        #expect(
            run.output.contains("is in the account's history: line 3.") && run.output.contains("and not used: line 2."))
        // The file has the password that is saved now: the other one stays in the history.
        _ = await daemon.home.run("import", "a.csv", "--keep", "file")
        #expect(daemon.passwords == ["second"] && daemon.with { $0.kept[0].history.count } == 2)
    }

    @Test func aRowForOneOfSeveralSitesReplacesNoPassword() async throws {
        let daemon = try FakeDaemon(TestHome())
        daemon.keep(1, ["a.example", "b.example"], "me", "saved")
        daemon.home.write("a.csv", "url,username,password\nhttps://a.example,me,other\nhttps://b.example,me,saved\n")
        let run = await daemon.home.run("import", "a.csv", "--format", "other", "--keep", "file")
        #expect(run.status == 0 && daemon.passwords == ["saved", "other"])
        #expect(daemon.with { $0.kept[1].item.services } == ["a.example"])
        _ = await daemon.home.run("import", "a.csv", "--format", "other", "--keep", "file")
        #expect(daemon.passwords == ["saved", "other"])
    }

    @Test func anAccountThatIsGoneMeanwhileIsAddedAndOneThatIsRefusedIsNamed() async throws {
        for (error, passwords) in [
            (WireError(.notFound, "Gone."), ["saved", "x", "other"]),
            (WireError(.invalidItem, "Too long."), ["saved", "x"]),
        ] {
            let daemon = try conflict(["a.example"], "saved")
            daemon.with { $0.failures["items.edit"] = error }
            daemon.home.write("a.csv", "url,username,password\nhttps://a.example,me,other\nhttps://b.example,me,x\n")
            let run = await daemon.home.run("import", "a.csv", "--format", "other", "--keep", "file")
            #expect(run.status == 0 && Set(daemon.passwords) == Set(passwords))
            #expect(error.code == .notFound || run.output.contains("line 2: Too long."))
        }
    }

    private func conflict(_ services: [String], _ password: String) throws -> FakeDaemon {
        let daemon = try FakeDaemon(TestHome())
        daemon.keep(1, services, "me", password)
        return daemon
    }

    @Test func theAccountOfJustTheseSitesIsChanged() async throws {
        let daemon = try conflict(["A.example"], "one")
        daemon.keep(2, ["a.example", "b.example"], "me", "two")
        daemon.with { $0.kept[1].item.modified += 1 }
        daemon.home.write("a.csv", "url,username,password\nhttps://a.example,me,three\n")
        _ = await daemon.home.run("import", "a.csv", "--format", "other", "--keep", "file")
        #expect(daemon.passwords == ["three", "two"])
    }

    @Test func whatLeftWithoutAnAddressComesBackAsOne() async throws {
        let daemon = try conflict(["Front Door"], "1234")
        daemon.home.write("pass", FakeDaemon.passphrase)
        _ = await daemon.home.run("export", "a.csv", "--passphrase-file", "pass")
        let run = await daemon.home.run("import", "a.csv", "--json")
        #expect(run.output.contains(#""imported":0"#) && run.output.contains(#""complete":true"#))
        daemon.with { ($0.kept[0].item.title, $0.kept[0].item.tags) = ("My door", []) }
        _ = await daemon.home.run("export", "b.csv", "--passphrase-file", "pass")
        #expect(await daemon.home.run("import", "b.csv", "--json").output.contains(#""imported":0"#))
        #expect(daemon.passwords == ["1234"])
    }

    @Test(arguments: [
        "name,url,username,password,note,colour\nx,https://a.example,me,canary,,red\n",
        "site,login,password\nhttps://a.example,me,canary\n",
    ]) func whatIsNotCertainIsAskedAbout(text: String) async throws {
        let daemon = try FakeDaemon(TestHome())
        daemon.home.write("a.csv", text)
        let run = await daemon.home.run("import", "a.csv")
        let format = text.hasPrefix("name") ? "chrome" : "other"
        #expect(run.status == 64 && run.error.contains("--format \(format) says yes."))
        #expect(daemon.asked.isEmpty && !(run.output + run.error).contains("canary"))
        #expect(await daemon.home.run("import", "a.csv", "--format", format).status == 0)
        #expect(daemon.passwords == ["canary"])
    }

    @Test func importingTwiceAddsNothingTwice() async throws {
        let daemon = try FakeDaemon(TestHome())
        daemon.home.write("chrome.csv", ImportPlanTests.chrome)
        _ = await daemon.home.run("import", "chrome.csv")
        let again = await daemon.home.run("import", "chrome.csv", "--json")
        #expect(again.status == 0)
        #expect(again.output.contains(#""imported":0"#))
        #expect(again.output.components(separatedBy: #""saved already""#).count == 6)
        #expect(again.output.contains(#""complete":true"#))
        #expect(daemon.passwords.count == 5)
    }

    /// A daemon with an account of which the file brings another password, and more beside it.
    private func conflict() throws -> FakeDaemon {
        let daemon = try FakeDaemon(TestHome())
        daemon.keep(1, ["shiny.example.com"], "rmondello", "saved", notes: "kept")
        daemon.with { $0.kept[0].item.tags = ["Home"] }
        daemon.home.write(
            "a.csv",
            "url,username,password,notes,tags,title\nhttps://shiny.example.com,rmondello,from the file,new,Work,The shop\n"
                + "https://other.example,anna,pw,,,\n")
        return daemon
    }

    @Test func anotherPasswordIsKeptBesideTheOneThere() async throws {
        let daemon = try conflict()
        let run = await daemon.home.run("import", "a.csv", "--format", "other", "--keep", "both")
        #expect(run.output.contains("both are kept: line 2.") && run.status == 0)
        #expect(daemon.passwords == ["saved", "from the file", "pw"])
    }

    @Test(arguments: [("file", "from the file", "saved"), ("saved", "saved", "from the file")])
    func thePasswordThatIsNotUsedGoesIntoTheHistory(keep: String, used: String, past: String) async throws {
        let daemon = try conflict()
        let run = await daemon.home.run("import", "a.csv", "--format", "other", "--keep", keep)
        #expect(run.status == 0 && run.output.contains("in the account's history"))
        #expect(run.output.contains("is used now") == (keep == "file"))
        #expect(run.output.contains("and not used: line 2.") == (keep == "saved"))
        #expect(run.error.hasSuffix("Delete it: `shred --remove a.csv`\n"))
        let kept = try #require(daemon.with { $0.kept.first })
        #expect(daemon.passwords == [used, "pw"] && kept.history.map(\.password.bytes.testText) == [past])
        #expect(kept.notes == "kept\nnew" && kept.item.title == "The shop" && kept.item.tags == ["Home", "Work"])
        // Once more: nothing is added, to the history neither.
        let again = await daemon.home.run("import", "a.csv", "--format", "other", "--keep", keep)
        #expect(again.status == 0 && daemon.with { $0.kept.first?.history.count } == 1)
        #expect(daemon.with { $0.kept.first?.notes } == "kept\nnew" && daemon.passwords.count == 2)
    }

    @Test func whichPasswordIsUsedIsAskedBeforeAnythingIsSaved() async throws {
        let daemon = try conflict()
        let run = await daemon.home.run("import", "a.csv", "--format", "other")
        #expect(run.status == 64 && daemon.passwords == ["saved"])
        #expect(
            run.error
                == """
                latchkey: One account is saved with another password. The one that is not used stays in the account's \
                history. There is no terminal to ask on.
                hint: --keep file|saved|both chooses.

                """)
    }

    @Test func anAccountThatAFileHasTwiceIsNamed() async throws {
        let daemon = try FakeDaemon(TestHome())
        daemon.home.write(
            "a.csv", "name,url,username,password\na.example,https://a.example,me,1\na.example,https://a.example,me,2\n")
        let run = await daemon.home.run("import", "a.csv")
        #expect(run.output.contains("both are kept: line 3.") && daemon.passwords == ["1", "2"])
    }

    @Test func oneItemThatIsNotTakenKeepsNoOtherOut() async throws {
        var state = FakeDaemon.State()
        state.refusesUsers = ["user7"]
        let daemon = try FakeDaemon(TestHome(), state)
        let rows = (0..<25).map { "x,https://s\($0).example,user\($0),pw" }.joined(separator: "\n")
        daemon.home.write("a.csv", "name,url,username,password\n" + rows)
        let run = await daemon.home.run("import", "a.csv")
        #expect(run.output.hasPrefix("Imported 24 items from a.csv (Chrome).\nSkipped 1:\n  line 9: "))
        #expect(run.status == 0)
    }

    @Test("an import that breaks off says one thing: why, what was saved and what was not, and to run it again")
    func whatBreaksOffIsReported() async throws {
        let daemon = try FakeDaemon(TestHome())
        daemon.with { $0.failures["items.add"] = WireError(.storageFailed, "The disk is full.") }
        daemon.home.write("chrome.csv", ImportPlanTests.chrome)
        let run = await daemon.home.run("import", "chrome.csv")
        #expect(run.status == 10)
        #expect(run.output == "")
        #expect(
            run.error
                == "latchkey: The disk is full. The import broke off: 0 items saved, 5 not saved.\n"
                + "hint: Import the file again: what is saved already is skipped.\n")
    }

    @Test(
        "what broke off in its second batch is counted, and the next run adds what is missing and nothing twice",
        arguments: [
            (
                WireError(.storageFailed, "The disk is full."), 10, "200 items saved, 250 not saved.",
                "Import the file again: what is saved already is skipped."
            ),
            (
                WireError(.storageFailed, "The disk failed.", reason: "unsettled", hint: "Look."), 10,
                "200 items saved, 50 not saved, 200 perhaps saved (lines 202 to 401).",
                "Look. Then import the file again: what is saved already is skipped."
            ),
            (
                WireError(.locked, "Latchkey was locked in the meantime.", hint: "Run `latchkey unlock`."), 3,
                "200 items saved, 50 not saved, 200 perhaps saved (lines 202 to 401).",
                "Run `latchkey unlock`. Then import the file again: what is saved already is skipped."
            ),
            (
                WireError(.providerUnavailable, "The connection ended."), 11,
                "200 items saved, 50 not saved, 200 perhaps saved (lines 202 to 401).",
                "Import the file again: what is saved already is skipped."
            ),
        ])
    func whatBreaksOffLaterIsCounted(error: WireError, status: Int32, counts: String, hint: String) async throws {
        let daemon = try FakeDaemon(TestHome())
        daemon.with { $0.lateFailures["items.add"] = (2, error) }
        let rows = (0..<450).map { "x,https://s\($0).example,me,pw" }.joined(separator: "\n")
        daemon.home.write("a.csv", "name,url,username,password\n" + rows)
        let run = await daemon.home.run("import", "a.csv")
        #expect(run.status == status && run.output == "")
        #expect(run.error == "latchkey: \(error.message) The import broke off: \(counts)\nhint: \(hint)\n")
        let document = await daemon.home.run("import", "a.csv", "--json")
        #expect(document.output.contains(#""imported":0"#) && document.output.contains(#""complete":false"#))
        daemon.with { $0.lateFailures = [:] }
        let again = await daemon.home.run("import", "a.csv")
        #expect(again.status == 0 && again.output.hasPrefix("Imported 250 items from a.csv (Chrome).\nSkipped 200:\n"))
        #expect(daemon.passwords.count == 450)
    }

    @Test(
        "the file to delete is named as a shell reads it, and only where it is the file that was read",
        arguments: [
            ("a.csv", ImportCommand.InputKind.file, "`shred --remove a.csv`" as String?),
            ("Chrome Passwords.csv", .file, "`shred --remove 'Chrome Passwords.csv'`"),
            ("-u.csv", .file, "`shred --remove ./-u.csv`"), ("it's.csv", .file, "`shred --remove 'it'\\''s.csv'`"),
            ("a\nb.csv", .file, nil), ("a\u{202E}vsc.b", .file, nil), ("/dev/stdin", .elsewhere, nil),
            ("a.csv", .pipe, nil),
        ])
    func theFileToDeleteIsQuoted(path: String, kind: ImportCommand.InputKind, command: String?) {
        let farewell = ImportCommand.farewell(path, kind, true)
        #expect((farewell == nil) == (kind == .pipe))
        #expect(farewell?.contains("shred") != true || command != nil)
        if let command { #expect(farewell?.hasSuffix("Delete it: " + command) == true) }
    }

    @Test func nothingIsAdvisedForAPipeOrThroughALink() async throws {
        let daemon = try FakeDaemon(TestHome())
        let text = "name,url,username,password,note\na.example,https://a.example,me,pw,\n"
        daemon.home.write("a.csv", text)
        try FileManager.default.createSymbolicLink(
            atPath: daemon.home.folder + "/link.csv", withDestinationPath: "a.csv")
        let linked = await daemon.home.run("import", "link.csv")
        #expect(linked.error == "The file that was read holds these passwords in the clear. Delete it.\n")
        // Standard input of a run is a file.
        let other = text.replacingOccurrences(of: "a.example", with: "b.example")
        let read = await daemon.home.run("import", "/dev/stdin", input: other)
        #expect(read.status == 0 && !read.error.contains("shred"))
        #expect(daemon.passwords.count == 2)
    }

    @Test func aDamagedFileChangesNothing() async throws {
        let daemon = try FakeDaemon(TestHome())
        daemon.home.write(
            "a.csv", "name,url,username,password\nx,https://a.example,me,pw\nx,https://b.example,me,\"canary")
        let run = await daemon.home.run("import", "a.csv")
        #expect(run.status == 13)
        #expect(run.output == "")
        #expect(run.error.hasPrefix("latchkey: Line 3 is not CSV: a quotation mark is never closed.\nhint: "))
        #expect(!run.error.contains("canary"))
        #expect(daemon.asked.isEmpty)
    }

    @Test func nothingImportedIsAnError() async throws {
        let daemon = try FakeDaemon(TestHome())
        daemon.home.write("a.csv", "name,url,username,password\nx,https://a.example,me\n")
        let run = await daemon.home.run("import", "a.csv")
        #expect(run.status == 13)
        #expect(run.output.contains("line 2: 3 columns where the first line has 4"))
        #expect(await daemon.home.run("import", "absent.csv").status == 5)
    }

    @Test func aDryRunAsksNobody() async throws {
        let home = TestHome()
        home.write("b.csv", ImportPlanTests.bitwarden)
        let run = await home.run("import", "b.csv", "--dry-run")
        #expect(
            run.output
                == """
                Would import 4 items from b.csv (Bitwarden).
                2 of them are for no website. They are in the list by their titles.

                """
        )
        #expect(run.error == "")
        #expect(!FileManager.default.fileExists(atPath: home.directories.socket))
    }

    @Test func aLongFileGoesInBatches() async throws {
        let daemon = try FakeDaemon(TestHome())
        let rows = (0..<450).map { "x,https://s\($0).example,me,pw" }.joined(separator: "\n")
        daemon.home.write("a.csv", "name,url,username,password\n" + rows)
        #expect(await daemon.home.run("import", "a.csv").status == 0)
        #expect(daemon.asked.filter { $0 == "items.add" }.count == 3)
        #expect(daemon.passwords.count == 450)
    }
}
