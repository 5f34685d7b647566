// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

extension CredentialIdentity {
    fileprivate static let before = CredentialIdentity(
        type: .password, service: ServiceIdentifier(written: "shiny.example.com"), user: "before",
        recordIdentifier: "r0")
}

/// What the user has agreed to have changed, as a value.
@Suite struct UpgradePlansTests {
    private var plans = UpgradePlans()
    private let proof = UserProof(on: .terminal, .nothing, .recent, in: .init(0))

    private mutating func keep(_ users: String..., for connection: Int = 1) {
        plans.keep(users.map { ("a.example", $0) }, .strongPassword, proof, for: connection, at: start)
    }

    @Test mutating func eachIsGoodOnce() {
        keep("anna", "ben")
        #expect(plans.take("a.example", "anna", for: 1, at: start) != nil)
        #expect(plans.take("a.example", "anna", for: 1, at: start) == nil)
        #expect(plans.holds("a.example", "ben", for: 1, at: start))
    }

    @Test mutating func othersAreNot() {
        keep("anna")
        #expect(!plans.holds("a.example", "anna", for: 2, at: start))
        #expect(plans.take("a.example", "carl", for: 1, at: start) == nil)
        #expect(plans.take("b.example", "anna", for: 1, at: start) == nil)
        #expect(plans.take("A.example", "anna", for: 1, at: start) == nil)
    }

    @Test mutating func anotherKindIsNot() {
        keep("anna")
        #expect(!plans.holds("a.example", "anna", .signInWithApple, for: 1, at: start))
        #expect(plans.take("a.example", "anna", .signInWithApple, for: 1, at: start) == nil)
        plans.keep([("a.example", "anna")], .signInWithApple, proof, for: 1, at: start)
        #expect(plans.take("a.example", "anna", for: 1, at: start) == nil)
        #expect(plans.take("a.example", "anna", .signInWithApple, for: 1, at: start) != nil)
    }

    @Test mutating func endsWithItsTime() {
        keep("anna")
        #expect(!plans.holds("a.example", "anna", for: 1, at: start + UpgradePlans.span))
        #expect(plans.take("a.example", "anna", for: 1, at: start + UpgradePlans.span) == nil)
    }

    @Test mutating func nextOneTakesItsPlaceAndConnectionsEnd() {
        keep("anna")
        keep("ben")
        keep("anna", for: 2)
        #expect(!plans.holds("a.example", "anna", for: 1, at: start))
        plans.forget(connection: 1)
        #expect(!plans.holds("a.example", "ben", for: 1, at: start))
        #expect(plans.holds("a.example", "anna", for: 2, at: start))
        plans.forgetAll()
        #expect(!plans.holds("a.example", "anna", for: 2, at: start))
    }
}

