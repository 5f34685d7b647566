// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillAssociations

@Suite struct AssociationCheckingTests {
    private func stated(_ hosts: String...) async throws -> (BookShelf, AssociationBook) {
        let shelf = try BookShelf()
        let book = try shelf.book()
        for host in hosts { shelf.sites.set(host, apps: [shinyText]) }
        _ = try await book.declare(hosts.map { "webcredentials:" + $0 }, for: .shiny())
        return (shelf, book)
    }

    @Test func asksAgainAfterAWeekAndNotBefore() async throws {
        let (shelf, book) = try await stated(shinyHost)
        await book.checkDue()
        #expect(shelf.sites.takeAsked() == [shinyHost])
        shelf.sites.pass(seconds: 7 * day - 1)
        await book.checkDue()
        #expect(shelf.sites.takeAsked() == [])
        shelf.sites.pass(seconds: 12 * 3_600)
        await book.checkDue()
        #expect(shelf.sites.takeAsked() == [shinyHost])
        #expect(await book.nextCheck ?? 0 >= shelf.sites.now + 7 * day)
    }

    @Test("S23: a site that withdraws loses the app at the next check") func withdrawalsCount() async throws {
        let (shelf, book) = try await stated(shinyHost)
        await book.checkDue()
        shelf.sites.set(shinyHost, apps: ["ABCDE12345.com.example.Other"])
        shelf.sites.pass(seconds: 8 * day)
        #expect(try await book.verifiedAssociations(for: .shiny()).count == 1)
        await book.checkDue()
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
        #expect(await book.log().last?.text.contains("SiteDenied") ?? false)
    }

    @Test func aSiteThatIsDownIsTriedAgainAndComesBack() async throws {
        let (shelf, book) = try await stated(shinyHost)
        shelf.sites.fail(shinyHost)
        for failure in 1...5 {
            await book.checkDue()
            #expect(shelf.sites.takeAsked() == [shinyHost])
            #expect(await book.nextCheck == shelf.sites.now + 3 * 3_600)
            guard case .retrying(_, failure, _, false)? = await book.standings().first?.verdict else {
                Issue.record("failure \(failure)")
                return
            }
            await book.checkDue()
            #expect(shelf.sites.takeAsked() == [])
            shelf.sites.pass(seconds: 3 * 3_600)
        }
        shelf.sites.set(shinyHost, apps: [shinyText])
        await book.checkDue()
        #expect(try await book.verifiedAssociations(for: .shiny()).count == 1)
    }

    @Test func aSiteThatStaysDownIsLeftAloneForAWeek() async throws {
        let (shelf, book) = try await stated(shinyHost)
        shelf.sites.fail(shinyHost)
        for _ in 0..<9 {
            await book.checkDue()
            shelf.sites.pass(seconds: 3 * 3_600)
        }
        #expect(shelf.sites.takeAsked().count == 9)
        for _ in 0..<20 {
            await book.checkDue()
            shelf.sites.pass(seconds: 3 * 3_600)
        }
        #expect(shelf.sites.takeAsked() == [])
        shelf.sites.pass(seconds: 6 * day)
        await book.checkDue()
        #expect(shelf.sites.takeAsked() == [shinyHost])
    }

    @Test func anEarlierYesOutlivesAnOutage() async throws {
        let (shelf, book) = try await stated(shinyHost)
        await book.checkDue()
        shelf.sites.pass(seconds: 8 * day)
        shelf.sites.fail(shinyHost)
        await book.checkDue()
        #expect(try await book.verifiedAssociations(for: .shiny()).count == 1)
        #expect(await book.log().last?.text.contains("the earlier approval counts meanwhile") ?? false)
    }

    @Test func aLaunchAsksThoseThatAreNotApproved() async throws {
        let (shelf, book) = try await stated("a.example.com", "b.example.com", "c.example.com")
        shelf.sites.deny("b.example.com")
        shelf.sites.fail("c.example.com")
        _ = try await book.check(.shiny())
        #expect(shelf.sites.takeAsked() == ["a.example.com", "b.example.com", "c.example.com"])
        _ = try await book.check(.shiny())
        #expect(shelf.sites.takeAsked() == [])
        shelf.sites.pass(seconds: 600)
        _ = try await book.check(.shiny())
        #expect(shelf.sites.takeAsked() == ["b.example.com", "c.example.com"])
    }

