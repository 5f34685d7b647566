// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillAssociations

@Suite struct AssociationBookTests {
    @Test func approvesWhatTheSiteNames() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        shelf.sites.set(shinyHost, apps: ["ABCDE12345.com.example.Other", shinyText])
        let declaration = try await book.declare(["webcredentials:\(shinyHost)"], for: .shiny())
        #expect(declaration.accepted.map(\.domain) == [shinyHost])
        #expect(declaration.problems.isEmpty)
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
        let standings = try await book.check(.shiny())
        #expect(standings.map(\.verdict) == [.siteApproved])
        #expect(standings.map(\.isVerified) == [true])
        #expect(try await book.verifiedAssociations(for: .shiny()).map(\.domain.host) == [shinyHost])
        #expect(try await book.association(of: .shiny(), with: shinyHost).get().app == .shiny())
        #expect(
            await book.log().map(\.text) == ["Updated app ID '\(shinyText)', domain '\(shinyHost)', SiteApproved"])
    }

    @Test("S21: what a site says of one app is nothing to another") func otherAppsAreDenied() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        shelf.sites.set(shinyHost, apps: [shinyText])
        _ = try await book.declare(["webcredentials:\(shinyHost)"], for: .shiny())
        _ = try await book.declare(["webcredentials:\(shinyHost)"], for: .other())
        await book.checkDue()
        // One file, asked for once, for both.
        #expect(shelf.sites.takeAsked() == [shinyHost])
        #expect(try await book.verifiedAssociations(for: .shiny()).count == 1)
        #expect(try await book.verifiedAssociations(for: .other()).isEmpty)
        let log = await book.log().map(\.text)
        #expect(
            log.contains {
                $0.hasPrefix("Updated app ID 'ABCDE12345.com.example.Other', domain '\(shinyHost)', SiteDenied: ")
            })
    }

    @Test("S23: an app that nobody has stated is associated with nothing") func unknownAppsHaveNothing() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
        #expect(try await book.association(of: .shiny(), with: shinyHost) == .failure(.notStated))
        #expect(try await book.check(.shiny()).isEmpty)
    }

    @Test func onlyCredentialsConcernUs() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        let declaration = try await book.declare(
            ["applinks:\(shinyHost)", "activitycontinuation:\(shinyHost)", "authsrv:\(shinyHost)"], for: .shiny())
        #expect(declaration.accepted.isEmpty)
        #expect(declaration.problems.isEmpty)
        await book.checkDue()
        #expect(shelf.sites.asked.isEmpty)
        #expect(await book.standings().isEmpty)
    }

    @Test func saysWhatIsWrongWithAnEntry() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        let declaration = try await book.declare(
            ["webcredentials:https://\(shinyHost)/", "webcredentials:*.github.io", "webcredentials:\(shinyHost)"],
            for: .shiny())
        #expect(declaration.accepted.map(\.domain) == [shinyHost])
        #expect(declaration.problems.count == 2)
        #expect(declaration.problems.first?.contains("path") ?? false)
        #expect(await book.log().count == 2)
    }

    @Test("S10: a wildcard that names strangers is refused by hand too") func refusesPublicSuffixes() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        await #expect(throws: AssociatedDomain.EntryRefusal.publicSuffix) {
            try await book.add(AssociatedDomain(written: "*.co.uk"), to: .shiny())
        }
        #expect(await book.standings().isEmpty)
    }

    @Test func boundsTheNumberOfDomains() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        let entries = (0..<150).map { "webcredentials:h\($0).example.com" }
        let declaration = try await book.declare(entries, for: .shiny())
        #expect(declaration.accepted.count == 100)
        #expect(declaration.problems.count == 2)
        let few = try await book.declare(Array(entries.prefix(30)), for: .shiny())
        #expect(few.problems.isEmpty)
        let many = try await book.declare(Array(entries.prefix(31)), for: .shiny())
        #expect(many.accepted.count == 31)
        #expect(many.problems.count == 1)
    }

    @Test("S23: what an app no longer states is associated no more") func forgetsWhatIsNotStated() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        shelf.sites.set(shinyHost, apps: [shinyText])
        _ = try await book.declare(["webcredentials:\(shinyHost)"], for: .shiny())
        await book.checkDue()
        #expect(try await book.verifiedAssociations(for: .shiny()).count == 1)
        _ = try await book.declare(["webcredentials:else.example.com"], for: .shiny())
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
        _ = try await book.declare([], for: .shiny())
        #expect(await book.standings().isEmpty)
    }

    @Test func anAppThatStatesTheSameAgainLosesNothing() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        shelf.sites.set(shinyHost, apps: [shinyText])
        _ = try await book.declare(["webcredentials:\(shinyHost)"], for: .shiny())
        await book.checkDue()
        _ = shelf.sites.takeAsked()
        shelf.sites.pass(seconds: 3_600)
        _ = try await book.declare(["webcredentials:\(shinyHost)"], for: .shiny())
        #expect(try await book.check(.shiny()).map(\.verdict) == [.siteApproved])
        #expect(shelf.sites.takeAsked() == [])
    }

    @Test func theUserAddsAndTheSiteDecides() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        shelf.sites.deny(shinyHost)
        try await book.add(AssociatedDomain(written: shinyHost), to: .shiny())
        let report = await book.check(host: shinyHost)
        #expect(
            report.lines == [
                "Request for 'https://\(shinyHost)/.well-known/apple-app-site-association' denied: 404 Not Found",
                "Updated app ID '\(shinyText)', domain '\(shinyHost)', SiteDenied: 404 Not Found",
            ])
        #expect(report.standings.map(\.isStatedByApp) == [false])
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
        // What the user added stays when the app states something else.
        _ = try await book.declare([], for: .shiny())
        #expect(await book.standings().count == 1)
    }

    @Test("S23: what the user took away stays away until the user brings it back") func removalsStay() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        shelf.sites.set(shinyHost, apps: [shinyText])
        _ = try await book.declare(["webcredentials:\(shinyHost)"], for: .shiny())
        await book.checkDue()
        #expect(try await book.remove(AssociatedDomain(written: shinyHost), from: .shiny()) == 1)
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
        _ = shelf.sites.takeAsked()
        _ = try await book.declare(["webcredentials:\(shinyHost)"], for: .shiny())
        #expect(try await book.check(.shiny()).map(\.verdict) == [.removed])
        #expect(shelf.sites.takeAsked() == [])
        // Gone from the entitlement and back again changes nothing either.
        _ = try await book.declare([], for: .shiny())
        _ = try await book.declare(["webcredentials:\(shinyHost)"], for: .shiny())
        #expect(try await book.check(.shiny()).map(\.verdict) == [.removed])
        try await book.add(AssociatedDomain(written: shinyHost), to: .shiny())
        _ = await book.check(host: shinyHost)
        #expect(try await book.verifiedAssociations(for: .shiny()).count == 1)
    }

    @Test func removesAllOfAnApp() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        try await book.add(AssociatedDomain(written: "a.example.com"), to: .shiny())
        try await book.add(AssociatedDomain(written: "b.example.com"), to: .shiny())
        try await book.add(AssociatedDomain(written: "c.example.com"), to: .other())
        #expect(try await book.remove(nil, from: .shiny()) == 2)
        #expect(try await book.remove(nil, from: .shiny()) == 0)
        #expect(await book.standings().map(\.association.domain.host) == ["c.example.com"])
    }

    // MARK: Modes

    @Test("S21: developer mode needs the user and a debug build") func developerModeNeedsBoth() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        let entry = "webcredentials:\(shinyHost)?mode=developer"
        shelf.sites.set(shinyHost, apps: [shinyText])
        _ = try await book.declare([entry], for: .shiny(), isDebugBuild: true)
        #expect(try await book.check(.shiny()).map(\.verdict) == [.modeNotAllowed(.developer)])
        try await book.setDeveloperMode(true)
        _ = try await book.declare([entry], for: .shiny(), isDebugBuild: false)
        #expect(try await book.check(.shiny()).map(\.verdict) == [.modeNotAllowed(.developer)])
        #expect(shelf.sites.asked.isEmpty)
        _ = try await book.declare([entry], for: .shiny(), isDebugBuild: true)
        #expect(try await book.check(.shiny()).map(\.verdict) == [.siteApproved])
        #expect(shelf.sites.asked == [AssociationQuestion(host: shinyHost, mode: .developer)])
        #expect(try await book.verifiedAssociations(for: .shiny()).count == 1)
        // Turned off, it counts no more, and what was said meanwhile is forgotten.
        try await book.setDeveloperMode(false)
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
        shelf.sites.fail(shinyHost)
        try await book.setDeveloperMode(true)
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
    }

    @Test("S21: managed mode needs the administrator") func managedModeNeedsTheAdministrator() async throws {
        let shelf = try BookShelf()
        let entry = "webcredentials:\(shinyHost)?mode=managed"
        shelf.sites.set(shinyHost, apps: [shinyText])
        let book = try shelf.book()
        _ = try await book.declare([entry], for: .shiny())
        #expect(try await book.check(.shiny()).map(\.verdict) == [.modeNotAllowed(.managed)])
        #expect(shelf.sites.asked.isEmpty)
        let managed = try shelf.book(
            administration: AssociationAdministration(directDownloads: [.shiny(): [shinyHost]]))
        _ = try await managed.declare([entry], for: .shiny())
        #expect(try await managed.check(.shiny()).map(\.verdict) == [.siteApproved])
        #expect(shelf.sites.asked == [AssociationQuestion(host: shinyHost, mode: .managed)])
    }

    @Test("S21: developer+managed needs everything") func bothModesNeedEverything() async throws {
        let shelf = try BookShelf()
        let entry = "webcredentials:\(shinyHost)?mode=developer+managed"
        let book = try shelf.book(
            administration: AssociationAdministration(directDownloads: [.shiny(): [shinyHost]]))
        _ = try await book.declare([entry], for: .shiny(), isDebugBuild: true)
        #expect(await book.standings().map(\.verdict) == [.modeNotAllowed(.developer)])
        try await book.setDeveloperMode(true)
        #expect(await book.standings().map(\.verdict) == [.pending])
        let other = try shelf.book()
        #expect(await other.standings().map(\.verdict) == [.modeNotAllowed(.managed)])
    }

    @Test func entriesWithAModeAskTheSiteItself() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        try await book.setDeveloperMode(true)
        let network = try #require(AssociationSource("https://cdn.example.com/"))
        try await book.setSource(network)
        _ = try await book.declare(
            ["webcredentials:a.example.com", "webcredentials:b.example.com?mode=developer"], for: .shiny(),
            isDebugBuild: true)
        await book.checkDue()
        #expect(
            Set(shelf.sites.asked) == [
                AssociationQuestion(host: "a.example.com", source: .network(base: "https://cdn.example.com")),
                AssociationQuestion(host: "b.example.com", mode: .developer),
            ])
    }

    @Test("S23: what another source said counts for nothing") func anotherSourceStartsAnew() async throws {
        let shelf = try BookShelf()
        let book = try shelf.book()
        shelf.sites.set(shinyHost, apps: [shinyText])
        _ = try await book.declare(["webcredentials:\(shinyHost)"], for: .shiny())
        await book.checkDue()
        #expect(try await book.verifiedAssociations(for: .shiny()).count == 1)
        try await book.setSource(try #require(AssociationSource("https://cdn.example.com")))
        #expect(try await book.verifiedAssociations(for: .shiny()).isEmpty)
    }

    @Test(arguments: [
        "", "cdn.example.com", "http://cdn.example.com", "https://", "https:///x", "https://cdn.example.com/?a",
        "https://cdn.example.com#x", "https://me@cdn.example.com", "https://cdn.example.com/a b",
        "ftp://cdn.example.com",
        "https://exämple.com", "Direct",
    ])
    func refusesSourcesThatAreNone(text: String) {
        #expect(AssociationSource(text) == nil)
    }
}
