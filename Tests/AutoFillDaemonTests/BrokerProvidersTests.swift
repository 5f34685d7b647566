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
@testable import AutoFillProviders
@testable import DaemonTesting

/// Providers of other people beside the built-in one, with fake providers and the test for a browser.
@Suite(.timeLimit(.minutes(2))) struct BrokerProvidersTests {
    let daemon: FakeInstallation
    let browser: FakeBrowser
    var broker: Broker { daemon.broker }
    var capabilities: Capabilities { daemon.capabilities }
    let identifier = "com.example.shiny"

    init() async throws {
        daemon = try await FakeInstallation()
        browser = FakeBrowser { method, _ in
            guard method == Browser.Evidence.name else { return .object([:]) }
            return try JSONValue(
                encoding: Browser.Evidence.Answer(chain: [.init(origin: "https://shiny.example.com", document: "D1")]))
        }
        await daemon.broker.connected(browser.client)
    }

    /// Installs and enables a bundle, and waits until it has filled its store.
    func enable(_ bundle: FakeBundle = FakeBundle(), at name: String = "Shiny.appex") async throws {
        try bundle.write(in: daemon.folder, at: "data/latchkey/extensions/" + name)
        let fillings = daemon.notes.values("filled").count
        _ = try await capabilities.settings.providers.enable(
            .init(identifier: bundle.identifier, digest: try await digest(bundle.identifier)))
        await daemon.notes.wait(for: "filled", count: fillings + 1)
        #expect(try await identities(bundle.identifier) == 1)
    }

    func statement(_ identifier: String) async throws -> ProviderStatement? {
        try await capabilities.settings.providers.providers().providers.first { $0.identifier == identifier }
    }

    func digest(_ identifier: String) async throws -> String {
        try #require(try await statement(identifier)?.digest)
    }

    func identities(_ identifier: String) async throws -> Int? {
        try await statement(identifier)?.identities
    }

    func session() async throws -> String {
        try #require(await focus())
    }

    /// The session of a field; nothing where no bar is shown.
    func focus() async -> String? {
        let page = PageStatement(fields: [
            .init(ref: 0, type: "text", autocomplete: "username"),
            .init(ref: 1, type: "password", autocomplete: "current-password"),
        ])
        let chain = [ChainLink(origin: "https://shiny.example.com", document: "D1")]
        let frame = FrameEvidence(tab: 3, frame: 0, document: "D1", chain: chain)
        return await capabilities.pages.sessions.focused(
            .init(frame: frame, page: page, focused: 0), on: browser.client
        )
        .session
    }

    func rows() async throws -> [Row] {
        try await capabilities.pages.suggestions.suggestions(session: session(), on: browser.client).suggestions
    }

    /// Chooses the row of a provider from the popup.
    func choose(_ identifier: String, surface: String = "popup", held: Bool = true) async throws
        -> Renderer.Choose.Answer
    {
        let handle = try #require(try await rows().first { $0.provider == identifier }?.handle)
        return try await capabilities.pages.filling.choose(
            .init(handle: handle, surface: surface, guard: .init(held: held)), on: browser.client)
    }

    /// It tells nobody what it has, and nothing else is saved: its list is the only way to it.
    @Test func providerThatOnlyHasAListIsWithinReach() async throws {
        try await daemon.begin([])
        #expect(await focus() == nil)
        let listing = FakeBundle { provider in
            try provider.began([])
            while true { _ = try provider.receive() }
        }
        let codes = FakeBundle(
            identifier: "com.example.codes", script: listing.script,
            attributes: ["ASCredentialProviderExtensionCapabilities": ["ProvidesOneTimeCodes": true]])
        for (bundle, name) in [(codes, "Codes.appex"), (listing, "Shiny.appex")] {
            try bundle.write(in: daemon.folder, at: "data/latchkey/extensions/" + name)
            _ = try await capabilities.settings.providers.enable(
                .init(identifier: bundle.identifier, digest: try await digest(bundle.identifier)))
        }
        let page = try await session()
        // A field for a password is none for a provider of codes.
        let listed = try await capabilities.pages.suggestions.list(.init(session: page), on: browser.client)
        #expect(listed.providers?.map(\.identifier) == [identifier])
        await #expect {
            try await capabilities.pages.filling.openList(
                .init(session: page, provider: codes.identifier), on: browser.client)
        } throws: {
            code($0) == .notFound
        }
        for name in [identifier, codes.identifier] { _ = try await capabilities.settings.providers.disable(name) }
        #expect(await focus() == nil)
    }

    func storeFiles() -> Int {
        let folder = daemon.directories.state + "/identities"
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            !$0.hasPrefix("CACHEDIR")
        }
        .filter { !$0.contains("-wal") && !$0.contains("-shm") }.count
    }

    // MARK: Enabling

    @Test func providerIsOfferedOnceItIsEnabled() async throws {
        try await daemon.begin()
        try FakeBundle().write(in: daemon.folder, at: "data/latchkey/extensions/Shiny.appex")
        #expect(try await statement(identifier)?.state == "disabled")
        #expect(try await rows().map(\.provider) == ["org.latchkey.passwords"])
        try await enable()
        #expect(try await statement(identifier)?.state == "enabled")
        #expect(try await rows().map(\.provider) == ["org.latchkey.passwords", identifier])
        #expect(try await choose(identifier).fills.map(\.value.bytes.text) == ["rmondello", "canary"])
    }

    @Test func bundleThatChangedSinceItWasShownIsNotEnabled() async throws {
        try await daemon.begin()
        let path = try FakeBundle().write(in: daemon.folder, at: "data/latchkey/extensions/Shiny.appex")
        let shown = try await digest(identifier)
        try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/added"))
        await #expect {
            _ = try await capabilities.settings.providers.enable(.init(identifier: identifier, digest: shown))
        } throws: {
            code($0) == .refused
        }
        #expect(try await statement(identifier)?.state == "disabled")
    }

    @Test(arguments: ["com.example.absent", "", "../x"])
    func unknownProviderIsNotEnabled(identifier: String) async throws {
        try await daemon.begin()
        await #expect {
            _ = try await capabilities.settings.providers.enable(.init(identifier: identifier, digest: ""))
        } throws: {
            code($0) == .notFound
        }
    }

    @Test func nothingIsEnabledWhileLocked() async throws {
        try await daemon.begin()
        try FakeBundle().write(in: daemon.folder, at: "data/latchkey/extensions/Shiny.appex")
        let shown = try await digest(identifier)
        await broker.lock(reason: "test")
        await #expect {
            _ = try await capabilities.settings.providers.enable(.init(identifier: identifier, digest: shown))
        } throws: {
            code($0) == .locked
        }
        await #expect { _ = try await capabilities.settings.providers.providers() } throws: { code($0) == .locked }
    }

    @Test func bundleThatAsksForLatchkeysOwnFoldersIsBroken() async throws {
        try await daemon.begin()
        let key = "com.apple.security.temporary-exception.files.home-relative-path.read-only"
        for socket in ["~/data/latchkey", "~/data/latchkey/containers", "~/state/latchkey/x"] {
            try FakeBundle(entitlements: ["org.latchkey.security.sockets": [socket]])
                .write(in: daemon.folder, at: "data/latchkey/extensions/Shiny.appex")
            #expect(try await statement(identifier)?.state == "broken")
        }
        for path in ["data", "data/latchkey", "data/latchkey/containers/org.latchkey.passwords", "state"] {
            try FakeBundle(entitlements: [key: [path]])
                .write(in: daemon.folder, at: "data/latchkey/extensions/Shiny.appex")
            let provider = try #require(try await statement(identifier))
            #expect(provider.state == "broken" && provider.problem?.contains("Latchkey") == true)
        }
    }

    // MARK: Disabling

    @Test func disabledProviderLosesItsRowsItsProcessAndItsStore() async throws {
        try await daemon.begin()
        try await enable()
        #expect(storeFiles() == 2)
        #expect(try await capabilities.settings.providers.disable(identifier).provider.state == "disabled")
        #expect(storeFiles() == 1)
        #expect(try await rows().map(\.provider) == ["org.latchkey.passwords"])
        let name = try #require(BundleIdentifier(identifier))
        #expect(await capabilities.shared.providers.supervisors[name]?.isRunning != true)
        await #expect {
            _ = try await capabilities.shared.stores.handleStore(
                Provider.StoreState.name, .object([:]), of: name)
        } throws: { code($0) == .identityStore(1) }
    }

    @Test func handleFromBeforeItWasDisabledFillsNothing() async throws {
        try await daemon.begin()
        try await enable()
        let handle = try #require(try await rows().first { $0.provider == identifier }?.handle)
        _ = try await capabilities.settings.providers.disable(identifier)
        await #expect(throws: WireError.self) {
            _ = try await capabilities.pages.filling.choose(
                .init(handle: handle, surface: "popup", guard: .init(held: true)), on: browser.client)
        }
    }

    @Test func builtInProviderCanBeDisabledToo() async throws {
        try await daemon.begin()
        try await enable()
        #expect(
            try await capabilities.settings.providers.disable("org.latchkey.passwords").provider.state == "disabled")
        #expect(try await rows().map(\.provider) == [identifier])
        _ = try await capabilities.settings.providers.enable(.init(identifier: "org.latchkey.passwords", digest: ""))
        #expect(try await statement("org.latchkey.passwords")?.state == "enabled")
    }

    @Test(.timeLimit(.minutes(5))) func browsersAreToldThatTheBuiltInProviderIsEnabledAgain() async throws {
        try await daemon.begin()
        // Something is offered all the time, so that nothing else tells them.
        try await enable()
        _ = try await capabilities.settings.providers.disable("org.latchkey.passwords")
        let other = FakeBrowser(number: 2)
        await broker.connected(other.client)
        _ = try await capabilities.settings.providers.enable(.init(identifier: "org.latchkey.passwords", digest: ""))
        _ = await other.next(Browser.Changed.name)
    }

    @Test func removedProviderIsGoneAndItsDataStaysUnlessAskedFor() async throws {
        try await daemon.begin()
        try await enable()
        let container = daemon.directories.data + "/containers/" + identifier
        try await capabilities.settings.providers.remove(.init(identifier: identifier))
        #expect(try await statement(identifier) == nil)
        #expect(FileManager.default.fileExists(atPath: container))
        #expect(storeFiles() == 1)
        try await enable()
        try await capabilities.settings.providers.remove(.init(identifier: identifier, deleteData: true))
        #expect(!FileManager.default.fileExists(atPath: container))
        await #expect { try await capabilities.settings.providers.remove(.init(identifier: identifier)) } throws: {
            code($0) == .notFound
        }
        await #expect {
            try await capabilities.settings.providers.remove(.init(identifier: "org.latchkey.passwords"))
        } throws: {
            code($0) == .notPermitted
        }
    }

    @Test func containerKeyStaysWithTheDataAndGoesWithIt() async throws {
        try await daemon.begin()
        try await enable()
        let name = try #require(BundleIdentifier(identifier))
        let first = try await capabilities.shared.providers.launch(of: name).key.text
        try await capabilities.settings.providers.remove(.init(identifier: identifier))
        try await enable()
        #expect(try await capabilities.shared.providers.launch(of: name).key.text == first)
        try await capabilities.settings.providers.remove(.init(identifier: identifier, deleteData: true))
        try await enable()
        #expect(try await capabilities.shared.providers.launch(of: name).key.text != first)
        #expect(
            try await capabilities.shared.providers.launch(of: name).key.text
                != capabilities.shared.providers.launch(of: .builtIn).key.text)
    }

    // MARK: Changes

    @Test("a bundle that changed since it was enabled is offered no more until it is enabled again")
    func changedBundleAsksAgain() async throws {
        try await daemon.begin()
        try await enable()
        _ = try await choose(identifier)
        await capabilities.shared.providers.supervisor(of: try #require(BundleIdentifier(identifier))).endAndWait()
        try Data("x".utf8).write(
            to: URL(fileURLWithPath: daemon.directories.data + "/extensions/Shiny.appex/added"))
        await #expect { _ = try await choose(identifier) } throws: { code($0) == .providerUnavailable }
        #expect(try await statement(identifier)?.state == "changed")
        #expect(try await rows().map(\.provider) == ["org.latchkey.passwords"])
        #expect(storeFiles() == 1)
        try await enable()
        #expect(try await rows().map(\.provider) == ["org.latchkey.passwords", identifier])
    }

    @Test func changedBundleIsFoundAtUnlock() async throws {
        try await daemon.begin()
        try await enable()
        await broker.lock(reason: "test")
        try Data("x".utf8).write(
            to: URL(fileURLWithPath: daemon.directories.data + "/extensions/Shiny.appex/added"))
        try await broker.unlock(passphrase: daemon.passphrase)
        #expect(try await statement(identifier)?.state == "changed")
        #expect(try await rows().map(\.provider) == ["org.latchkey.passwords"])
    }

    @Test func missingBundleIsSaid() async throws {
        try await daemon.begin()
        try await enable()
        await broker.lock(reason: "test")
        try FileManager.default.removeItem(atPath: daemon.directories.data + "/extensions/Shiny.appex")
        try await broker.unlock(passphrase: daemon.passphrase)
        #expect(try await statement(identifier)?.state == "missing")
        #expect(storeFiles() == 1)
    }

    @Test func enabledProviderIsThereAgainAfterAnUnlock() async throws {
        try await daemon.begin()
        try await enable()
        await broker.lock(reason: "test")
        try await broker.unlock(passphrase: daemon.passphrase)
        #expect(try await rows().map(\.provider) == ["org.latchkey.passwords", identifier])
    }

    @Test func installedUpdateIsNotEnabledByItself() async throws {
        try await daemon.begin()
        try await enable()
        let newer = try FakeBundle(name: "Newer").write(in: daemon.folder, at: "elsewhere/Shiny.appex")
        #expect(try await capabilities.settings.providers.install(from: newer).providers.map(\.state) == ["changed"])
        #expect(try await rows().map(\.provider) == ["org.latchkey.passwords"])
    }

    // MARK: Order

    @Test func rowsAreOrderedByProviderThenRank() async throws {
        try await daemon.begin()
        try await enable()
        try await enable(
            FakeBundle(identifier: "com.example.other", script: FakeBundle.script(user: "aaron", rank: 9)),
            at: "Other.appex")
        let all = ["org.latchkey.passwords", identifier, "com.example.other"]
        #expect(try await rows().map(\.provider) == all)
        try await capabilities.settings.providers.order(["com.example.other", "org.latchkey.passwords", identifier])
        #expect(try await rows().map(\.provider) == ["com.example.other", "org.latchkey.passwords", identifier])
        await broker.lock(reason: "test")
        try await broker.unlock(passphrase: daemon.passphrase)
        #expect(try await rows().map(\.provider) == ["com.example.other", "org.latchkey.passwords", identifier])
        for wrong in [[identifier, identifier], ["com.example.absent"], [""]] {
            await #expect(throws: WireError.self) { try await capabilities.settings.providers.order(wrong) }
        }
    }

    @Test func allPasswordsHoldsEveryProviders() async throws {
        try await daemon.begin()
        try await enable()
        let list = try await capabilities.pages.suggestions.list(.init(session: session()), on: browser.client)
        #expect(list.rows.map(\.provider) == ["org.latchkey.passwords", identifier])
        #expect(list.providers?.map(\.identifier) == [identifier])
        #expect(list.cursor == nil)
    }

    // MARK: Deliveries

    @Test("five failures in a row delete what the provider advertises")
    func failingProviderLosesItsStore() async throws {
        try await daemon.begin()
        try await enable(
            FakeBundle(
                script: FakeBundle.script(delivery: { try $0.fail($1, 1101) })))
        for _ in 0..<5 {
            #expect(try await rows().count == 2)
            await #expect { _ = try await choose(identifier) } throws: { code($0) == .providerExtension(101) }
        }
        #expect(try await rows().map(\.provider) == ["org.latchkey.passwords"])
        let name = try #require(BundleIdentifier(identifier))
        let state: Provider.StoreState.Answer = try await capabilities.shared.stores.handleStore(
            Provider.StoreState.name, .object([:]), of: name
        ).decoded()
        #expect(state.enabled && !state.supportsIncrementalUpdates)
    }

    @Test("S7: a provider that advertises much does not crowd out the others")
    func manyRowsLeaveTheOthersChoosable() async throws {
        try await daemon.begin()
        try await enable()
        let many = (0..<3_000).map { number in
            var identity = CredentialIdentity.shiny
            identity.user = "user\(number)"
            identity.recordIdentifier = "r\(number)"
            return IdentityStatement(identity)
        }
        let name = try #require(BundleIdentifier(identifier))
        for part in 0..<3 {
            let params = IdentitiesParams(identities: Array(many[part * 1_000..<(part + 1) * 1_000]))
            _ = try await capabilities.shared.stores.handleStore(
                Provider.SaveIdentities.name, JSONValue(encoding: params), of: name)
        }
        #expect(try await rows().count == 101)
        #expect(try await choose("org.latchkey.passwords").fills.count == 2)
    }

    @Test(arguments: [
        IdentityStatement(
            type: "password", service: .init(type: 0, identifier: String(repeating: "a", count: 2_049)), user: "",
            rank: 0),
        .init(
            type: "password", service: .init(type: 0, identifier: "a.example"),
            user: String(repeating: "u", count: 1_025), rank: 0),
        .init(
            type: "password", service: .init(type: 0, identifier: "a.example"), user: "u",
            recordIdentifier: String(repeating: "r", count: 1_025), rank: 0),
    ])
    func identityOfAnUnusualSizeIsRefused(identity: IdentityStatement) async throws {
        try await daemon.begin()
        let params = try JSONValue(encoding: IdentitiesParams(identities: [identity]))
        await #expect {
            _ = try await capabilities.shared.stores.handleStore(Provider.SaveIdentities.name, params, of: .builtIn)
        } throws: { code($0) == .identityStore(0) }
    }

    @Test("an app group stays with the provider that had it, also when that one's bundle is gone")
    func groupOfAProviderThatIsGoneIsNotTakenOver() async throws {
        try await daemon.begin()
        let key = "com.apple.security.application-groups"
        try await enable(FakeBundle(entitlements: [key: ["group.shiny"]]))
        try await capabilities.settings.providers.remove(.init(identifier: identifier))
        let thief = FakeBundle(identifier: "com.example.thief", entitlements: [key: ["group.shiny"]])
        await #expect { try await enable(thief, at: "Thief.appex") } throws: { code($0) == .refused }
        #expect(try await statement("com.example.thief")?.state == "disabled")
    }

    @Test("all bundles of one app have the same key of an app group")
    func groupHasOneKey() async throws {
        try await daemon.begin()
        let groups: [String: Any] = ["com.apple.security.application-groups": ["group.shiny"]]
        let others = "com.example.shiny.other"
        let folder = "data/latchkey/extensions/Shiny.app/PlugIns/"
        try FakeBundle(entitlements: groups).write(in: daemon.folder, at: folder + "A.appex")
        try FakeBundle(identifier: others, entitlements: groups).write(in: daemon.folder, at: folder + "B.appex")
        for name in [identifier, others] {
            _ = try await capabilities.settings.providers.enable(
                .init(identifier: name, digest: try await digest(name)))
        }
        func key(_ name: String) async throws -> String? {
            let role = PeerRole.app(try #require(BundleIdentifier(name)))
            let open = try await capabilities.settings.providers.openContainer(
                of: FakeBrowser(number: 9, role: role).client)
            return open.groups.first?.key.bytes.text
        }
        let first = try await key(identifier)
        #expect(first != nil)
        #expect(try await key(others) == first)
    }

    @Test func providerThatIsDisabledWhileTheUserIsAskedFillsNothing() async throws {
        try await daemon.begin()
        try await enable()
        let handle = try #require(try await rows().first { $0.provider == identifier }?.handle)
        let answer = Task {
            try await capabilities.pages.filling.choose(.init(handle: handle, surface: "bar"), on: browser.client)
        }
        let prompt = await browser.prompt()
        _ = try await capabilities.settings.providers.disable(identifier)
        try await capabilities.shared.questions.desk.answer(.init(prompt: prompt, accept: true), on: 1)
        await #expect { _ = try await answer.value } throws: { code($0) == .refused }
    }

    // MARK: Containing apps

    private func app() throws -> FakeBrowser {
        FakeBrowser(number: 9, role: .app(try #require(BundleIdentifier(identifier))))
    }

    @Test func containingAppIsGivenWhatItsProviderIsGiven() async throws {
        try await daemon.begin()
        let app = try app()
        await #expect(throws: WireError.self) {
            _ = try await capabilities.settings.providers.openContainer(of: app.client)
        }
        #expect(try await capabilities.settings.providers.isEnabled(app.client) == false)
        try await enable(FakeBundle(entitlements: ["com.apple.security.application-groups": ["group.shiny"]]))
        #expect(try await capabilities.settings.providers.isEnabled(app.client))
        let open = try await capabilities.settings.providers.openContainer(of: app.client)
        #expect(open.identifier == identifier)
        #expect(open.groups.map(\.identifier) == ["group.shiny"])
        #expect(open.key.bytes.text != open.groups.first?.key.bytes.text)
        await broker.lock(reason: "test")
        await #expect { _ = try await capabilities.settings.providers.openContainer(of: app.client) } throws: {
            code($0) == .locked
        }
        await #expect { _ = try await capabilities.settings.providers.isEnabled(browser.client) } throws: {
            code($0) == .notPermitted
        }
    }

    @Test func twoProcessesOfOneProviderDoNotWriteAtOnce() async throws {
        try await daemon.begin()
        try await enable()
        let provider = try #require(BundleIdentifier(identifier))
        let begin = try JSONValue(encoding: Provider.BeginBatch.Params(operation: "save"))
        _ = try await capabilities.shared.stores.handleStore(Provider.BeginBatch.name, begin, of: provider, client: 9)
        let more = try JSONValue(encoding: IdentitiesParams(identities: [IdentityStatement(.shiny)]))
        await #expect {
            _ = try await capabilities.shared.stores.handleStore(Provider.SaveIdentities.name, more, of: provider)
        } throws: {
            code($0) == .identityStore(2)
        }
        await broker.disconnected(try app().client)
        _ = try await capabilities.shared.stores.handleStore(Provider.SaveIdentities.name, more, of: provider)
        #expect(try await identities(identifier) == 2)
    }

    @Test func containingAppAsksTheUserOnceInTenSeconds() async throws {
        try await daemon.begin()
        try FakeBundle().write(in: daemon.folder, at: "data/latchkey/extensions/Shiny.appex")
        let app = try app()
        // Nobody can be asked here: neither a pinentry nor a browser of the app's.
        await #expect { _ = try await capabilities.settings.providers.requestEnable(app.client) } throws: {
            code($0) == .authenticationRequired
        }
        await #expect { _ = try await capabilities.settings.providers.requestEnable(app.client) } throws: {
            code($0) == .tooManyAttempts
        }
        daemon.pass(.seconds(11))
        await #expect { _ = try await capabilities.settings.providers.requestEnable(app.client) } throws: {
            code($0) == .authenticationRequired
        }
    }

    @Test func browserAsksTheUserBeforeItEnables() async throws {
        try await daemon.begin()
        try FakeBundle(entitlements: ["com.apple.security.network.client": true])
            .write(in: daemon.folder, at: "data/latchkey/extensions/Shiny.appex")
        let params = Providers.Enable.Params(identifier: identifier, digest: try await digest(identifier))
        async let asked: Void = capabilities.settings.providers.requireUser(browser.client, for: params)
        let prompt = await browser.prompt()
        let shown = try #require(await capabilities.shared.questions.desk.show(prompt, on: 1))
        #expect(shown.kind == "enable" && shown.provider == "Shiny Passwords")
        #expect(
            shown.message
                == """
                It is com.example.shiny.
                It runs without isolation here, so it can read your files.
                It fills passwords.
                It can use the internet, but reach nothing on this computer or your network.
                """)
        await #expect {
            try await capabilities.shared.questions.desk.answer(.init(prompt: prompt, accept: true), on: 1)
        } throws: {
            code($0) == .invalidParams
        }
        try await capabilities.shared.questions.desk.answer(
            .init(prompt: prompt, accept: true, passphrase: WireSecret(daemon.passphrase)), on: 1)
        try await asked
    }

    @Test func debuggingNeedsADebugBuild() async throws {
        try await daemon.begin()
        try await enable()
        await #expect {
            try await capabilities.settings.providers.setDebugging(.init(identifier: identifier, on: true))
        } throws: {
            code($0) == .notPermitted
        }
    }
}
