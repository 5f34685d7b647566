// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import ShownText
import Synchronization
import Testing

@testable import AutoFillProviders
@testable import DaemonTesting

/// What a provider is asked, and what is made of its answers; over the wire, without processes.
@Suite(.timeLimit(.minutes(2))) struct ProviderCallTests {
    private let folder: TemporaryFolder
    private let providers = FakeProviders()

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
    }

    private func supervisor(
        store: @escaping ProviderSupervisor.StoreHandler = { _, _, _ in .object([:]) }
    ) -> ProviderSupervisor {
        ProviderSupervisor(
            identifier: .builtIn, environment: [:], launcher: providers, logger: silent,
            limits: .init(request: .seconds(60), start: .seconds(60), grace: .seconds(60), idle: .seconds(600)),
            store: store)
    }

    private func launch(_ script: @escaping FakeProvider.Script) throws -> ProviderSupervisor.Launch {
        let program = folder.path + "/provider"
        try FakeProviders.write(script, to: program)
        return .init(
            program: program, container: folder.path + "/container",
            key: Array(0..<32 as Range<UInt8>).withUnsafeBytes { SecretBytes(copying: $0) })
    }

    private func expectFailure(
        _ expected: WireError.Code, of supervisor: ProviderSupervisor, _ launch: ProviderSupervisor.Launch,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(sourceLocation: sourceLocation) {
            try await supervisor.provideCredential(for: .shiny, launch: launch)
        } throws: {
            code($0) == expected
        }
    }

    /// Sends an interface, and notes whether it was taken.
    private static func show(_ params: JSONValue, _ provider: FakeProvider) throws {
        try provider.request("i", "interface.show", params)
        if case .success? = try provider.receive().answer {
            provider.note("answer", "result")
        } else {
            provider.note("answer", "error")
        }
    }

    private static let shown: JSONValue = ["title": "T", "elements": [FakeProvider.button("Fill")]]

    // MARK: Credentials

    @Test func oneTimeCodeIsHeld() async throws {
        let supervisor = supervisor()
        let launch = try launch { provider in
            try provider.began()
            try provider.reply(
                provider.ask(), ["credential": ["type": "one-time-code", "code": .secret(utf8: "canary")]])
            try provider.forever()
        }
        var identity = CredentialIdentity.shiny
        identity.type = .oneTimeCode
        let held = try await supervisor.provideCredential(for: identity, launch: launch)
        #expect(held.identity == identity)
        await supervisor.endAndWait()
    }

    @Test("S64: a provider is not asked for what the user has not agreed to", arguments: ProviderCapability.allCases)
    func nothingIsAskedBeyondWhatWasAgreedTo(capability: ProviderCapability) async throws {
        let supervisor = supervisor()
        var launch = try launch { provider in
            try provider.began()
            while true { try provider.fail(provider.ask()) }
        }
        launch.agreed = Set(ProviderCapability.allCases).subtracting([capability])
        let save = Saving.Save.Params(
            request: 0, service: .init(type: 0, identifier: "shiny.test"), user: "a",
            password: WireSecret(SecretBytes(utf8: "x")), session: "s", event: "userInitiated")
        let generate = Saving.Generate.Params(request: 0, service: .init(type: 0, identifier: "shiny.test"))
        var code = CredentialIdentity.shiny
        var requests: [ProviderSupervisor.InterfaceRequest] = []
        switch capability {
        case .passwords: requests = [.credential(.shiny), .list([])]
        case .oneTimeCodes:
            code.type = .oneTimeCode
            requests = [.credential(code), .list([], type: .oneTimeCode)]
        case .passkeys, .text:
            // A type that no bundle can state is never agreed to.
            code.type = capability == .passkeys ? .passkey : .init(rawValue: "text")
            requests = [.credential(code)]
        case .saving:
            requests = [.save(save)]
            await #expect { try await supervisor.save(save, launch: launch) } throws: { isNotPermitted($0) }
        case .generating:
            requests = [.generate(generate, for: .shiny, kept: .builtIn, .init())]
            await #expect {
                _ = try await supervisor.generate(generate, for: .shiny, kept: .builtIn, launch: launch)
            } throws: {
                isNotPermitted($0)
            }
        }
        for request in requests {
            await #expect {
                _ = try await supervisor.present(request, request: 1, launch: launch) { _ in }
            } throws: {
                isNotPermitted($0)
            }
            guard case .credential(let identity) = request else { continue }
            await #expect { _ = try await supervisor.provideCredential(for: identity, launch: launch) } throws: {
                isNotPermitted($0)
            }
        }
        #expect(await !supervisor.isRunning)
    }

    private func isNotPermitted(_ error: any Error) -> Bool {
        DaemonTesting.code(error) == .notPermitted
    }

    @Test(
        "a provider that answers with what is not a credential for this account is refused",
        arguments: [
            #""result": {"credential": {"type": "password", "user": "somebody else", "password": {"secret": "canary"}}}"#,
            #""result": {"credential": {"type": "password", "user": "RMONDELLO", "password": {"secret": "canary"}}}"#,
            #""result": {"credential": {"type": "password", "user": "", "password": {"secret": "canary"}}}"#,
            #""result": {"credential": {"type": "passkey", "user": "rmondello", "password": {"secret": "canary"}}}"#,
            #""result": {"credential": {"type": "", "user": "rmondello", "password": {"secret": "canary"}}}"#,
            #""result": {"credential": {"type": "password", "user": "rmondello", "password": "canary"}}"#,
            #""result": {"credential": {"type": "password", "user": "rmondello", "password": null}}"#,
            #""result": {"credential": {"type": "password", "user": "rmondello", "password": {}}}"#,
            #""result": {}"#, #""result": null"#, #""result": []"#, #""result": {"credential": null}"#,
            #""result": {"secret": "canary"}"#, #""error": {"code": 2, "message": "locked"}"#,
            #""error": {"code": 4, "message": "wrong"}"#, #""error": {"code": -32602, "message": "x"}"#,
            #""error": 5"#,
        ])
    func answerForAnotherAccountIsRefused(answer: String) async throws {
        let supervisor = supervisor()
        let launch = try launch { provider in
            try provider.began()
            guard case .integer(let id)? = try provider.ask().id else { return }
            try provider.frame(#"{"jsonrpc": "2.0", "id": \#(id), \#(answer)}"#)
            try provider.forever()
        }
        await expectFailure(.providerUnavailable, of: supervisor, launch)
        await supervisor.endAndWait()
    }

    /// A provider whose first process ends when it is asked, and whose others answer.
    private func endingOnce(_ launches: CountedLaunches) throws -> ProviderSupervisor.Launch {
        try launch { provider in
            try provider.began()
            let number = launches.count.withLock { count in
                count += 1
                return count
            }
            let asked = try provider.ask()
            guard number > 1 else { throw FakeProvider.Ended() }
            try provider.credential(asked)
            try provider.forever()
        }
    }

    @Test func processThatWasKeptAndEndsWhenItIsAskedIsStartedAgain() async throws {
        let (supervisor, launches) = (supervisor(), CountedLaunches())
        let launch = try endingOnce(launches)
        _ = try await supervisor.warm(launch)
        _ = try await supervisor.provideCredential(for: .shiny, launch: launch)
        #expect(launches.count.withLock { $0 } == 2)
        await supervisor.endAndWait()
    }

    @Test func processThatWasStartedForTheRequestAndEndsIsNotStartedAgain() async throws {
        let (supervisor, launches) = (supervisor(), CountedLaunches())
        await expectFailure(.providerUnavailable, of: supervisor, try endingOnce(launches))
        #expect(launches.count.withLock { $0 } == 1)
        await supervisor.endAndWait()
    }

    @Test func answerForThisAccountIsHeld() async throws {
        // The one that those above differ from.
        let supervisor = supervisor()
        let launch = try launch { provider in
            try provider.began()
            guard case .integer(let id)? = try provider.ask().id else { return }
            let credential = #"{"type": "password", "user": "rmondello", "password": {"secret": "canary"}}"#
            try provider.frame(#"{"jsonrpc": "2.0", "id": \#(id), "result": {"credential": \#(credential)}}"#)
            try provider.forever()
        }
        #expect(try await supervisor.provideCredential(for: .shiny, launch: launch).identity == .shiny)
        await supervisor.endAndWait()
    }

    @Test(arguments: [0, 1, 100, 101])
    func providersOwnErrorsArePassedOn(number: Int) async throws {
        let supervisor = supervisor()
        let launch = try launch { provider in
            try provider.began()
            try provider.fail(provider.ask(), 1000 + number)
            try provider.forever()
        }
        await expectFailure(.providerExtension(number), of: supervisor, launch)
        await supervisor.endAndWait()
    }

    @Test func storeRequestsReachTheStoreUnderTheProvidersName() async throws {
        let supervisor = supervisor { provider, method, _ in
            .object(["provider": .string(provider.rawValue), "method": .string(method)])
        }
        let launch = try launch { provider in
            try provider.began()
            try provider.request("s", "store.state")
            var (asked, result) = (FakeProvider.Arrival?.none, JSONValue?.none)
            while asked == nil || result == nil {
                let arrival = try provider.receive()
                if case .success(let state)? = arrival.answer { result = state } else { asked = arrival }
            }
            provider.note("result", result ?? .null)
            if let asked { try provider.credential(asked) }
            try provider.forever()
        }
        _ = try await supervisor.provideCredential(for: .shiny, launch: launch)
        await supervisor.endAndWait()
        #expect(
            providers.notes.values("result") == [["method": "store.state", "provider": "org.latchkey.passwords"]])
    }

    // MARK: Interfaces

    @Test func interfaceIsShownActedOnAndFinished() async throws {
        let supervisor = supervisor()
        let launch = try launch { provider in
            try provider.began()
            let asked = try provider.ask()
            try provider.show(FakeProvider.button("Fill"), for: asked)
            let act = try provider.ask()
            provider.note("act", act.params)
            try provider.reply(act)
            try provider.credential(asked, user: "somebody else")
            try provider.forever()
        }
        let request = await supervisor.nextRequest()
        let held = try await supervisor.present(.credential(.shiny), request: request, launch: launch) { interface in
            #expect(interface.elements.map(\.id) == ["b"])
            Task {
                try await supervisor.act(.init(element: "b", action: "press", fields: []), request: request)
            }
        }
        #expect(held?.identity.user == "somebody else")
        await supervisor.endAndWait()
        #expect(
            providers.notes.values("act") == [
                ["action": "press", "element": "b", "fields": [], "request": .integer(Int64(request))]
            ])
    }

    /// The parameters of an interface that is none, from the number of the request.
    private static let unshowable: [String: @Sendable (Int64) -> JSONValue] = [
        "of another request": { _ in ["request": 99, "interface": shown] },
        "without a title": { ["request": .integer($0), "interface": [:]] },
        "without an interface": { ["request": .integer($0)] },
        "with an element twice": { number in
            let button = FakeProvider.button("Fill")
            return ["request": .integer(number), "interface": shown.with("elements", [button, button])]
        },
        "with a long title": { number in
            let title = String(repeating: "x", count: 1025)
            return ["request": .integer(number), "interface": shown.with("title", .string(title))]
        },
        "with an element without a name": { number in
            let elements: JSONValue = [["kind": "message", "id": ""]]
            return ["request": .integer(number), "interface": shown.with("elements", elements)]
        },
        "with many elements": { number in
            let elements = (0..<65).map { JSONValue.object(["kind": "message", "id": .string("\($0)")]) }
            return ["request": .integer(number), "interface": shown.with("elements", .array(elements))]
        },
        "with many rows": { number in
            let rows = (0..<501).map { JSONValue.object(["id": .string("\($0)"), "title": "", "subtitle": ""]) }
            let list: JSONValue = ["kind": "list", "id": "l", "sections": [["title": "", "rows": .array(rows)]]]
            return ["request": .integer(number), "interface": shown.with("elements", [list])]
        },
    ]

    @Test(
        "an interface that breaks the bounds, or that nobody asked for, is refused", arguments: unshowable.keys.sorted()
    )
    func interfaceBeyondTheBoundsIsRefused(name: String) async throws {
        let params = try #require(Self.unshowable[name])
        let supervisor = supervisor()
        let launch = try launch { provider in
            try provider.began()
            let asked = try provider.ask()
            try Self.show(params(asked.request), provider)
            try provider.credential(asked)
            try provider.forever()
        }
        let request = await supervisor.nextRequest()
        _ = try await supervisor.present(.credential(.shiny), request: request, launch: launch) { _ in
            Issue.record("It was shown.")
        }
        await supervisor.endAndWait()
        #expect(providers.notes.texts("answer") == ["error"])
    }

    @Test func interfaceWithoutARequestForOneIsRefused() async throws {
        let supervisor = supervisor()
        let launch = try launch { provider in
            try provider.began()
            let asked = try provider.ask()
            try Self.show(["request": .integer(asked.request), "interface": Self.shown], provider)
            try provider.credential(asked)
            try provider.forever()
        }
        _ = try await supervisor.provideCredential(for: .shiny, launch: launch)
        await supervisor.endAndWait()
        #expect(providers.notes.texts("answer") == ["error"])
    }

    @Test func cancelledInterfaceIsToldToTheProvider() async throws {
        let supervisor = supervisor()
        let launch = try launch { provider in
            try provider.began()
            let asked = try provider.ask()
            provider.note("asked")
            while try provider.receive().method != "provider.cancel" {}
            provider.note("cancelled")
            try provider.fail(asked, 1001)
            while true { try provider.credential(provider.ask()) }
        }
        let request = await supervisor.nextRequest()
        let work = Task {
            try await supervisor.present(.credential(.shiny), request: request, launch: launch) { _ in }
        }
        await providers.notes.wait(for: "asked")
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        _ = try await supervisor.provideCredential(for: .shiny, launch: launch)
        #expect(providers.notes.values("cancelled").count == 1)
        await supervisor.endAndWait()
        // The same one answered both: it was not ended for the cancelled request.
        #expect(providers.notes.values("asked").count == 1)
    }

    @Test func actOnAnInterfaceThatHasEndedIsRefused() async {
        await #expect { try await supervisor().act(.init(element: "b", action: "press"), request: 1) } throws: {
            code($0) == .expired
        }
    }

    // MARK: Managing

    @Test func manageIsPassedOn() async throws {
        let supervisor = supervisor()
        let launch = try launch { provider in
            try provider.began()
            let asked = try provider.ask()
            try provider.reply(asked, asked.params)
            try provider.forever()
        }
        let params: JSONValue = ["a": .secret(utf8: "canary")]
        #expect(try await supervisor.manage("manage.list", params, launch: launch) == params)
        await supervisor.endAndWait()
    }

    @Test func providerWithoutTheCapabilityIsNotManaged() async throws {
        let supervisor = supervisor()
        let launch = try launch { provider in
            try provider.began([])
            try provider.forever()
        }
        await #expect { try await supervisor.manage("manage.list", .object([:]), launch: launch) } throws: {
            code($0) == .notPermitted
        }
        await supervisor.endAndWait()
    }
}

/// How often a provider was started.
private final class CountedLaunches: Sendable {
    let count = Mutex(0)
}
