// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import Glibc
import Testing

@testable import AutoFillAssociations

@Suite struct AssociationKeepingTests {
    private func approved() async throws -> BookShelf {
        let shelf = try BookShelf()
        let book = try shelf.book()
        shelf.sites.set(shinyHost, apps: [shinyText])
        _ = try await book.declare(["webcredentials:\(shinyHost)"], for: .shiny())
        await book.checkDue()
        _ = shelf.sites.takeAsked()
        return shelf
    }

    @Test func survivesARestart() async throws {
        let shelf = try await approved()
        let old = try shelf.book()
        try await old.setSource(try #require(AssociationSource("https://cdn.example.com")))
        try await old.setDeveloperMode(true)
        _ = try await old.declare(["webcredentials:\(shinyHost)"], for: .shiny())
        await old.checkDue()
        let book = try shelf.book()
        #expect(try await book.verifiedAssociations(for: .shiny()).count == 1)
        #expect(await book.source == .network(base: "https://cdn.example.com"))
        #expect(await book.isDeveloperModeOn)
        #expect(await book.log() == old.log())
        #expect(await book.standings() == old.standings())
    }

    @Test func retriesSurviveARestart() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        shelf.sites.fail(shinyHost)
        _ = try await book.declare(["webcredentials:\(shinyHost)"], for: .shiny())
        await book.checkDue()
        shelf.sites.pass(seconds: 3 * 3_600)
        let again = try shelf.book()
        await again.checkDue()
        guard case .retrying(_, 2, _, false)? = await again.standings().first?.verdict else {
            Issue.record("the failures were forgotten")
            return
        }
    }

    @Test("S27: the file tells nothing to who has no key") func theFileIsSealed() async throws {
        let shelf = try await approved()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: shelf.path))
        for word in ["shiny", "example", "E5336VM85F", "webcredentials", "domain"] {
            #expect(bytes.range(of: Data(word.utf8)) == nil)
        }
        var status = stat()
        #expect(stat(shelf.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test("S21: a file that somebody changed associates nobody", arguments: [0, 1, 12, 40, -1])
    func changedFilesCountForNothing(offset: Int) async throws {
        let shelf = try await approved()
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: shelf.path)))
        bytes[offset < 0 ? bytes.count + offset : offset] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: shelf.path))
        let book = try shelf.book()
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
        #expect(await book.standings().isEmpty)
        #expect(await book.log().last?.text.contains("damaged") ?? false)
        #expect(FileManager.default.fileExists(atPath: shelf.path + ".damaged-1"))
    }

    @Test(
        "S21: a file of somebody else's making associates nobody",
        arguments: [
            "", "{}", #"{"version":1,"apps":[],"log":[]}"#, "not sealed at all, and long enough to be a sealed value",
        ])
    func foreignFilesCountForNothing(text: String) async throws {
        let shelf = try await approved()
        try Data(text.utf8).write(to: URL(fileURLWithPath: shelf.path))
        let book = try shelf.book()
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
    }

    @Test func aNewerFileIsLeftAlone() async throws {
        let shelf = try BookShelf()
        let sealed = shelf.key.seal(Array(#"{"version":2}"#.utf8), associated: Array("latchkey associations v1".utf8))
        try Data(sealed).write(to: URL(fileURLWithPath: shelf.path))
        #expect { try shelf.book() } throws: { ($0 as? AssociationBookError)?.code == .unsupportedVersion }
        #expect(FileManager.default.fileExists(atPath: shelf.path))
    }

    @Test("S21: a file under another key associates nobody") func otherKeysCountForNothing() async throws {
        let shelf = try await approved()
        let book = try shelf.book(.random())
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
    }

    @Test("S23: an old file brought back is asked about before long") func replayedFilesAreAskedAbout() async throws {
        let shelf = try await approved()
        let old = try Data(contentsOf: URL(fileURLWithPath: shelf.path))
        shelf.sites.deny(shinyHost)
        shelf.sites.pass(seconds: 8 * day)
        let book = try shelf.book()
        await book.checkDue()
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
        try old.write(to: URL(fileURLWithPath: shelf.path))
        let again = try shelf.book()
        await again.checkDue()
        #expect(try await again.verifiedAssociations(for: .shiny()).isEmpty)
        // And without any network it counts for thirty days at most.
        try old.write(to: URL(fileURLWithPath: shelf.path))
        shelf.sites.pass(seconds: 23 * day)
        #expect(try await shelf.book().verifiedAssociations(for: .shiny()).isEmpty)
    }

    @Test func nothingChangesWhereItCannotBeKept() async throws {
        let shelf = try await approved()
        let book = try shelf.book()
        try FileManager.default.removeItem(atPath: shelf.folder)
        await #expect(throws: SecretsError.self) {
            try await book.declare(["webcredentials:else.example.com"], for: .shiny())
        }
        #expect(await book.standings().map(\.association.domain.host) == [shinyHost])
        // But a withdrawal counts, kept or not.
        shelf.sites.deny(shinyHost)
        _ = await book.check(host: shinyHost)
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
        #expect(await book.fault != nil)
    }

    @Test func theLogIsBounded() async throws {
        var log = AssociationLog()
        for number in 0..<2_000 { log.add("line \(number)\u{1B}[2J\n\(String(repeating: "x", count: 2_000))", at: 1) }
        #expect(log.lines.count == 500)
        #expect(log.lines.last?.number == 2_000)
        #expect(log.lines.allSatisfy { $0.text.utf8.count < 1_010 && !$0.text.contains("\u{1B}") })
        #expect(log.lines.allSatisfy { !$0.text.contains("\n") })
    }
}

