// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProcessTesting
import Testing

@testable import latchkey

@Suite struct ExportFormatTests {
    private func account(
        _ services: [String] = ["shiny.example.com"], user: String = "rmondello", password: String = "pw",
        notes: String? = nil, link: String? = nil, favorite: Bool? = nil, tags: [String]? = nil, strict: Bool? = nil
    ) -> Items.Export.Account {
        var item = Item(id: "a", services: services, user: user, created: 1_790_000_000, modified: 1_790_000_060)
        (item.favorite, item.tags, item.strict, item.authenticator) = (favorite, tags, strict, link.map { _ in true })
        return .init(
            item: item, password: WireSecret(SecretBytes(utf8: password)),
            notes: notes.map { WireSecret(SecretBytes(utf8: $0)) },
            authenticator: link.map { WireSecret(SecretBytes(utf8: $0)) })
    }

    private func rows(_ format: ExportFormat, _ account: Items.Export.Account) -> [String] {
        format.rows(of: account).map(\.testText)
    }

    @Test func layouts() {
        let all = account(
            ["shiny.example.com", "https://other.example/login"], password: #"a,"b" "#, notes: "two\nlines",
            link: "otpauth://totp/x?secret=A", favorite: true, tags: ["Work", "Old, very"])
        #expect(
            rows(.bitwarden, all) == [
                "Work,1,login,shiny.example.com,\"two\nlines\",\"tags: Old, very\",0,"
                    + "\"https://shiny.example.com,https://other.example/login\",rmondello,\"a,\"\"b\"\" \",otpauth://totp/x?secret=A\n"
            ])
        #expect(
            rows(.keepassxc, all)
                == ["https://shiny.example.com", "https://other.example/login"].map {
                    "\"Root/Work\",\"shiny.example.com\",\"rmondello\",\"a,\"\"b\"\" \",\"\($0)\",\"two\nlines\","
                        + "\"otpauth://totp/x?secret=A\",\"0\",\"2026-09-21T14:14:20Z\",\"2026-09-21T14:13:20Z\"\n"
                })
        #expect(
            rows(.chrome, all)
                == ["https://shiny.example.com", "https://other.example/login"].map {
                    "shiny.example.com,\($0),rmondello,\"a,\"\"b\"\" \",\"two\nlines\"\n"
                })
        #expect(rows(.chrome, account()) == ["shiny.example.com,https://shiny.example.com,rmondello,pw,\n"])
    }

    @Test(arguments: [
        ("shiny.example.com", "https://shiny.example.com"),
        ("shiny.example.com:8443", "https://shiny.example.com:8443"),
        ("http://router.example/", "http://router.example/"), ("localhost", "https://localhost"),
        ("my bank", "my bank"),
        ("router", "router"),
    ]) func aHostBecomesAnAddress(service: String, address: String) {
        #expect(ExportFormat.address(service) == address)
    }

    private func item(title: String, user: String = "", password: String = "", notes: String? = nil)
        -> Items.Export.Account
    {
        var account = account([], user: user, password: password, notes: notes)
        (account.item.title, account.item.hasPassword) = (title, password.isEmpty ? false : nil)
        return account
    }

    @Test func titlesNameTheRows() {
        var named = account()
        named.item.title = "The shop"
        #expect(rows(.bitwarden, named)[0].hasPrefix(",,login,The shop,"))
        #expect(rows(.keepassxc, named)[0].hasPrefix("\"Root\",\"The shop\",\"rmondello\""))
        #expect(rows(.chrome, named)[0].hasPrefix("The shop,https://shiny.example.com,"))
    }

    @Test func whatIsForNoWebsiteIsARowOfItsOwnOrNamed() {
        let note = item(title: "Door", notes: "1234")
        let network = item(title: "Wi-Fi", user: "me", password: "pw")
        #expect(rows(.bitwarden, note) == [",,note,Door,1234,,0,,,,\n"])
        #expect(rows(.bitwarden, network) == [",,login,Wi-Fi,,,0,,me,pw,\n"])
        #expect(rows(.keepassxc, note)[0].hasPrefix("\"Root\",\"Door\",\"\",\"\",\"\",\"1234\","))
        for account in [note, network] {
            #expect(rows(.chrome, account).isEmpty && ExportFormat.chrome.lost(of: account.item) == [.noSite])
            #expect(ExportFormat.bitwarden.lost(of: account.item).isEmpty)
        }
    }

    /// Notes, and passwords for no site, come back from the layouts that hold them.
    @Test(arguments: [ExportFormat.bitwarden, .keepassxc]) func theImportReadsWhatIsForNoWebsite(format: ExportFormat)
        throws
    {
        let all = [item(title: "Door", notes: "two\nlines"), item(title: "Wi-Fi", user: "me", password: "pw")]
        let text = format.header + "\n" + all.flatMap { rows(format, $0) }.joined()
        let plan = try ImportPlan(SecretBytes(utf8: text), format: nil)
        #expect(plan.candidates.map(\.item.title) == ["Door", "Wi-Fi"])
        #expect(plan.candidates.allSatisfy { $0.item.services.isEmpty } && plan.skipped.isEmpty)
        #expect(plan.candidates.map { $0.item.notes?.bytes.testText } == ["two\nlines", nil])
        #expect(plan.candidates.map(\.item.password.bytes.testText) == ["", "pw"])
    }

    @Test func tagsBeyondTheFirstComeBackFromBitwardensFields() throws {
        let account = account(tags: ["Work", "Old", "very"])
        let plan = try ImportPlan(
            SecretBytes(utf8: ExportFormat.bitwarden.header + "\n" + rows(.bitwarden, account).joined()), format: nil)
        #expect(plan.candidates.first?.item.tags == ["Work", "Old", "very"])
        #expect(plan.candidates.first?.item.notes == nil)
    }

    @Test func whatALayoutCannotHoldIsNamed() {
        let all = account(link: "x", favorite: true, tags: ["a", "b"], strict: true).item
        #expect(ExportFormat.bitwarden.lost(of: all) == [.strict])
        #expect(ExportFormat.keepassxc.lost(of: all) == [.favorite, .tags, .strict])
        #expect(ExportFormat.chrome.lost(of: all) == [.codes, .favorite, .tags, .strict])
        #expect(ExportFormat.keepassxc.lost(of: account(tags: ["a"]).item).isEmpty)
    }

    /// The import of each program's files reads what is written under its name, and nothing is lost but what is named.
    @Test(arguments: ExportFormat.allCases) func theImportReadsIt(format: ExportFormat) throws {
        let account = account(
            password: "p\"w, ", notes: "two\nlines", link: "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ", tags: ["Work"])
        let text = format.header + "\n" + rows(format, account).joined()
        let plan = try ImportPlan(SecretBytes(utf8: text), format: nil)
        let item = try #require(plan.candidates.first).item
        #expect(plan.candidates.count == 1 && item.user == "rmondello" && item.password.bytes.testText == "p\"w, ")
        #expect(item.notes?.bytes.testText == "two\nlines")
        #expect((item.authenticator != nil) == !format.lost(of: account.item).contains(.codes))
        #expect((item.tags == ["Work"]) == !format.lost(of: account.item).contains(.tags))
    }
}

