// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillMatching
import Testing

@testable import AutoFillAssociations

@Suite struct AssociationStateTests {
    private static let start: Int64 = 1_790_000_000
    private static let denial = AssociationDenial(reason: "404 Not Found")
    private static let trouble = AssociationTrouble(reason: "503 Service Unavailable")

    private func association() throws -> UnverifiedAssociation {
        UnverifiedAssociation(app: try .shiny(), domain: try AssociatedDomain(written: shinyHost))
    }

    private func isVerified(_ state: AssociationState, at now: Int64) throws -> Bool {
        (try? AssociationVerifier.verify(association(), state, now: now).get()) != nil
    }

    @Test("S23: nothing is associated before the site has said so") func startsPending() throws {
        let state = AssociationState(declared: Self.start)
        #expect(state.isDue(at: Self.start))
        #expect(state.verdict == .pending)
        #expect(try !isVerified(state, at: Self.start))
    }

    @Test func aYesCountsAtOnceAndIsAskedAgainAfterAWeek() throws {
        var state = AssociationState(declared: Self.start)
        state.take(.approved, host: shinyHost, at: Self.start)
        #expect(state.verdict == .siteApproved)
        #expect(try isVerified(state, at: Self.start))
        #expect(!state.isDue(at: Self.start + 7 * day - 1))
        #expect(state.isDue(at: Self.start + 7 * day + 12 * 3_600))
    }

    @Test func checksAreSpread() {
        let spans = Set(
            (0..<50).map { number in
                var state = AssociationState(declared: Self.start)
                state.take(.approved, host: "h\(number).example.com", at: Self.start)
                return state.next - Self.start
            })
        #expect(spans.count > 40)
        #expect(spans.allSatisfy { (7 * day..<7 * day + 12 * 3_600).contains($0) })
    }

    @Test("S23: a no counts at once") func aNoCountsAtOnce() throws {
        var state = AssociationState(declared: Self.start)
        state.take(.approved, host: shinyHost, at: Self.start)
        state.take(.denied(Self.denial), host: shinyHost, at: Self.start + 60)
        #expect(state.verdict == .siteDenied(Self.denial))
        #expect(try !isVerified(state, at: Self.start + 60))
        #expect(!state.isDue(at: Self.start + 7 * day))
    }

    @Test func aFailureIsTriedAgainEveryThreeHoursEightTimes() throws {
        var state = AssociationState(declared: Self.start)
        var now = Self.start
        for failure in 1...8 {
            state.take(.trouble(Self.trouble), host: shinyHost, at: now)
            #expect(
                state.verdict
                    == .retrying(Self.trouble, failures: failure, next: now + 3 * 3_600, isApproved: false))
            #expect(!state.isDue(at: now + 3 * 3_600 - 1))
            now += 3 * 3_600
            #expect(state.isDue(at: now))
        }
        state.take(.trouble(Self.trouble), host: shinyHost, at: now)
        #expect(state.verdict == .unreachable(Self.trouble))
        #expect(!state.isDue(at: now + 7 * day - 1))
        #expect(state.isDue(at: now + 8 * day))
        #expect(try !isVerified(state, at: now))
    }

    @Test func recoveryAfterFailuresApproves() throws {
        var state = AssociationState(declared: Self.start)
        for step in 0..<5 { state.take(.trouble(Self.trouble), host: shinyHost, at: Self.start + Int64(step) * 10_800) }
        state.take(.approved, host: shinyHost, at: Self.start + 5 * 10_800)
        #expect(state.verdict == .siteApproved)
        #expect(state.failures == 0)
    }

    @Test func anEarlierYesCountsUntilTheTriesAreUsedUp() throws {
        var state = AssociationState(declared: Self.start)
        state.take(.approved, host: shinyHost, at: Self.start)
        var now = state.next
        for _ in 1...8 {
            state.take(.trouble(Self.trouble), host: shinyHost, at: now)
            #expect(try isVerified(state, at: now))
            now = state.next
        }
        state.take(.trouble(Self.trouble), host: shinyHost, at: now)
        #expect(try !isVerified(state, at: now))
        #expect(state.verdict == .unreachable(Self.trouble))
    }

    @Test func askingOutOfTurnUsesUpNoTry() throws {
        var state = AssociationState(declared: Self.start)
        state.take(.approved, host: shinyHost, at: Self.start)
        for second in 1...100 { state.take(.trouble(Self.trouble), host: shinyHost, at: Self.start + Int64(second)) }
        #expect(state.failures == 0)
        #expect(state.verdict == .siteApproved)
        #expect(try isVerified(state, at: Self.start + 100))
    }

    @Test("S23: an approval ends when nobody could confirm it for thirty days") func approvalsEnd() throws {
        var state = AssociationState(declared: Self.start)
        state.take(.approved, host: shinyHost, at: Self.start)
        #expect(try isVerified(state, at: Self.start + 30 * day))
        #expect(try !isVerified(state, at: Self.start + 30 * day + 1))
        #expect(
            try AssociationVerifier.verify(association(), state, now: Self.start + 31 * day)
                == .failure(.approvalTooOld))
    }

    @Test("S23: an approval from the future counts for nothing") func approvalsFromTheFuture() throws {
        var state = AssociationState(declared: Self.start)
        state.take(.approved, host: shinyHost, at: Self.start + 365 * day)
        #expect(try !isVerified(state, at: Self.start))
        // And what a wrong clock has put off is due.
        #expect(state.isDue(at: Self.start))
    }

    @Test("S21: an entry of another service associates nobody") func otherServicesAssociateNobody() throws {
        var state = AssociationState(declared: Self.start)
        state.take(.approved, host: shinyHost, at: Self.start)
        let links = UnverifiedAssociation(
            app: try .shiny(), domain: try AssociatedDomain(entry: "applinks:shiny.example.com"))
        #expect(AssociationVerifier.verify(links, state, now: Self.start) == .failure(.otherService))
    }

    @Test(
        "S14, S15: an association covers https on its port",
        arguments: [
            ("https://shiny.example.com", true), ("http://shiny.example.com", false),
            ("https://shiny.example.com:8443", false), ("https://www.shiny.example.com", false),
            ("https://example.com", false),
        ])
    func coversOrigins(url: String, isCovered: Bool) throws {
        var state = AssociationState(declared: Self.start)
        state.take(.approved, host: shinyHost, at: Self.start)
        let verified = try AssociationVerifier.verify(association(), state, now: Self.start).get()
        #expect(verified.covers(try #require(Origin(url: url))) == isCovered)
    }

    @Test("S21: an app is named letter for letter") func comparesLetterForLetter() throws {
        func finding(_ apps: [String]) throws -> AssociationFinding {
            AssociationAnswer(requests: [], finding: .apps(apps)).finding(for: try .shiny())
        }
        #expect(try finding([shinyText]) == .approved)
        #expect(try finding(["x", shinyText]) == .approved)
        for other in [
            "e5336vm85f.com.example.shiny", "E5336VM85F.com.example.Shiny ", "E5336VM85F.com.example.Shiny2",
            "E5336VM85F.com.example.*", "*", "com.example.Shiny", "E5336VM85F.com.example.Shin\u{FF59}", "",
        ] {
            #expect(try finding([other]) != .approved, "\(other)")
        }
        #expect(try finding([]) != .approved)
    }
}
