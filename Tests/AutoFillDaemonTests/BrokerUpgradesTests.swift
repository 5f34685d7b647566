// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import Foundation
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

/// Changes of passwords by an app's extension, whole.
@Suite(.timeLimit(.minutes(2))) struct BrokerUpgradesTests {
    private let settings = FakeBrowser(number: 3, role: .settings)

    private func upgrade(
        _ world: FakeUpgrade, service: String = "shiny.example.com", user: String? = nil,
        kind: String = Modification.strongPassword
    ) async throws -> Upgrades.Run.Answer {
        await world.broker.connected(settings.client)
        return try await world.capabilities.upgrades.accounts.upgrade(
            .init(service: service, user: user, kind: kind), on: settings.client)
    }

    private func failure(_ world: FakeUpgrade, service: String = "shiny.example.com", user: String? = nil) async
        -> WireError?
    {
        do {
            _ = try await upgrade(world, service: service, user: user)
            return nil
        } catch {
            return error as? WireError
        }
    }

    @Test func changesAPasswordAndSavesIt() async throws {
        let world = try await FakeUpgrade()
        let answer = try await upgrade(world, user: "rmondello")
        #expect(
            answer
                == .init(service: "shiny.example.com", user: "rmondello", provider: "Passwords", extension: "Shiny"))
        #expect(world.notes("rules") == ["minlength: 12"])
        #expect(
            world.notes("asked") == ["provider.changePassword shiny.example.com rmondello canary made-canary"])
        // The provider had acknowledged the new one when the extension was asked.
        #expect(world.daemon.notes.values("before") == [["generatedPasswordFilled rmondello made-canary"]])
        #expect(
            world.notes("saved") == [
                "generatedPasswordFilled rmondello made-canary", "userInitiated rmondello made-canary",
            ])
        #expect(try await world.unsettled().isEmpty)
        let lines = try await world.lines()
        #expect(lines.map(\.event) == ["released", "released", "updated"])
        #expect(lines.allSatisfy { $0.requester == "\(FakeUpgrade.identifier) of \(FakeApp.identifier)" })
        #expect(lines.map(\.purpose) == ["to be changed", "a generated password, to change to", nil])
    }

    @Test func substituteOfTheExtensionIsKeptAndSaved() async throws {
        let world = try await FakeUpgrade(
            script: FakeUpgrade.script(change: { try $0.changed($1, to: .secret(utf8: "its-canary")) }))
        _ = try await upgrade(world)
        #expect(
            world.notes("saved") == [
                "generatedPasswordFilled rmondello made-canary", "generatedPasswordFilled rmondello its-canary",
                "userInitiated rmondello its-canary",
            ])
        // What was proposed may be the service's all the same: only the extension says that it is not.
        #expect(world.notes("removed").isEmpty)
        #expect(try await world.unsettled().isEmpty)
    }

    @Test func changeToWhatItWasIsNone() async throws {
        let world = try await FakeUpgrade(
            script: FakeUpgrade.script(change: { try $0.changed($1, to: $1["password"]) }))
        #expect(await failure(world)?.code == .providerUnavailable)
        #expect(world.notes("saved") == ["generatedPasswordFilled rmondello made-canary"])
        #expect(try await world.unsettled().count == 1)
    }

    @Test func accountThatIsCalledOtherwiseNowStaysOneAccount() async throws {
        let world = try await FakeUpgrade(
            script: FakeUpgrade.script(change: { try $0.changed($1, user: "RMondello") }))
        let answer = try await upgrade(world)
        #expect(answer.user == "rmondello")
        #expect(world.notes("saved").last == "userInitiated rmondello made-canary")
        #expect(world.daemon.notes.values("edited") == [["id": "r1", "user": "RMondello"]])
    }

    @Test func nameOfAnotherAccountIsNotTakenOver() async throws {
        let other = CredentialIdentity(
            type: .password, service: ServiceIdentifier(written: "shiny.example.com"), user: "anna",
            recordIdentifier: "r2")
        let world = try await FakeUpgrade(
            script: FakeUpgrade.script(change: { try $0.changed($1, user: "anna") }),
            identities: [.shiny, other])
        _ = try await upgrade(world, user: "rmondello")
        #expect(world.notes("saved").allSatisfy { $0.contains(" rmondello ") })
        #expect(world.daemon.notes.values("edited").isEmpty)
    }

    @Test func oneRecordInTwoSpellingsIsOneAccount() async throws {
        let spelled = CredentialIdentity(
            type: .password, service: ServiceIdentifier(written: "https://shiny.example.com/login"), user: "rmondello",
            recordIdentifier: "r1")
        let world = try await FakeUpgrade(identities: [.shiny, spelled])
        #expect(try await upgrade(world).user == "rmondello")
    }

    @Test func accountThatIsSavedTwiceIsNotOffered() async throws {
        let again = CredentialIdentity(
            type: .password, service: ServiceIdentifier(written: "shiny.example.com"), user: "rmondello",
            recordIdentifier: "r2")
        let world = try await FakeUpgrade(identities: [.shiny, again])
        let list = try await world.capabilities.upgrades.accounts.upgrades(.init(service: "shiny.example.com")).accounts
        #expect(list.count == 2 && list.allSatisfy { $0.refusal == "it is saved more than once" })
        #expect(await failure(world)?.code == .refused)
    }

    @Test func accountsBelowAWildcardAreListed() async throws {
        let world = try await FakeUpgrade(domains: ["webcredentials:*.example.com"])
        _ = try await world.capabilities.upgrades.accounts.upgrades(.init(service: "shiny.example.com"))
        let list = try await world.capabilities.upgrades.accounts.upgrades(.init()).accounts
        #expect(list.map(\.service) == ["shiny.example.com"])
        #expect(list.first?.extension == "Shiny")
    }

    @Test func accountsThatCanBeChangedAreListed() async throws {
        let world = try await FakeUpgrade()
        _ = try await world.capabilities.upgrades.accounts.upgrades(.init(service: "shiny.example.com"))
        let list = try await world.capabilities.upgrades.accounts.upgrades(.init()).accounts
        #expect(
            list == [
                .init(service: "shiny.example.com", user: "rmondello", provider: "Passwords", extension: "Shiny")
            ])
    }

    // MARK: No offer

    @Test func refusesWithoutAConfirmedAssociation() async throws {
        let world = try await FakeUpgrade(confirming: ["E5336VM85F.com.example.Other"])
        #expect(await failure(world)?.reason == UpgradeOffer.Refusal.notAssociated.rawValue)
        #expect(world.notes("saved").isEmpty && world.notes("asked").isEmpty && world.notes("rules").isEmpty)
    }

    @Test func refusesAnAppThatDoesNotStateTheSite() async throws {
        let world = try await FakeUpgrade(domains: ["webcredentials:other.example.com", "applinks:shiny.example.com"])
        #expect(await failure(world)?.reason == UpgradeOffer.Refusal.noExtension.rawValue)
    }

    @Test func refusesAnExtensionThatIsNotEnabled() async throws {
        let world = try await FakeUpgrade(isEnabled: false)
        #expect(await failure(world)?.reason == UpgradeOffer.Refusal.noExtension.rawValue)
    }

    @Test func refusesAnExtensionThatHasChangedSinceItWasEnabled() async throws {
        let world = try await FakeUpgrade()
        try world.daemon.folder.write("x", to: "data/latchkey/extensions/Shiny/more")
        #expect(await failure(world)?.reason == UpgradeOffer.Refusal.noExtension.rawValue)
    }

    @Test func refusesOtherKindsAndUnknownAccounts() async throws {
        let world = try await FakeUpgrade()
        await #expect { try await upgrade(world, kind: Modification.signInWithApple) } throws: {
            ($0 as? WireError)?.reason == UpgradeOffer.Refusal.onlyPasswords.rawValue
        }
        await #expect { try await upgrade(world, kind: "passkey") } throws: { code($0) == .invalidParams }
        #expect(await failure(world, user: "nobody")?.code == .notFound)
        #expect(await failure(world, service: "other.example.com")?.code == .notFound)
        #expect(await failure(world, service: "a.shiny.example.com")?.code == .notFound)
        #expect(await failure(world, service: "not a host")?.code == .invalidParams)
        #expect(world.notes("asked").isEmpty)
    }

    @Test func refusesWhileLocked() async throws {
        let world = try await FakeUpgrade()
        await world.broker.lock(reason: "a test")
        #expect(await failure(world)?.code == .locked)
    }

    @Test func refusesWithoutTheUsersAuthentication() async throws {
        let world = try await FakeUpgrade()
        _ = try await world.broker.setPreferences(.init(authentication: "always"))
        world.daemon.pass(.seconds(60))
        #expect(await failure(world)?.code == .authenticationRequired)
        #expect(world.notes("asked").isEmpty && world.notes("saved").isEmpty)
    }

    @Test func refusesAProviderThatCannotSave() async throws {
        let world = try await FakeUpgrade()
        // The account is another provider's, which says nothing of saving.
        let other = FakeBundle(identifier: "com.example.other", script: FakeBundle.script(user: "other"))
        try other.write(in: world.daemon.folder, at: "data/latchkey/extensions/Other.appex")
        let found = try #require(
            try await world.capabilities.settings.providers.providers().providers.first {
                $0.identifier == other.identifier
            })
        _ = try await world.capabilities.settings.providers.enable(
            .init(identifier: other.identifier, digest: try #require(found.digest)))
        await world.daemon.notes.wait(for: "filled")
        #expect(await failure(world, user: "other")?.reason == UpgradeOffer.Refusal.notKept.rawValue)
        #expect(world.notes("asked").isEmpty)
    }

    // MARK: Nothing is lost

    @Test func extensionIsNotAskedWhereTheCandidateIsNotAcknowledged() async throws {
        let world = try await FakeUpgrade(keeper: FakeUpgrade.keeper(refusing: "generatedPasswordFilled"))
        let error = await failure(world)
        #expect(error?.message.contains("did not keep the new one") == true)
        #expect(world.notes("asked").isEmpty)
        #expect(try await world.unsettled().isEmpty)
        // Nothing was released either.
        #expect(try await world.lines().map(\.event) == ["refused"])
    }

    @Test("S31: a password that is easy to guess takes no other one's place")
    func weakPasswordIsNotUsed() async throws {
        let world = try await FakeUpgrade(keeper: FakeUpgrade.keeper(made: "123"))
        let error = await failure(world)
        #expect(error?.message.contains("made only 3 digits. Such a password is guessed at once.") == true)
        #expect(world.notes("asked").isEmpty && world.notes("saved").isEmpty)
        #expect(!(try await world.lines()).contains { $0.event == "released" })
    }

    /// How an extension ends that was asked to change a password.
    enum Ending: CaseIterable {
        case crash, crashAfterTheAnswer, nonsense, unknownError

        func end(_ provider: FakeProvider, _ asked: FakeProvider.Arrival) throws {
            switch self {
            case .crash: try provider.crash()
            case .crashAfterTheAnswer:
                try provider.changed(asked)
                try provider.crash()
            case .nonsense: try provider.reply(asked)
            case .unknownError: try provider.failed(asked, 4711)
            }
        }
    }

    @Test(arguments: Ending.allCases)
    func keepsBothAfterACrashOrNonsense(ending: Ending) async throws {
        let world = try await FakeUpgrade(script: FakeUpgrade.script(change: ending.end))
        guard let error = await failure(world) else {
            // Its answer was there before its end.
            #expect(ending == .crashAfterTheAnswer)
            #expect(try await world.unsettled().isEmpty)
            return
        }
        #expect(error.code == .providerUnavailable)
        #expect(world.notes("saved") == ["generatedPasswordFilled rmondello made-canary"])
        let unsettled = try await world.unsettled()
        #expect(unsettled.map(\.user) == ["rmondello"] && unsettled.map(\.service) == ["shiny.example.com"])
        #expect(world.notes("removed").isEmpty)
    }

    @Test(arguments: ["\n", "a\0b"])
    func keepsBothWhereTheAnswerIsNoPassword(password: String) async throws {
        let world = try await FakeUpgrade(
            script: FakeUpgrade.script(change: { try $0.changed($1, to: .secret(utf8: password)) }))
        #expect(await failure(world)?.code == .providerUnavailable)
        #expect(try await world.unsettled().count == 1)
        #expect(world.notes("saved").count == 1)
    }

    @Test func sentenceOfTheExtensionIsShownAndBothAreKept() async throws {
        let world = try await FakeUpgrade(
            script: FakeUpgrade.script(change: { try $0.failed($1, reason: "Policy\nsays no.") }))
        let error = await failure(world)
        #expect(error?.code == .providerExtension(0))
        #expect(error?.message == "Shiny: Policy\u{FFFD}says no.")
        #expect(try await world.unsettled().count == 1)
        #expect(try await world.lines().last?.event == "unsettled")
    }

    @Test func providerThatDoesNotTakeOverKeepsBoth() async throws {
        let world = try await FakeUpgrade(keeper: FakeUpgrade.keeper(refusing: "userInitiated"))
        #expect(await failure(world)?.code == .storageFailed)
        #expect(try await world.unsettled().count == 1)
        #expect(world.notes("saved") == ["generatedPasswordFilled rmondello made-canary"])
    }

    @Test func cancelOfTheExtensionKeepsBoth() async throws {
        let world = try await FakeUpgrade(script: FakeUpgrade.script(change: { try $0.failed($1, 1001) }))
        #expect(await failure(world)?.code == .userCanceled)
        #expect(try await world.unsettled().count == 1)
    }

    @Test func laterSuccessSettlesWhatWasUnsettled() async throws {
        let world = try await FakeUpgrade(
            script: FakeUpgrade.script(change: { provider, asked in
                let isFirst = provider.notes.values("asked").count == 1
                try isFirst ? provider.failed(asked) : provider.changed(asked)
            }))
        #expect(await failure(world)?.code == .providerExtension(0))
        #expect(try await world.unsettled().count == 1)
        _ = try await upgrade(world)
        #expect(try await world.unsettled().isEmpty)
    }

    @Test func theUserSettlesIt() async throws {
        let world = try await FakeUpgrade(script: FakeUpgrade.script(change: { provider, _ in try provider.crash() }))
        #expect(await failure(world) != nil)
        let id = try #require(try await world.unsettled().first?.id)
        await #expect {
            try await world.capabilities.upgrades.unsettled.settleUpgrade(
                .init(id: "other", isNew: true), on: settings.client)
        } throws: {
            code($0) == .notFound
        }
        try await world.capabilities.upgrades.unsettled.settleUpgrade(.init(id: id, isNew: true), on: settings.client)
        #expect(world.notes("saved").last == "userInitiated rmondello made-canary")
        #expect(try await world.unsettled().isEmpty)
    }

    @Test func theOldOneMayCount() async throws {
        let world = try await FakeUpgrade(script: FakeUpgrade.script(change: { provider, _ in try provider.crash() }))
        #expect(await failure(world) != nil)
        let id = try #require(try await world.unsettled().first?.id)
        try await world.capabilities.upgrades.unsettled.settleUpgrade(.init(id: id, isNew: false), on: settings.client)
        #expect(world.notes("saved") == ["generatedPasswordFilled rmondello made-canary"])
        #expect(try await world.unsettled().isEmpty)
    }

    // MARK: With the interface

    @Test func interfaceIsDrawnWhereTheExtensionAsksForIt() async throws {
        let world = try await FakeUpgrade(
            script: FakeUpgrade.script(
                change: { try $0.failed($1, 1100) }, interface: FakeUpgrade.button))
        let running = Task { try await upgrade(world) }
        let prompt = await settings.prompt()
        _ = await settings.next(Browser.Update.name)
        let shown = try #require(await world.capabilities.shared.questions.interfaces.prompt(prompt, on: 3))
        #expect(shown.provider == "Shiny" && shown.site == "https://shiny.example.com" && shown.user == "rmondello")
        try await world.capabilities.shared.questions.interfaces.act(
            .init(prompt: prompt, act: .init(element: "b", action: "press")), on: 3)
        #expect(try await running.value.user == "rmondello")
        #expect(
            world.notes("asked").map { $0.split(separator: " ")[0] } == [
                "provider.changePassword", "provider.prepareChangePassword",
            ])
    }

    @Test func cancelOfTheSystemReachesTheExtension() async throws {
        let world = try await FakeUpgrade(
            script: FakeUpgrade.script(change: { try $0.failed($1, 1100) }, interface: { _, _ in }))
        let running = Task { await failure(world) }
        let prompt = await settings.prompt()
        #expect(await world.capabilities.shared.questions.interfaces.cancel(prompt, on: 3))
        #expect(await running.value?.code == .userCanceled)
        #expect(world.notes("canceled") == [""] || world.notes("canceled").isEmpty)
        #expect(try await world.unsettled().count == 1)
    }

    @Test func lockInTheMiddleKeepsBoth() async throws {
        let world = try await FakeUpgrade(script: FakeUpgrade.script(change: { _, _ in }))
        let running = Task { await failure(world) }
        await world.asked()
        await world.broker.lock(reason: "a test")
        #expect(await running.value != nil)
        try await world.broker.unlock(passphrase: world.daemon.passphrase)
        #expect(try await world.unsettled().count == 1)
    }

    @Test func oneChangeOfAnAccountAtATime() async throws {
        let world = try await FakeUpgrade(script: FakeUpgrade.script(change: { _, _ in }))
        let running = Task { await failure(world) }
        await world.asked()
        #expect(await failure(world)?.code == .busy)
        await world.broker.lock(reason: "a test")
        _ = await running.value
    }

    // MARK: What an extension is not

    @Test func extensionHasNoStoreAndIsAskedForNothingElse() async throws {
        let world = try await FakeUpgrade()
        let statement = try #require(
            try await world.capabilities.settings.providers.providers().providers.first {
                $0.identifier == FakeUpgrade.identifier
            })
        #expect(statement.state == "enabled" && statement.identities == nil && statement.provides == [])
        #expect(
            statement.modification
                == .init(
                    app: FakeApp.identifier, domains: ["webcredentials:shiny.example.com"],
                    kinds: [Modification.strongPassword]))
        let identifier = try #require(BundleIdentifier(FakeUpgrade.identifier))
        await #expect {
            try await world.capabilities.shared.stores.handleStore(
                Provider.StoreState.name, .object([:]), of: identifier)
        } throws: {
            code($0) == .identityStore(1)
        }
        await #expect {
            try await world.capabilities.settings.providers.chooseCredential(
                .init(url: "https://shiny.example.com", provider: FakeUpgrade.identifier), on: settings.client)
        } throws: {
            code($0) == .notFound
        }
    }
}
