// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillMatching
import AutoFillRelease
import AutoFillSecrets
import Foundation
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

/// What a sign-in says about changes of passwords whose end is not known, or not known yet.
@Suite(.timeLimit(.minutes(2))) struct BrokerUpgradeSettlingTests {
    private let settings = FakeBrowser(number: 3, role: .settings)

    private func begin(_ world: FakeUpgrade) async -> Task<WireError?, Never> {
        await world.broker.connected(settings.client)
        return Task {
            do {
                _ = try await world.capabilities.upgrades.accounts.upgrade(
                    .init(service: "shiny.example.com", kind: Modification.strongPassword), on: settings.client)
                return nil
            } catch { return error as? WireError }
        }
    }

    private func signIn(_ password: String, user: String = "rmondello") throws -> SaveBook.Candidate {
        .init(
            connection: 1, tab: 1, document: "D1", origin: try #require(verified("https://shiny.example.com")),
            user: user, password: SecretBytes(utf8: password), kind: .current, oldPassword: nil, began: start)
    }

    @Test func signInWithTheOldOneDoesNotSettleAChangeThatRuns() async throws {
        let world = try await FakeUpgrade(script: FakeUpgrade.script(change: { _, _ in }))
        let running = await begin(world)
        await world.asked()
        let isTaken = try await world.capabilities.upgrades.unsettled.settleUpgrades(
            by: signIn("canary"), isKnown: true, on: settings.client)
        #expect(!isTaken)
        #expect(try await world.unsettled().count == 1)
        let id = try #require(try await world.unsettled().first?.id)
        await #expect {
            try await world.capabilities.upgrades.unsettled.settleUpgrade(
                .init(id: id, isNew: false), on: settings.client)
        } throws: {
            code($0) == .busy
        }
        await world.broker.lock(reason: "a test")
        _ = await running.value
        try await world.broker.unlock(passphrase: world.daemon.passphrase)
        #expect(try await world.unsettled().count == 1)
        // It runs no more: now the sign-in says what counts.
        _ = try await world.capabilities.upgrades.unsettled.settleUpgrades(
            by: signIn("canary"), isKnown: true, on: settings.client)
        #expect(try await world.unsettled().isEmpty)
    }

    @Test func signInWithTheNewOneIsTakenOver() async throws {
        let world = try await FakeUpgrade(script: FakeUpgrade.script(change: { provider, _ in try provider.crash() }))
        #expect(await begin(world).value != nil)
        let isTaken = try await world.capabilities.upgrades.unsettled.settleUpgrades(
            by: signIn("made-canary"), isKnown: false, on: settings.client)
        #expect(isTaken)
        #expect(world.notes("saved").last == "userInitiated rmondello made-canary")
        #expect(try await world.unsettled().isEmpty)
    }

    @Test func providerThatDoesNotTakeItOverStandsInNobodysWay() async throws {
        let world = try await FakeUpgrade(
            keeper: FakeUpgrade.keeper(refusing: "userInitiated"),
            script: FakeUpgrade.script(change: { provider, _ in try provider.crash() }))
        #expect(await begin(world).value != nil)
        let isTaken = try await world.capabilities.upgrades.unsettled.settleUpgrades(
            by: signIn("made-canary"), isKnown: false, on: settings.client)
        #expect(!isTaken)
        #expect(try await world.unsettled().count == 1)
    }

    @Test func nobodyIsAskedAboutOneWhoseTimeIsOver() async throws {
        let world = try await FakeUpgrade(script: FakeUpgrade.script(change: { provider, _ in try provider.crash() }))
        #expect(await begin(world).value != nil)
        world.daemon.pass(.seconds(UnsettledUpgrade.span))
        try await world.broker.unlock(passphrase: world.daemon.passphrase)
        #expect(try await world.unsettled().isEmpty)
        let isTaken = try await world.capabilities.upgrades.unsettled.settleUpgrades(
            by: signIn("made-canary"), isKnown: false, on: settings.client)
        #expect(!isTaken)
    }

    // MARK: What an app is told

    /// A change that an app asks for: its extension is given no password.
    private func job(_ world: FakeUpgrade) async throws -> UpgradeJob {
        let origin = try #require(Origin(written: "shiny.example.com"))
        let account = try #require(try await world.capabilities.upgrades.changes.savedAccounts(at: origin).first)
        return UpgradeJob(
            account: account.identity, keeper: account.keeper, origin: origin,
            target: try await world.capabilities.upgrades.accounts.target(for: account),
            proof: UserProof(on: .window, .confirmation, .new, in: await world.broker.epoch),
            existing: nil, isSaved: true, userInfo: nil, requester: "Shiny", renderer: settings.client,
            progress: { _ in })
    }

    @Test func appIsToldOfAChangeWhosePasswordIsPending() async throws {
        let world = try await FakeUpgrade(keeper: FakeUpgrade.keeper(refusing: "userInitiated"))
        _ = try await world.capabilities.upgrades.passwords.carryOut(job(world))
        #expect(world.notes("saved") == ["generatedPasswordFilled rmondello made-canary"])
        #expect(try await world.unsettled().count == 1)
    }

    @Test func appIsToldNothingGoodOfAPasswordThatNobodyKeeps() async throws {
        let world = try await FakeUpgrade(
            keeper: FakeUpgrade.keeper(refusingPassword: "its-canary"),
            script: FakeUpgrade.script(change: { try $0.changed($1, to: .secret(utf8: "its-canary")) }))
        await #expect { try await world.capabilities.upgrades.passwords.carryOut(job(world)) } throws: {
            code($0) == .storageFailed
        }
        #expect(world.notes("saved") == ["generatedPasswordFilled rmondello made-canary"])
    }

    @Test func formThatWasSentOffBeforeTheChangeIsForgotten() throws {
        var book = SaveBook()
        let origin = try #require(verified("https://shiny.example.com")).origin
        let old = SecretBytes(utf8: "canary")
        for (user, password, stays) in [
            ("rmondello", "canary", false), ("", "canary", false), ("anna", "canary", true),
            ("rmondello", "another", true),
        ] {
            book.keep(try signIn(password, user: user))
            book.forget(at: origin, user: "rmondello") { $0 == old }
            #expect(book.isEmpty != stays)
            book.forgetAll()
        }
    }
}
