// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import ShownText
import Testing

@testable import PasswordsModel

@Suite struct LastReleaseTests {
    /// A daemon whose audit log has these lines, one on each page.
    private struct Log: DaemonAsking {
        let lines: [AuditLine]

        func call<M: WireMethod>(_ method: M.Type, _ params: M.Params) async throws -> M.Answer {
            let params = try #require(params as? Settings.Audit.Params)
            let found = lines.filter { params.service == nil || $0.service == params.service }
            let place = (params.cursor ?? 1) - 1
            let answer = Settings.Audit.Answer(
                lines: found.indices.contains(place) ? [found[place]] : [], intact: true,
                cursor: place + 1 < found.count ? place + 2 : nil, next: found.count + 1)
            return try #require(answer as? M.Answer)
        }
    }

    private static let item = Item(
        id: "1", services: ["https://shiny.example.com", "other.example"], user: "rmondello", created: 0, modified: 0)

    private static func line(
        _ time: Int64, _ event: String = "released", service: String = "other.example", user: String = "rmondello",
        requester: String = "https://other.example", purpose: String? = nil
    ) -> AuditLine {
        AuditLine(
            time: time, event: event, service: service, user: user, requester: requester, purpose: purpose)
    }

    @Test func isTheNewestOfAllWebsites() async throws {
        let log = Log(lines: [
            Self.line(1), Self.line(5, service: "https://shiny.example.com", requester: "https://shiny.example.com"),
            Self.line(3),
        ])
        let used = try await log.lastRelease(of: Self.item)
        #expect(used?.time == 5 && used?.requester.text == "https://shiny.example.com")
    }

    @Test func gitUsesAPasswordToo() async throws {
        let log = Log(lines: [Self.line(1), Self.line(2, requester: "git", purpose: "git, started by /usr/bin/make")])
        #expect(try await log.lastRelease(of: Self.item)?.time == 2)
    }

    @Test(arguments: ["show", "copy", "notes", "history", "show, a code", "show, a generated password"])
    func whatWasLookedAtIsNotUsed(purpose: String) async throws {
        let log = Log(lines: [Self.line(1, purpose: purpose)])
        #expect(try await log.lastRelease(of: Self.item) == nil)
    }

    @Test func othersAreNotMeant() async throws {
        let log = Log(lines: [
            Self.line(1, "refused"), Self.line(2, user: "eliza"), Self.line(3, service: "third.example"),
        ])
        #expect(try await log.lastRelease(of: Self.item) == nil)
    }
}