    @Test func hostAndWildcardShareOneFile() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        shelf.sites.set("example.com", apps: [shinyText])
        _ = try await book.declare(["webcredentials:example.com", "webcredentials:*.example.com"], for: .shiny())
        await book.checkDue()
        #expect(shelf.sites.takeAsked() == ["example.com"])
        #expect(try await book.association(of: .shiny(), with: "example.com").get().domain.isWildcard == false)
        #expect(try await book.association(of: .shiny(), with: "a.b.example.com").get().domain.isWildcard)
    }

    @Test("S23: a parent's file says nothing of a host that is stated itself") func parentsDoNotAnswer() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        shelf.sites.set("example.com", apps: [shinyText])
        shelf.sites.deny("www.example.com")
        _ = try await book.declare(["webcredentials:example.com", "webcredentials:www.example.com"], for: .shiny())
        await book.checkDue()
        #expect((try? await book.association(of: .shiny(), with: "example.com").get()) != nil)
        #expect((try? await book.association(of: .shiny(), with: "www.example.com").get()) == nil)
    }

    @Test("S23: a wildcard's file does not associate its parent") func wildcardsDoNotCoverTheParent() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        shelf.sites.set("example.com", apps: [shinyText])
        _ = try await book.declare(["webcredentials:*.example.com"], for: .shiny())
        await book.checkDue()
        #expect(try await book.association(of: .shiny(), with: "example.com") == .failure(.notStated))
        #expect((try? await book.association(of: .shiny(), with: "www.example.com").get()) != nil)
    }

    @Test func asksAHostThatNobodyStates() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        shelf.sites.set(shinyHost, apps: [shinyText])
        let report = await book.check(host: shinyHost)
        #expect(report.answers.map(\.finding) == [.apps([shinyText])])
        #expect(report.standings.isEmpty)
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
    }

    @Test func asksOnceWhereTwoWantToKnow() async throws {
        let (shelf, book) = try await stated(shinyHost)
        shelf.sites.hold()
        async let first: Void = book.checkDue()
        async let second = book.check(host: shinyHost)
        while shelf.sites.waiterCount == 0 { await Task.yield() }
        shelf.sites.release()
        _ = await (first, second)
        #expect(shelf.sites.asked.count <= 2)
        #expect(try await book.verifiedAssociations(for: .shiny()).count == 1)
    }

    @Test func asksFourSitesAtOnceAtMost() async throws {
        let hosts = (0..<20).map { "h\($0).example.com" }
        let shelf = try BookShelf()
        let book = try shelf.book()
        for host in hosts { shelf.sites.set(host, apps: [shinyText]) }
        _ = try await book.declare(hosts.map { "webcredentials:" + $0 }, for: .shiny())
        shelf.sites.hold()
        async let done: Void = book.checkDue()
        while shelf.sites.waiterCount < 4 { await Task.yield() }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(shelf.sites.waiterCount == 4)
        shelf.sites.release()
        await done
        #expect(try await book.verifiedAssociations(for: .shiny()).count == 20)
    }

    @Test("S27: once closed, nothing is verified, noted or written") func closedBooksSayNothing() async throws {
        let (shelf, book) = try await stated(shinyHost)
        shelf.sites.hold()
        async let checking: Void = book.checkDue()
        while shelf.sites.waiterCount == 0 { await Task.yield() }
        await book.close()
        shelf.sites.release()
        await checking
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
        await #expect(throws: (any Error).self) {
            try await book.declare(["webcredentials:\(shinyHost)"], for: .shiny())
        }
        let again = try shelf.book()
        #expect(await again.standings().map(\.verdict) == [.pending])
    }

    @Test func aBrokenClockStopsNothing() async throws {
        let (shelf, book) = try await stated(shinyHost)
        shelf.sites.pass(seconds: 3_650 * day)
        await book.checkDue()
        _ = shelf.sites.takeAsked()
        shelf.sites.pass(seconds: -3_650 * day)
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
        await book.checkDue()
        #expect(shelf.sites.takeAsked() == [shinyHost])
        #expect(try await book.verifiedAssociations(for: .shiny()).count == 1)
    }
}
