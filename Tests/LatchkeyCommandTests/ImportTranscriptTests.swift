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
                Imported 3 items from chrome.csv (Chrome).
                Skipped 3:
                  line 3: belongs to an Android app
                  line 4: no password
                  line 7: the same as line 2
                Not kept, by column of the file:
                  name: 1 row, line 8

                """
        )
        // An app's account and one without a password are in the file alone.
        #expect(
            run.error
                == "chrome.csv holds these passwords in the clear. Not everything in it was imported: "
                + "look after the rest, then delete it.\n")
        #expect(run.status == 0)
        #expect(daemon.passwords == ["correct, \"horse\" ", " spaced ", "pw"])
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

    @Test func anAccountThatIsThereMayLackWhatTheFileHas() async throws {
        let daemon = try FakeDaemon(TestHome())
        daemon.keep(1, ["a.example"], "me", "pw")
        daemon.home.write(
            "b.csv",
            "url,username,password,totp,extra,name,grouping,fav\nhttps://a.example,me,pw,AAAA,,,,\nhttps://b.example,me,pw,,,,,\n"
        )
        let run = await daemon.home.run("import", "b.csv")
        #expect(run.output.contains("line 2: saved already, perhaps without its notes, labels or key of codes\n"))
        #expect(!run.error.contains("shred"))
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
        #expect(again.output.components(separatedBy: "saved already").count == 4)
        #expect(daemon.passwords.count == 3)
    }

    @Test func anotherPasswordIsKeptBesideTheOneThere() async throws {
        let daemon = try FakeDaemon(TestHome())
        daemon.keep(1, ["shiny.example.com"], "rmondello", "an older one")
        daemon.home.write("chrome.csv", ImportPlanTests.chrome)
        let run = await daemon.home.run("import", "chrome.csv")
        #expect(run.output.contains("both are kept: line 2."))
        #expect(daemon.passwords.count == 4)
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
                == "latchkey: The disk is full. The import broke off: 0 items saved, 3 not saved.\n"
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
        daemon.home.write("a.csv", "name,url,username,password\nx,android://a@b/,me,pw\n")
        let run = await daemon.home.run("import", "a.csv")
        #expect(run.status == 13)
        #expect(run.output.contains("line 2: belongs to an Android app"))
        #expect(await daemon.home.run("import", "absent.csv").status == 5)
    }

    @Test func aDryRunAsksNobody() async throws {
        let home = TestHome()
        home.write("b.csv", ImportPlanTests.bitwarden)
        let run = await home.run("import", "b.csv", "--dry-run")
        #expect(
            run.output
                == """
                Would import 2 items from b.csv (Bitwarden).
                Skipped 2:
                  line 3: a note, no login
                  line 5: no login
                Not kept, by column of the file:
                  fields: 1 row, line 2
                  login_uri: 1 row, line 2

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
