// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import Testing

@testable import AutoFillFetching

/// What the answers of a site about `/.well-known/change-password` are worth.
@Suite struct ChangePasswordInquiryTests {
    static let missing = DownloadOutcome.answered(status: 404, headers: [:], body: [])
    static let there = DownloadOutcome.answered(status: 200, headers: [:], body: [])
    static let elsewhere = DownloadOutcome.redirected(status: 302, to: "/settings/password")
    /// No answer at all, in every way there is.
    static let silences: [DownloadOutcome] = [
        .timedOut, .unreachable(reason: "refused"), .badCertificate(reason: "expired"), .brokenBody(reason: "cut off"),
        .redirected(status: 302, to: "http://shiny.example.com/"),
    ]

    private func ask(_ outcomes: DownloadOutcome...) throws -> ChangePasswordInquiry {
        var inquiry = ChangePasswordInquiry(try #require(HTTPSAddress("https://shiny.example.com/")))
        for outcome in outcomes where inquiry.next != nil { inquiry.take(outcome) }
        #expect(inquiry.next == nil)
        return inquiry
    }

    @Test func believesASiteThatKnowsWhatItHas() throws {
        #expect(try ask(Self.missing, Self.there).isUsable)
        let led = try ask(Self.missing, Self.elsewhere, Self.there)
        #expect(led.isUsable && led.answer == .present)
        // It may want somebody to sign in first.
        #expect(try ask(Self.missing, Self.elsewhere, .answered(status: 401, headers: [:], body: [])).isUsable)
        #expect(try !ask(Self.missing, Self.missing).isUsable)
    }

    @Test func doesNotBelieveASiteThatHasEverything() throws {
        for probe in [Self.there, .tooLarge] {
            let inquiry = try ask(probe, Self.elsewhere, Self.there)
            #expect(!inquiry.isUsable)
            guard case .faulty = inquiry.answer else {
                Issue.record("\(inquiry.answer)")
                continue
            }
        }
    }

    /// A network error says nothing about what a site has ("reject", section 5 of the document).
    @Test(arguments: silences)
    func silenceAboutWhatNobodyHasMakesNothingReliable(probe: DownloadOutcome) throws {
        for answer in [Self.there, Self.elsewhere] {
            let inquiry = try ask(probe, answer, Self.there)
            #expect(!inquiry.isUsable)
            guard case .unknown = inquiry.answer else {
                Issue.record("\(inquiry.answer)")
                continue
            }
        }
    }

    @Test(arguments: silences + [.answered(status: 503, headers: [:], body: []), missing], [302, 301])
    func targetHasToBeThere(target: DownloadOutcome, status: Int) throws {
        #expect(try !ask(Self.missing, .redirected(status: status, to: "/settings/password"), target).isUsable)
    }
}
