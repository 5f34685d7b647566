// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Synchronization
import Testing

@testable import AuthenticationServices

/// An app's requests to change its accounts.
@MainActor
@Suite(.timeLimit(.minutes(1)))
final class ModificationControllerTests {
    /// A daemon that an app asks.
    private final class AskedDaemon: Sendable {
        typealias Answering = @Sendable (Modification.Request.Params) async throws -> Modification.Request.Answer

        let socket: ListeningSocket
        let asked = Mutex<[Modification.Request.Params]>([])
        private let peers = Mutex<[Peer]>([])

        init(_ directories: Directories, answer: @escaping Answering) throws {
            socket = try ListeningSocket(in: directories)
            Thread.detachNewThread { [self] in
                while let stream = socket.accept() {
                    let peer = Peer(stream: stream) { [self] method, params in
                        if method == Session.Hello.name {
                            return try JSONValue(
                                encoding: Session.Hello.Answer(
                                    protocol: 1, role: "client", version: "1", initialized: true, locked: false))
                        }
                        guard method == Modification.Request.name else { throw WireError(.methodNotFound, method) }
                        let params: Modification.Request.Params = try params.decoded()
                        asked.withLock { $0.append(params) }
                        return try JSONValue(encoding: try await answer(params))
                    }
                    peers.withLock { $0.append(peer) }
                    peer.start()
                }
            }
        }

        func stop() {
            socket.close()
            for peer in peers.withLock({ $0 }) { peer.close() }
        }
    }

    private enum Outcome {
        case done(String?)
        case failed(ASExtensionError.Code?, String?)
    }

    private final class Recorder: NSObject, ASAccountAuthenticationModificationControllerDelegate {
        let outcomes = Arrivals()

        final class Arrivals: Sendable {
            let stream: AsyncStream<Outcome>
            let continuation: AsyncStream<Outcome>.Continuation

            init() {
                (stream, continuation) = AsyncStream.makeStream()
            }
        }

        func accountAuthenticationModificationController(
            _ controller: ASAccountAuthenticationModificationController,
            didSuccessfullyComplete request: ASAccountAuthenticationModificationRequest,
            userInfo: [AnyHashable: Any]?
        ) {
            outcomes.continuation.yield(.done(userInfo?["session"] as? String))
        }

        func accountAuthenticationModificationController(
            _ controller: ASAccountAuthenticationModificationController,
            didFail request: ASAccountAuthenticationModificationRequest, error: any Error
        ) {
            let error = error as? ASExtensionError
            outcomes.continuation.yield(
                .failed(error?.code, error?.userInfo[ASExtensionLocalizedFailureReasonErrorKey] as? String))
        }
    }

    /// Short wherever TMPDIR is: a socket is in it.
    private let root = "/tmp/latchkey-modify-" + UUID().uuidString.prefix(8)
    private let directories: Directories
    private let recorder = Recorder()

    init() throws {
        directories = try #require(Directories(environment: ["HOME": root, "XDG_RUNTIME_DIR": root]))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    private func controller() -> ASAccountAuthenticationModificationController {
        let controller = ASAccountAuthenticationModificationController(
            connection: AuthorizationConnection(
                directories, terminal: RendererTerminal(environment: [:], path: "/nowhere")))
        controller.delegate = recorder
        return controller
    }

    private func strong(_ userInfo: [AnyHashable: Any]? = ["token": "t"])
        -> ASAccountAuthenticationModificationUpgradePasswordToStrongPasswordRequest
    {
        .init(
            user: "jappleseed",
            serviceIdentifier: ASCredentialServiceIdentifier(identifier: "shiny.example.com", type: .domain),
            userInfo: userInfo)
    }

    private func next() async -> Outcome? {
        for await outcome in recorder.outcomes.stream { return outcome }
        return nil
    }