/// Many accounts by one act of the user's.
@Suite(.timeLimit(.minutes(2))) struct BrokerUpgradePlansTests {
    private let settings = FakeBrowser(number: 3, role: .settings)
    private let browser = FakeBrowser(number: 1)

    private func world() async throws -> FakeUpgrade {
        let world = try await FakeUpgrade(identities: [.before, .shiny])
        await world.broker.connected(settings.client)
        await world.broker.connected(browser.client)
        _ = try await world.capabilities.upgrades.accounts.upgrades(.init(service: "shiny.example.com"))
        return world
    }

    private func run(_ world: FakeUpgrade, _ user: String?, service: String = "shiny.example.com") async throws {
        _ = try await world.capabilities.upgrades.accounts.upgrade(
            .init(service: service, user: user), on: settings.client)
    }

    private func failure(
        _ world: FakeUpgrade, _ user: String?, service: String = "shiny.example.com",
        kind: String = Modification.strongPassword
    ) async -> WireError.Code? {
        do {
            _ = try await world.capabilities.upgrades.accounts.upgradeAsPlanned(
                .init(service: service, user: user, kind: kind), on: browser.client)
            return nil
        } catch {
            return (error as? WireError)?.code
        }
    }

    /// Plans over the browser, and answers the question.
    private func plan(_ world: FakeUpgrade, _ user: String? = nil, accept: Bool = true) async throws -> [String] {
        let planning = Task {
            try await world.capabilities.upgrades.accounts.planUpgrades(
                .init(service: user.map { _ in "shiny.example.com" }, user: user), on: browser.client
            ).accounts.map(\.user)
        }
        let prompt = await browser.prompt()
        let shown = try #require(await world.capabilities.shared.questions.desk.show(prompt, on: 1))
        #expect(shown.kind == "upgrade")
        if let user {
            #expect(shown.user?.text == user && shown.site == "https://shiny.example.com")
        } else {
            #expect(shown.reasons == ["rmondello at shiny.example.com", "before at shiny.example.com"])
        }
        try await world.capabilities.shared.questions.desk.answer(
            .init(prompt: prompt, accept: accept, passphrase: WireSecret(world.daemon.passphrase)), on: 1)
        return try await planning.value
    }

    @Test func thoseWithRecommendationsComeFirst() async throws {
        let world = try await world()
        let plain = try await world.capabilities.upgrades.accounts.rankedUpgrades(.init()).accounts
        #expect(plain.allSatisfy { $0.reason == nil })
        let ranked = try await world.capabilities.upgrades.accounts.rankedUpgrades(.init(ranked: true)).accounts
        #expect(ranked.map(\.user) == ["rmondello", "before"])
        #expect(ranked.map(\.reason) == ["It is weak.", nil])
    }

    @Test func oneAuthenticationIsEnoughForAll() async throws {
        let world = try await world()
        _ = try await world.broker.setPreferences(.init(authentication: "always"))
        world.daemon.pass(.seconds(60))
        await #expect {
            try await world.capabilities.upgrades.accounts.planUpgrades(.init(), on: settings.client)
        } throws: {
            code($0) == .authenticationRequired
        }
        try await world.broker.authenticate(passphrase: world.daemon.passphrase, for: nil, on: 0)
        let planned = try await world.capabilities.upgrades.accounts.planUpgrades(.init(), on: settings.client).accounts
        #expect(planned.map(\.user) == ["rmondello", "before"])
        world.daemon.pass(.seconds(600))
        try await run(world, "rmondello")
        try await run(world, "before")
        #expect(world.notes("asked").count == 2)
        // Each of them once.
        await #expect {
            try await run(world, "before")
        } throws: {
            code($0) == .authenticationRequired
        }
    }

    @Test func planIsForItsConnectionAndEndsWithALock() async throws {
        let world = try await world()
        _ = try await world.broker.setPreferences(.init(authentication: "always"))
        try await world.broker.authenticate(passphrase: world.daemon.passphrase, for: nil, on: 0)
        _ = try await world.capabilities.upgrades.accounts.planUpgrades(.init(), on: settings.client)
        #expect(await failure(world, "rmondello") == .notPermitted)
        await world.broker.lock(reason: "a test")
        try await world.broker.unlock(passphrase: world.daemon.passphrase)
        world.daemon.pass(.seconds(60))
        await #expect {
            try await run(world, "rmondello")
        } throws: {
            code($0) == .authenticationRequired
        }
        #expect(world.notes("asked").isEmpty)
    }

    // MARK: Browsers

    @Test func browserMayChangeNothingThatTheUserHasNotAgreedTo() async throws {
        let world = try await world()
        #expect(await failure(world, "rmondello") == .notPermitted)
        #expect(await failure(world, nil) == .notPermitted)
        #expect(await failure(world, "rmondello", service: "not a host") == .invalidParams)
        #expect(try await plan(world, "rmondello") == ["rmondello"])
        #expect(await failure(world, "before") == .notPermitted)
        #expect(await failure(world, nil) == .notPermitted)
        #expect(await failure(world, "rmondello", kind: Modification.signInWithApple) == .notPermitted)
        #expect(world.notes("asked").isEmpty)
        #expect(await failure(world, "rmondello") == nil)
        #expect(await failure(world, "rmondello") == .notPermitted)
        #expect(world.notes("asked").count == 1)
    }

    @Test func browserIsAskedForThePassphraseHoweverRecentlyItWasGiven() async throws {
        let world = try await world()
        try await world.broker.authenticate(passphrase: world.daemon.passphrase)
        #expect(try await plan(world) == ["rmondello", "before"])
        #expect(await failure(world, "before") == nil)
        #expect(try await world.lines().last { $0.event == "updated" }?.act == "window")
    }

    @Test func noIsANo() async throws {
        let world = try await world()
        await #expect {
            try await plan(world, accept: false)
        } throws: {
            code($0) == .userCanceled
        }
        #expect(await failure(world, "rmondello") == .notPermitted)
        #expect(world.notes("asked").isEmpty)
    }

    @Test func nobodyIsAskedAboutNothing() async throws {
        let world = try await world()
        let other = try await world.capabilities.upgrades.accounts.planUpgrades(
            .init(service: "other.example"), on: browser.client)
        #expect(other.accounts.isEmpty)
        let nobody = try await world.capabilities.upgrades.accounts.planUpgrades(
            .init(service: "shiny.example.com", user: "nobody"), on: browser.client)
        #expect(nobody.accounts.isEmpty)
    }

    @Test func browsersSeeNothingOfWhatIsUnsettled() async throws {
        let world = try await FakeUpgrade(script: FakeUpgrade.script(change: { provider, _ in try provider.crash() }))
        await world.broker.connected(settings.client)
        await #expect(throws: WireError.self) { try await run(world, "rmondello") }
        #expect(try await world.unsettled().count == 1)
        #expect(
            try await world.capabilities.upgrades.accounts.upgradesForBrowser(.init(service: "shiny.example.com"))
                .unsettled
                .isEmpty)
    }

    @Test func refusesWhileLocked() async throws {
        let world = try await world()
        await world.broker.lock(reason: "a test")
        for client in [settings.client, browser.client] {
            await #expect {
                try await world.capabilities.upgrades.accounts.planUpgrades(.init(), on: client)
            } throws: {
                code($0) == .locked
            }
        }
        #expect(await failure(world, "rmondello") == .locked)
    }
}
