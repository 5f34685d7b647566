// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProcessTesting
import ProviderTesting
import Synchronization
import Testing

@testable import AuthenticationServices

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ExtensionRuntimeTests {
    private static let answering: @MainActor () -> ASCredentialProviderViewController = {
        ScriptedController(provide: { $0.complete($1.user) }, list: { controller, _ in controller.showList() })
    }

    @Test(arguments: [
        "provider.provideCredential", "provider.prepareCredentialList", "provider.prepareInterface",
        "provider.chooseText", "provider.configure", "provider.act", "provider.cancel", "manage.list", "manage.reveal",
        "nonsense",
    ])
    func refusesEverythingBeforeStart(method: String) async throws {
        let end = try DaemonEnd(ExtensionRuntime(name: "Test", version: "1", principal: Self.answering))
        #expect(await Refusal.of { try await end.peer.call(method) }?.code == WireError.Code.notInitialized.rawValue)
    }

    @Test
    func refusesASecondStart() async throws {
        let end = try await DaemonEnd.started(Self.answering)
        let refusal = await Refusal.of { try await end.call(Provider.Start.self, .valid) }
        #expect(refusal?.code == WireError.Code.invalidRequest.rawValue)
        #expect(try await end.provide().user == "rmondello")
    }

    @Test(
        arguments: [
            ("key", .secret(SecretBytes(utf8: "AAEC"))), ("key", .secret(SecretBytes(utf8: ""))),
            ("key", .secret(SecretBytes(utf8: "!!!!"))), ("key", .string("AAEC")), ("key", nil),
            ("container", .string("relative")), ("container", .string("")), ("container", .integer(1)),
            ("identifier", .string("../evil")), ("identifier", .string("")), ("identifier", nil),
            ("protocol", .string("1")), ("protocol", nil),
        ] as [(String, JSONValue?)]
    )
    func refusesAStartThatIsNotRight(member: String, value: JSONValue?) async throws {
        let end = try DaemonEnd(ExtensionRuntime(name: "Test", version: "1", principal: Self.answering))
        guard case .object(var params) = try JSONValue(encoding: Provider.Start.Params.valid) else { return }
        params[member] = value
        let refusal = await Refusal.of { try await end.peer.call("provider.start", .object(params)) }
        #expect(refusal?.code == WireError.Code.invalidParams.rawValue)
        // It is no reason to be dead for a right one.
        #expect(try await end.call(Provider.Start.self, .valid).name == "Test")
    }

    @Test
    func refusesAProtocolFromBeforeTheFirst() async throws {
        let end = try DaemonEnd(ExtensionRuntime(name: "Test", version: "1", principal: Self.answering))
        var params = Provider.Start.Params.valid
        params.protocol = 0
        let refusal = await Refusal.of { try await end.call(Provider.Start.self, params) }
        #expect(refusal?.code == WireError.Code.unsupportedVersion.rawValue)
    }

    @Test
    func startsAgainAfterAPreparationThatFailed() async throws {
        let attempts = Mutex(0)
        let runtime = ExtensionRuntime(name: "Test", version: "1", principal: Self.answering) { _ in
            let isFirst = attempts.withLock { attempts in
                attempts += 1
                return attempts == 1
            }
            if isFirst { throw CredentialManagingError(.storageFailed, "It is damaged.") }
            return nil
        }
        let end = try DaemonEnd(runtime)
        let refusal = await Refusal.of { try await end.call(Provider.Start.self, .valid) }
        #expect(refusal?.code == WireError.Code.storageFailed.rawValue)
        #expect(await Refusal.of { try await end.provide() }?.code == WireError.Code.notInitialized.rawValue)
        #expect(try await end.call(Provider.Start.self, .valid).capabilities == [])
        #expect(try await end.provide().user == "rmondello")
    }

    @Test
    func tellsNothingOfAForeignErrorAtStart() async throws {
        struct Careless: Error, CustomStringConvertible { let description = "hunter2" }
        let runtime = ExtensionRuntime(name: "Test", version: "1", principal: Self.answering) { _ in throw Careless() }
        let end = try DaemonEnd(runtime)
        do {
            _ = try await end.call(Provider.Start.self, .valid)
            Issue.record("it started")
        } catch let error as WireError {
            #expect(error.code == .internalError)
            #expect(!"\(error)".contains("hunter2"))
        }
    }

    @Test(arguments: [
        "provider.nonsense", "provider.selectRow", "interface.show", "store.save", "manage.list", "manage.reveal", "",
        "items.list",
    ])
    func answersWhatItDoesNotKnow(method: String) async throws {
        let end = try await DaemonEnd.started(Self.answering)
        #expect(await Refusal.of { try await end.peer.call(method) }?.code == WireError.Code.methodNotFound.rawValue)
    }

    @Test
    func givesTheCredential() async throws {
        let end = try await DaemonEnd.started(Self.answering)
        let credential = try await end.provide()
        #expect(credential.type == "password")
        #expect(credential.user == "rmondello")
        #expect(credential.password?.bytes == SecretBytes(utf8: "password of rmondello"))
    }

    @Test
    func handsTheIdentityOverWhole() async throws {
        let seen = Arrival<[String]>()
        let end = try await DaemonEnd.started {
            ScriptedController(provide: { controller, identity in
                let service = identity.serviceIdentifier
                seen.arrive([
                    service.identifier, "\(service.type.rawValue)", identity.user, identity.recordIdentifier ?? "-",
                    "\(identity.rank)",
                ])
                controller.complete("x")
            })
        }
        let identity = IdentityStatement(
            type: "password",
            service: .init(type: 1, identifier: "https://é.example:8443/"),
            user: "ü",
            recordIdentifier: nil,
            rank: -3
        )
        _ = try await end.provide(1, identity)
        #expect(await seen.next() == ["https://é.example:8443/", "1", "ü", "-", "-3"])
    }

    @Test(arguments: [
        IdentityStatement(type: "passkey", service: .init(type: 0, identifier: "a"), user: "u", rank: 0),
        IdentityStatement(type: "", service: .init(type: 0, identifier: "a"), user: "u", rank: 0),
        IdentityStatement(type: "password", service: .init(type: 3, identifier: "a"), user: "u", rank: 0),
        IdentityStatement(type: "password", service: .init(type: -1, identifier: "a"), user: "u", rank: 0),
    ])
    func hasNoCredentialOfAKindItDoesNotKnow(identity: IdentityStatement) async throws {
        let end = try await DaemonEnd.started {
            Issue.record("a controller was made")
            return ScriptedController()
        }
        #expect(await Refusal.of { try await end.provide(1, identity) } == Refusal(1101))
    }

    @Test
    func asksForInteractionByDefault() async throws {
        let end = try await DaemonEnd.started { ASCredentialProviderViewController() }
        #expect(await Refusal.of { try await end.provide() } == Refusal(1100))
        #expect(await Refusal.of { try await end.list(2) } == Refusal(1000, "This provider has no list."))
    }

    @Test(arguments: [
        (ASExtensionError(.failed) as any Error, Refusal(1000)),
        (ASExtensionError(.userCanceled), Refusal(1001)),
        (ASExtensionError(.userInteractionRequired), Refusal(1100)),
        (ASExtensionError(.credentialIdentityNotFound), Refusal(1101)),
        (NSError(domain: ASExtensionErrorDomain, code: ASExtensionError.userCanceled.rawValue), Refusal(1001)),
        (NSError(domain: ASExtensionErrorDomain, code: 100, userInfo: nil), Refusal(1100)),
        (NSError(domain: ASExtensionErrorDomain, code: 77), Refusal(1000)),
        (NSError(domain: ASExtensionErrorDomain, code: -1), Refusal(1000)),
        (NSError(domain: "somewhere else", code: 1), Refusal(1000)),
        (CocoaError(.fileNoSuchFile), Refusal(1000)),
        (
            ASExtensionError(.failed, userInfo: [ASExtensionLocalizedFailureReasonErrorKey: "No network."]),
            Refusal(1000, "No network.")
        ),
        (
            ASExtensionError(.userCanceled, userInfo: [ASExtensionLocalizedFailureReasonErrorKey: "hunter2"]),
            Refusal(1001)
        ),
        (ASExtensionError(.failed, userInfo: [NSLocalizedDescriptionKey: "hunter2"]), Refusal(1000)),
        (
            ASExtensionError(
                .failed,
                userInfo: [ASExtensionLocalizedFailureReasonErrorKey: String(repeating: "x", count: 100_000)]
            ),
            Refusal(1000, String(repeating: "x", count: 512))
        ),
    ])
    func passesTheProvidersErrorOn(error: any Error, refusal: Refusal) async throws {
        let end = try await DaemonEnd.started {
            ScriptedController(provide: { controller, _ in controller.extensionContext.cancelRequest(withError: error) }
            )
        }
        #expect(await Refusal.of { try await end.provide() } == refusal)
    }

    @Test
    func tellsASecondAnswerThatItIsLate() async throws {
        let expired = Arrival<[Bool]>()
        let end = try await DaemonEnd.started {
            ScriptedController(provide: { controller, _ in
                controller.complete("first") { first in
                    controller.complete("second") { second in expired.arrive([first, second]) }
                    controller.extensionContext.cancelRequest(withError: ASExtensionError(.failed))
                }
            })
        }
        #expect(try await end.provide().user == "first")
        #expect(await expired.next() == [false, true])
    }

    @Test
    func answersFromAnotherThread() async throws {
        let end = try await DaemonEnd.started {
            ScriptedController(provide: { controller, _ in
                nonisolated(unsafe) let context = controller.extensionContext
                Thread.detachNewThread {
                    context.completeRequest(withSelectedCredential: ASPasswordCredential(user: "t", password: ""))
                }
            })
        }
        #expect(try await end.provide().user == "t")
    }

    @Test
    func endsARequestThatTheDaemonCancels() async throws {
        let begun = Arrival<ScriptedController>()
        let end = try await DaemonEnd.started {
            ScriptedController(provide: { controller, _ in begun.arrive(controller) })
        }
        async let refusal = Refusal.of { try await end.provide(4) }
        let controller = try #require(await begun.next())
        try end.cancel(4)
        #expect(await refusal == Refusal(1001))
        let expired = Arrival<Bool>()
        controller.complete("late") { expired.arrive($0) }
        #expect(await expired.next() == true)
    }

    @Test
    func doesNotBeginWhatWasCancelledBefore() async throws {
        let end = try await DaemonEnd.started {
            Issue.record("a controller was made")
            return ScriptedController()
        }
        _ = try await end.peer.call(Provider.Cancel.name, .object(["request": .integer(9)]))
        #expect(await Refusal.of { try await end.provide(9) } == Refusal(1001))
    }

    @Test
    func forgetsACancelOfARequestThatHasEnded() async throws {
        let end = try await DaemonEnd.started(Self.answering)
        _ = try await end.provide(1)
        _ = try await end.peer.call(Provider.Cancel.name, .object(["request": .integer(1)]))
        #expect(try await end.provide(1).user == "rmondello")
    }

    @Test
    func refusesANumberThatIsInUse() async throws {
        let end = try await DaemonEnd.started(Self.answering)
        _ = try await end.list(1)
        #expect(await Refusal.of { try await end.provide(1) }?.code == WireError.Code.invalidParams.rawValue)
        #expect(try await end.select("1").user == "secret-key-1")
    }

    @Test
    func boundsTheRequestsThatAreOpen() async throws {
        let end = try await DaemonEnd.started(Self.answering)
        for request in 1...ExtensionRuntime.requestLimit { _ = try await end.list(request) }
        #expect(await Refusal.of { try await end.list(100) }?.code == WireError.Code.busy.rawValue)
        _ = try await end.peer.call(Provider.Cancel.name, .object(["request": .integer(1)]))
        // The cancelled one is over, and there is room for another.
        #expect(await Refusal.of { try await end.answer(1) } == Refusal(1001))
        #expect(try await end.list(101).count == 2)
    }

    @Test
    func letsGoOfAControllerWhoseRequestHasEnded() async throws {
        weak var first: ScriptedController?
        var made = 0
        let end = try await DaemonEnd.started {
            let controller = ScriptedController(list: { controller, _ in controller.showList() })
            made += 1
            if made == 1 { first = controller }
            return controller
        }
        _ = try await end.list(1)
        _ = try await end.select("1", 1)
        _ = try await end.list(2)
        #expect(made == 2)
        // What the first request still has to do comes in between, and nothing tells when a controller is let go of.
        try await eventually("the first controller is let go of") { first == nil }
    }

    @Test
    func endsWithTheConnection() async throws {
        let begun = Arrival<ScriptedController>()
        let end = try await DaemonEnd.started {
            ScriptedController(provide: { controller, _ in begun.arrive(controller) })
        }
        let ended = Arrival<Bool>()
        end.provider.onClose { Task { @MainActor in ended.arrive(true) } }
        async let refusal = Refusal.of { try await end.provide() }
        _ = await begun.next()
        end.peer.close()
        #expect(await ended.next() == true)
        #expect(await refusal?.code == WireError.Code.providerUnavailable.rawValue)
    }
}