    @Test func asksAndIsToldWhatTheExtensionGaveAlong() async throws {
        let sent = try #require(UserInfoList(["session": "s"]))
        let daemon = try AskedDaemon(directories) { _ in .init(userInfo: WireSecret(sent.bytes)) }
        defer { daemon.stop() }
        controller().perform(strong())
        guard case .done("s") = await next() else { return #expect(Bool(false)) }
        let asked = try #require(daemon.asked.withLock { $0.first })
        #expect(asked.user == "jappleseed" && asked.kind == "strong-password" && asked.surfaces == ["window"])
        #expect(asked.service == ServiceStatement(type: 0, identifier: "shiny.example.com"))
        #expect(asked.userInfo.flatMap { UserInfoList.userInfo($0.bytes) }?["token"] as? String == "t")
    }

    @Test func withoutUserInfoNothingTravels() async throws {
        let daemon = try AskedDaemon(directories) { _ in .init() }
        defer { daemon.stop() }
        controller().perform(strong(nil))
        guard case .done(nil) = await next() else { return #expect(Bool(false)) }
        #expect(daemon.asked.withLock { $0.first?.userInfo } == nil)
    }

    @Test(
        arguments: [
            (WireError(.userCanceled, "x"), ASExtensionError.Code.userCanceled, nil),
            (WireError(.providerExtension(1), "x"), .userCanceled, nil),
            (WireError(.providerExtension(0), "x", reason: "Policy."), .failed, "Policy."),
            (WireError(.providerExtension(0), "x"), .failed, nil),
            // What is Latchkey's own stays there.
            (WireError(.refused, "x", reason: "secret"), .failed, nil),
            (WireError(.locked, "x", reason: "y"), .failed, nil),
            (WireError(.providerExtension(100), "x"), .failed, nil), (WireError(.methodNotFound, "x"), .failed, nil),
            (WireError(.init(rawValue: 4711), "x"), .failed, nil),
        ] as [(WireError, ASExtensionError.Code, String?)])
    func errors(error: WireError, code: ASExtensionError.Code, sentence: String?) async throws {
        let daemon = try AskedDaemon(directories) { _ in throw error }
        defer { daemon.stop() }
        controller().perform(strong())
        guard case .failed(let told, let said) = await next() else { return #expect(Bool(false)) }
        #expect(told == code && said == sentence)
    }

    @Test func failsWithoutADaemon() async {
        controller().perform(strong())
        guard case .failed(.failed, nil) = await next() else { return #expect(Bool(false)) }
    }

    @Test func failsWithoutAskingForWhatIsNotThere() async throws {
        let daemon = try AskedDaemon(directories) { _ in .init() }
        defer { daemon.stop() }
        let requests = [
            apple(["x": NSObject()]), ASAccountAuthenticationModificationRequest(), strong(["x": NSObject()]),
        ]
        for request in requests {
            controller().perform(request)
            guard case .failed(.failed, nil) = await next() else { return #expect(Bool(false)) }
        }
        #expect(daemon.asked.withLock { $0.isEmpty })
    }

    private func apple(
        _ userInfo: [AnyHashable: Any]? = nil
    ) -> ASAccountAuthenticationModificationReplacePasswordWithSignInWithAppleRequest {
        .init(
            user: "u", serviceIdentifier: ASCredentialServiceIdentifier(identifier: "a", type: .domain),
            userInfo: userInfo)
    }

    @Test func asksForSignInWithApple() async throws {
        let daemon = try AskedDaemon(directories) { _ in .init() }
        defer { daemon.stop() }
        controller().perform(apple(["token": "t"]))
        guard case .done(nil) = await next() else { return #expect(Bool(false)) }
        let asked = try #require(daemon.asked.withLock { $0.first })
        #expect(asked.kind == Modification.signInWithApple && asked.user == "u" && asked.service.identifier == "a")
        #expect(asked.userInfo.flatMap { UserInfoList.userInfo($0.bytes) }?["token"] as? String == "t")
    }

    @Test func oneRequestAtATime() async throws {
        let (go, release) = AsyncStream<Void>.makeStream()
        let daemon = try AskedDaemon(directories) { _ in
            for await _ in go {}
            return .init()
        }
        defer { daemon.stop() }
        let controller = controller()
        controller.perform(strong())
        controller.perform(strong())
        guard case .failed(.failed, nil) = await next() else { return #expect(Bool(false)) }
        release.finish()
        guard case .done(nil) = await next() else { return #expect(Bool(false)) }
    }
}