@Suite struct AssociationAdministrationTests {
    private let file = #"""
        {"Configuration": [
          {"ApplicationIdentifier": "E5336VM85F.com.example.Shiny",
           "AssociatedDomains": ["webcredentials:shiny.example.com", "nonsense"], "EnableDirectDownloads": true},
          {"ApplicationIdentifier": "ABCDE12345.com.example.Other",
           "AssociatedDomains": ["webcredentials:shiny.example.com"]}
        ]}
        """#

    private func folder() throws -> String {
        let folder = "/var/lib/latchkey-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        return folder
    }

    @Test("S21: only what root wrote where only root may write counts", .enabled(if: geteuid() == 0))
    func onlyRootsWordCounts() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/managed-associations.json"
        try Data(file.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o644)
        let domain = try AssociatedDomain(written: shinyHost)
        func allows() throws -> Bool { AssociationAdministration(contentsOf: path).allows(try .shiny(), domain) }
        #expect(try allows())
        #expect(try !AssociationAdministration(contentsOf: path).allows(.other(), domain))
        #expect(
            try !AssociationAdministration(contentsOf: path).allows(
                .shiny(), AssociatedDomain(written: "else.example.com")))
        chmod(path, 0o666)
        #expect(try !allows())
        chmod(path, 0o644)
        chmod(folder, 0o777)
        #expect(try !allows())
        chmod(folder, 0o755)
        #expect(try allows())
        chown(path, 1_000, 1_000)
        #expect(try !allows())
        chown(path, 0, 0)
        rename(path, path + ".real")
        symlink(path + ".real", path)
        #expect(try !allows())
    }

    @Test func aFileThatIsNotThereAllowsNothing() throws {
        let domain = try AssociatedDomain(written: shinyHost)
        #expect(try !AssociationAdministration(contentsOf: "/nowhere/x.json").allows(.shiny(), domain))
        #expect(try !AssociationAdministration(contentsOf: "x.json").allows(.shiny(), domain))
        #expect(try !AssociationAdministration().allows(.shiny(), domain))
    }
}

@Suite struct FetchedAssociationsTests {
    private func ask(_ answer: String) async throws -> AssociationAnswer {
        let value = try JSONValue(readingText: Array(answer.utf8))
        return await FetchedAssociations { _ in value }.ask(AssociationQuestion(host: shinyHost))
    }

    @Test func asksWithEverything() async throws {
        let request = try FetchedAssociations.request(
            AssociationQuestion(
                host: shinyHost, mode: [.developer, .managed], source: .network(base: "https://cdn.example.com")))
        #expect(
            request
                == .object([
                    "host": .string(shinyHost), "mode": .array([.string("developer"), .string("managed")]),
                    "source": .string("https://cdn.example.com"),
                ]))
    }

    @Test func readsAnswers() async throws {
        let step = #""steps":[{"url":"https://x/","outcome":"200 OK","kind":"delivered"}]"#
        #expect(try await ask("{\(step),\"apps\":[\"\(shinyText)\"]}").finding == .apps([shinyText]))
        #expect(
            try await ask("{\(step),\"denied\":\"404 Not Found\"}").finding
                == .denied(AssociationDenial(reason: "404 Not Found")))
        #expect(
            try await ask("{\(step),\"trouble\":\"\\u001b[2J\\n\"}").finding
                == .trouble(AssociationTrouble(reason: "?[2J?")))
    }

    @Test(
        "S23: an answer that cannot be understood approves nobody",
        arguments: [
            "{}", "null", "[]", #"{"steps":[]}"#, #"{"steps":[],"apps":["x"],"denied":"no"}"#,
            #"{"steps":[],"apps":"E5336VM85F.com.example.Shiny"}"#, #"{"steps":[],"apps":[1]}"#,
            #"{"apps":["E5336VM85F.com.example.Shiny"]}"#,
        ])
    func nonsenseApprovesNobody(answer: String) async throws {
        guard case .trouble = try await ask(answer).finding else {
            Issue.record("\(answer) was taken for an answer")
            return
        }
    }

    @Test func aFetcherThatFailsIsTrouble() async {
        let answer = await FetchedAssociations { _ in throw WireError(.timedOut, "too slow") }.ask(
            AssociationQuestion(host: shinyHost))
        #expect(answer.finding == .trouble(AssociationTrouble(reason: "too slow")))
    }
}
