// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Testing

@testable import AutoFillFetching

@Suite struct AssociationInquiryTests {
    private static let wellKnown = "https://shiny.example.com/.well-known/apple-app-site-association"
    private static let root = "https://shiny.example.com/apple-app-site-association"
    private static let network = "https://cdn.example.com/a/v1/shiny.example.com"
    private static let file = DownloadOutcome.answered(
        status: 200, headers: [:], body: Array(#"{"webcredentials":{"apps":["E5336VM85F.com.example.Shiny"]}}"#.utf8))

    private func inquiry(mode: [String] = [], source: String = "direct") throws -> AssociationInquiry {
        try AssociationInquiry(.init(host: "shiny.example.com", mode: mode, source: source))
    }

    private func status(_ status: Int, _ headers: [String: String] = [:]) -> DownloadOutcome {
        .answered(status: status, headers: headers, body: [])
    }

    /// Plays outcomes, and answers what was asked for and what came of it.
    private func play(
        _ outcomes: [DownloadOutcome], mode: [String] = [], source: String = "direct"
    ) throws -> (asked: [Download], answer: AssociationFetch.Answer?) {
        var inquiry = try inquiry(mode: mode, source: source)
        var step = inquiry.first
        var asked: [Download] = []
        for outcome in outcomes {
            guard case .get(let download) = step else { break }
            asked.append(download)
            step = inquiry.take(outcome)
        }
        if case .done(let answer) = step { return (asked, answer) }
        if case .get(let download) = step { asked.append(download) }
        return (asked, nil)
    }

    @Test func asksTheWellKnownPlaceFirst() throws {
        let (asked, answer) = try play([Self.file])
        #expect(asked.map(\.address) == [Self.wellKnown])
        #expect(answer?.apps == ["E5336VM85F.com.example.Shiny"])
        #expect(answer?.steps == [.init(url: Self.wellKnown, outcome: "200 OK", kind: "delivered")])
        let download = try #require(asked.first)
        #expect(download.limit == 131_072)
        #expect(download.redirects == .refused)
        #expect(download.trust == .system)
    }

    @Test(arguments: [300, 304, 400, 401, 403, 404, 405, 410, 418, 429, 451, 499])
    func asksTheRootWhereTheAnswerIsNo(code: Int) throws {
        let (asked, answer) = try play([status(code), Self.file])
        #expect(asked.map(\.address) == [Self.wellKnown, Self.root])
        #expect(answer?.apps == ["E5336VM85F.com.example.Shiny"])
        #expect(answer?.steps.map(\.kind) == ["denied", "delivered"])
    }

    @Test(arguments: [300, 304, 400, 401, 403, 404, 410, 429, 499])
    func threeAndFourHundredAreANo(code: Int) throws {
        let answer = try #require(try play([status(404), status(code)]).answer)
        #expect(answer.denied == HTTPStatus.line(code))
        #expect(answer.apps == nil && answer.trouble == nil)
    }

    @Test(
        "redirects are a no, and are not followed",
        arguments: [301, 302, 303, 307, 308])
    func redirectsAreANo(code: Int) throws {
        let moved = DownloadOutcome.redirected(
            status: code, to: "https://www.shiny.example.com/apple-app-site-association")
        let (asked, answer) = try play([moved, moved])
        #expect(asked.map(\.address) == [Self.wellKnown, Self.root])
        #expect(answer?.denied?.hasPrefix("\(code) ") ?? false)
        #expect(answer?.denied?.contains("redirects are not followed") ?? false)
    }

    @Test(arguments: [500, 501, 502, 503, 504, 599, 600, 700, 100, 0])
    func fiveHundredIsTrouble(code: Int) throws {
        let (asked, answer) = try play([status(code), Self.file])
        // An old file at the root must not decide while the site is down.
        #expect(asked.map(\.address) == [Self.wellKnown])
        #expect(answer?.trouble == HTTPStatus.line(code))
        #expect(try play([status(404), status(code)]).answer?.trouble == HTTPStatus.line(code))
    }

    @Test(arguments: [201, 202, 203, 204, 206, 226])
    func onlyTwoHundredDelivers(code: Int) throws {
        guard case .answered(_, _, let body) = Self.file else { return }
        let (asked, answer) = try play([.answered(status: code, headers: [:], body: body)])
        #expect(asked.count == 1)
        #expect(answer?.denied == HTTPStatus.line(code))
    }

    @Test func whatKeepsAnAnswerFromComingIsTrouble() throws {
        for outcome in [
            .badCertificate(reason: "expired"), .unreachable(reason: "refused"), .timedOut,
            .brokenBody(reason: "cut off"),
        ] as [DownloadOutcome] {
            let (asked, answer) = try play([outcome, Self.file])
            #expect(asked.count == 1)
            #expect(answer?.trouble == outcome.summary)
            #expect(answer?.steps.map(\.kind) == ["failed"])
        }
    }

    @Test func aWrongFileIsTheSitesAnswer() throws {
        for outcome in [
            .tooLarge, .answered(status: 200, headers: [:], body: []),
            .answered(status: 200, headers: [:], body: Array("{}".utf8)),
        ] as [DownloadOutcome] {
            let (asked, answer) = try play([outcome, Self.file])
            #expect(asked.map(\.address) == [Self.wellKnown])
            #expect(answer?.denied?.hasPrefix("200 OK, but ") ?? false)
            #expect(answer?.steps.map(\.kind) == ["denied"])
        }
    }

    @Test("an entry with a mode reads the well-known place of the site itself, and no other")
    func modesReadOnePlace() throws {
        for mode in [["developer"], ["managed"], ["developer", "managed"]] {
            let (asked, answer) = try play([status(404), Self.file], mode: mode, source: "https://cdn.example.com")
            #expect(asked.map(\.address) == [Self.wellKnown])
            #expect(asked.map(\.trust) == [mode.contains("developer") ? .any : .system])
            #expect(answer?.denied == "404 Not Found")
        }
    }

    @Test func aNetworkAnswersForTheSite() throws {
        let source = "https://cdn.example.com"
        let (asked, answer) = try play([Self.file], source: source)
        #expect(asked.map(\.address) == [Self.network])
        #expect(answer?.apps != nil)
        let denied = try play(
            [status(404, ["apple-failure-reason": "SWCERR00101 Bad HTTP Response"]), Self.file], source: source)
        #expect(denied.asked.count == 1)
        #expect(denied.answer?.denied == "404 Not Found (SWCERR00101 Bad HTTP Response)")
        let direct = try play(
            [
                status(404, ["apple-try-direct": "true", "apple-failure-reason": "SWCERR00301"]), status(404),
                Self.file,
            ],
            source: source)
        #expect(direct.asked.map(\.address) == [Self.network, Self.wellKnown, Self.root])
        #expect(direct.answer?.apps != nil)
        #expect(try play([status(503), Self.file], source: source).answer?.trouble == "503 Service Unavailable")
        // Only a 404 of the network says so.
        #expect(try play([status(403, ["apple-try-direct": "true"])], source: source).answer?.denied != nil)
    }

    @Test("a site cannot send its reader elsewhere by the network's headers")
    func sitesHaveNoNetworkHeaders() throws {
        let (asked, answer) = try play([status(404, ["apple-try-direct": "true"]), status(404)])
        #expect(asked.map(\.address) == [Self.wellKnown, Self.root])
        #expect(answer?.denied == "404 Not Found")
    }

    @Test func whatServersWriteIsMadePlain() throws {
        let answer = try play([
            status(404), .redirected(status: 302, to: "https://x/\u{1B}[2J\n\(String(repeating: "y", count: 5_000))"),
        ]).answer
        let denied = try #require(answer?.denied)
        #expect(denied.utf8.count <= 303)
        #expect(denied.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }

    @Test(arguments: [
        "", "shiny.example.com/", "shiny.example.com:443", "a b", "me@shiny.example.com", "..", ".example.com",
        "shiny.example.com.", "SHINY.example.com", "bücher.example", "shiny.example.com?x", "a#b", "[::1]", "%2e",
    ])
    func refusesWhatIsNoHost(host: String) {
        #expect(throws: WireError.self) { try AssociationInquiry(.init(host: host, mode: [], source: "direct")) }
    }

    @Test func refusesUnknownModesAndSources() {
        for (mode, source) in [(["x"], "direct"), ([], "http://cdn.example.com"), ([], ""), ([], "file:///etc")]
            as [([String], String)]
        {
            #expect(throws: WireError.self) {
                try AssociationInquiry(.init(host: "shiny.example.com", mode: mode, source: source))
            }
        }
    }
}