@Suite(.tags(.startsProcess)) struct ExportTranscriptTests {
    private func daemon() throws -> FakeDaemon {
        let daemon = try FakeDaemon(TestHome())
        daemon.keep(1, ["shiny.example.com"], "rmondello", "pw")
        daemon.keep(2, ["other.example"], "anna", "other")
        daemon.home.write("pass", FakeDaemon.passphrase)
        return daemon
    }

    @Test func everythingGoesIntoAFileOfOnesOwn() async throws {
        let daemon = try daemon()
        daemon.with { $0.pageSize = 1 }
        let run = await daemon.home.run("export", "out.csv", "--passphrase-file", "pass")
        #expect(run.status == 0 && run.output == "")
        #expect(run.error.hasPrefix("The file will not be encrypted: whoever can read it has every password.\n"))
        #expect(run.error.contains("Exported 2 accounts to ") && run.error.hasSuffix("`shred --remove out.csv`.\n"))
        let path = daemon.home.folder + "/out.csv"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3 && lines[2].hasSuffix(",https://other.example,anna,other,"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func whatChangesMeanwhileIsNoExport() async throws {
        let daemon = try daemon()
        daemon.with { ($0.pageSize, $0.removesBetweenPages) = (1, true) }
        let run = await daemon.home.run("export", "out.csv", "--passphrase-file", "pass")
        #expect(run.status == 11 && run.error.contains("has changed meanwhile"))
        #expect(FileManager.default.fileExists(atPath: daemon.home.folder + "/out.csv") == false)
    }

    @Test func aFileThatIsThereIsNotReplaced() async throws {
        let daemon = try daemon()
        daemon.home.write("out.csv", "mine")
        let run = await daemon.home.run("export", "out.csv", "--passphrase-file", "pass")
        #expect(run.status != 0 && run.error.contains("is there already."))
        #expect(daemon.with { $0.asked }.contains(Items.Export.name) == false)
        #expect(try String(contentsOfFile: daemon.home.folder + "/out.csv", encoding: .utf8) == "mine")
    }

    @Test func withoutThePassphraseNothingIsWritten() async throws {
        let daemon = try daemon()
        daemon.home.write("pass", "another one")
        let run = await daemon.home.run("export", "out.csv", "--passphrase-file", "pass")
        #expect(run.status != 0 && run.error.contains("The passphrase is wrong."))
        #expect(FileManager.default.fileExists(atPath: daemon.home.folder + "/out.csv") == false)
    }

    @Test func standardOutputHasTheFileAlone() async throws {
        let daemon = try daemon()
        let run = await daemon.home.run("export", "-", "--format", "chrome", "--passphrase-file", "pass")
        #expect(run.output.hasPrefix("name,url,username,password,note\nshiny.example.com,") && run.status == 0)
        #expect(!run.error.contains("shred"))
    }
}
