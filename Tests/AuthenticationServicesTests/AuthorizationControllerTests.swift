// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import Synchronization
import Testing

@testable import AuthenticationServices

/// A daemon that an app asks for a password.
private final class AskedDaemon: Sendable {
    let socket: ListeningSocket
    let role: String
    let answer: @Sendable (Authorization.Request.Params, Peer) async throws -> CredentialAnswer
    let asked = Mutex<[Authorization.Request.Params]>([])
    let saved = Mutex<[Authorization.Save.Params]>([])
    /// What a wish to save is answered with; nothing for a yes.
    let refusal = Mutex<WireError?>(nil)
    let peers = Mutex<[Peer]>([])

    init(
        _ directories: Directories, role: String = "client",
        answer: @escaping @Sendable (Authorization.Request.Params, Peer) async throws -> CredentialAnswer
    ) throws {
        socket = try ListeningSocket(in: directories)
        self.role = role
        self.answer = answer
        Thread.detachNewThread { [self] in
            while let stream = socket.accept() {
                let holder = Mutex<Peer?>(nil)
                let box = Box(holder)
                let peer = Peer(stream: stream) { [self] method, params in
                    try await reply(method, params, box)
                }
                box.peer.withLock { $0 = peer }
                peers.withLock { $0.append(peer) }
                peer.start()
            }
        }
    }

    private final class Box: Sendable {
        let peer: Mutex<Peer?>

        init(_ peer: consuming Mutex<Peer?>) {
            self.peer = peer
        }
    }

    private func reply(_ method: String, _ params: JSONValue, _ box: Box) async throws -> JSONValue {
        switch method {
        case Session.Hello.name:
            return try JSONValue(
                encoding: Session.Hello.Answer(
                    protocol: 1, role: role, version: "1", initialized: true, locked: false))
        case Authorization.Request.name:
            let params: Authorization.Request.Params = try params.decoded()
            asked.withLock { $0.append(params) }
            guard let peer = box.peer.withLock({ $0 }) else { throw WireError(.internalError, "") }
            return try JSONValue(encoding: try await answer(params, peer))
        case Authorization.Save.name:
            let params: Authorization.Save.Params = try params.decoded()
            saved.withLock { $0.append(params) }
            if let refusal = refusal.withLock({ $0 }) { throw refusal }
            return .object([:])
        default: throw WireError(.methodNotFound, method)
        }
    }

    func stop() {
        socket.close()
        for peer in peers.withLock({ $0 }) { peer.close() }
    }
}

@MainActor
private final class RecordingDelegate: NSObject, ASAuthorizationControllerDelegate {
    private var waiting: CheckedContinuation<Result<ASAuthorization, any Error>, Never>?
    private var outcomes: [Result<ASAuthorization, any Error>] = []

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        take(.success(authorization))
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        take(.failure(error))
    }

    private func take(_ outcome: Result<ASAuthorization, any Error>) {
        if let waiting {
            self.waiting = nil
            waiting.resume(returning: outcome)
        } else {
            outcomes.append(outcome)
        }
    }

    func next() async -> Result<ASAuthorization, any Error> {
        if !outcomes.isEmpty { return outcomes.removeFirst() }
        return await withCheckedContinuation { waiting = $0 }
    }

    func nextCode() async -> ASAuthorizationError.Code? {
        guard case .failure(let error) = await next() else { return nil }
        return (error as? ASAuthorizationError)?.code
    }
}

@MainActor
@Suite(.timeLimit(.minutes(1)))
final class AuthorizationControllerTests {
    /// Short wherever TMPDIR is: a socket is in it.
    private let root = "/tmp/latchkey-ask-" + UUID().uuidString.prefix(8)
    private let directories: Directories
    private let delegate = RecordingDelegate()

    init() throws {
        directories = try #require(Directories(environment: ["HOME": root, "XDG_RUNTIME_DIR": root]))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    private func controller(
        _ requests: [ASAuthorizationRequest]? = nil, environment: [String: String] = [:]
    ) -> ASAuthorizationController {
        let controller = ASAuthorizationController(
            authorizationRequests: requests ?? [ASAuthorizationPasswordProvider().createRequest()],
            connection: AuthorizationConnection(
                directories, terminal: RendererTerminal(environment: environment, path: "/nowhere")))
        controller.delegate = delegate
        return controller
    }

    nonisolated private static func credential(_ password: String = "correct horse") -> CredentialAnswer {
        .init(
            credential: .init(
                type: "password", user: "rmondello", password: WireSecret(SecretBytes(utf8: password))))
    }

    @Test func deliversWhatTheUserChose() async throws {
        let daemon = try AskedDaemon(directories) { _, _ in Self.credential() }
        defer { daemon.stop() }
        controller().performRequests()
        let authorization = try await delegate.next().get()
        let credential = try #require(authorization.credential as? ASPasswordCredential)
        #expect(credential.user == "rmondello")
        #expect(credential.password == "correct horse")
        #expect(authorization.provider is ASAuthorizationPasswordProvider)
        #expect(daemon.asked.withLock { $0 } == [.init(types: ["password"], surfaces: ["window"])])
    }

    @Test("S26: an app is told canceled, whatever the reason")
    func canceled() async throws {
        let daemon = try AskedDaemon(directories) { _, _ in
            throw WireError(.userCanceled, "The request was canceled.")
        }
        defer { daemon.stop() }
        controller().performRequests(options: .preferImmediatelyAvailableCredentials)
        #expect(await delegate.nextCode() == .canceled)
        #expect(daemon.asked.withLock { $0.first?.immediate } == true)
    }

    @Test(arguments: [
        (WireError.Code.notPermitted, ASAuthorizationError.Code.failed), (.busy, .failed), (.internalError, .failed),
        (.methodNotFound, .notHandled), (.invalidParams, .notHandled), (.providerUnavailable, .failed),
        (WireError.Code(rawValue: 4711), .failed),
    ])
    func otherErrors(code: WireError.Code, expected: ASAuthorizationError.Code) async throws {
        let daemon = try AskedDaemon(directories) { _, _ in throw WireError(code, "no") }
        defer { daemon.stop() }
        controller().performRequests()
        #expect(await delegate.nextCode() == expected)
    }

    private func save(_ url: String, title: String? = nil) async throws {
        let connection = AuthorizationConnection(
            directories, terminal: RendererTerminal(environment: [:], path: "/nowhere"))
        let scope = try #require(URL(string: url).flatMap { ASAutoFillURLScope(url: $0) })
        try await ASCredentialDataManager(connection: connection).save(
            password: ASPasswordCredential(user: "rmondello", password: "correct horse"), for: scope, title: title,
            anchor: UIWindow())
    }

    @Test func hasAPasswordSaved() async throws {
        let daemon = try AskedDaemon(directories) { _, _ in Self.credential() }
        defer { daemon.stop() }
        try await save("https://shiny.example.com/account", title: "Shiny")
        let params = try #require(daemon.saved.withLock { $0.first })
        #expect(params.url == "https://shiny.example.com/account" && params.user == "rmondello")
        #expect(params.title == "Shiny" && params.surfaces == ["window"])
        #expect(params.password.bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } == "correct horse")
    }

    @Test(
        "S26: an app is told canceled, whatever the reason",
        arguments: [
            (WireError.Code.userCanceled, ASAuthorizationError.Code.canceled), (.invalidParams, .notHandled),
            (.busy, .failed), (.methodNotFound, .notHandled),
        ])
    func savingThatCameToNothing(code: WireError.Code, expected: ASAuthorizationError.Code) async throws {
        let daemon = try AskedDaemon(directories) { _, _ in Self.credential() }
        defer { daemon.stop() }
        daemon.refusal.withLock { $0 = WireError(code, "no") }
        await #expect {
            try await save("http://shiny.example.com")
        } throws: {
            ($0 as? ASAuthorizationError)?.code == expected
        }
    }

    @Test func withoutADaemonItFails() async {
        controller().performRequests()
        #expect(await delegate.nextCode() == .failed)
    }

    @Test func anotherRoleFails() async throws {
        let daemon = try AskedDaemon(directories, role: "settings") { _, _ in Self.credential() }
        defer { daemon.stop() }
        controller().performRequests()
        #expect(await delegate.nextCode() == .failed)
        #expect(daemon.asked.withLock { $0.isEmpty })
    }

    @Test func whatIsNoPasswordIsNotHandled() async throws {
        let daemon = try AskedDaemon(directories) { _, _ in Self.credential() }
        defer { daemon.stop() }
        for requests in [[], [ASAuthorizationAppleIDProvider().createRequest()]] as [[ASAuthorizationRequest]] {
            controller(requests).performRequests()
            #expect(await delegate.nextCode() == .notHandled)
        }
        controller().performAutoFillAssistedRequests()
        #expect(await delegate.nextCode() == .notHandled)
        #expect(daemon.asked.withLock { $0.isEmpty })
    }

    @Test func passwordIsAskedForBesideOthers() async throws {
        let daemon = try AskedDaemon(directories) { _, _ in Self.credential() }
        defer { daemon.stop() }
        let requests: [ASAuthorizationRequest] = [
            ASAuthorizationAppleIDProvider().createRequest(), ASAuthorizationPasswordProvider().createRequest(),
        ]
        controller(requests).performRequests()
        #expect(try await delegate.next().get().credential is ASPasswordCredential)
    }

    @Test func cancelIsToldToTheDelegate() async throws {
        let (asking, asked) = AsyncStream<Never>.makeStream()
        let daemon = try AskedDaemon(directories) { _, _ in
            asked.finish()
            try await Task.sleep(for: .seconds(600))
            return Self.credential()
        }
        defer { daemon.stop() }
        let controller = self.controller()
        controller.performRequests()
        for await _ in asking {}
        controller.cancel()
        #expect(await delegate.nextCode() == .canceled)
    }

    @Test func oneRequestAtATime() async throws {
        let daemon = try AskedDaemon(directories) { _, _ in
            try await Task.sleep(for: .seconds(600))
            return Self.credential()
        }
        defer { daemon.stop() }
        let controller = self.controller()
        controller.performRequests()
        controller.performRequests()
        #expect(await delegate.nextCode() == .failed)
        controller.cancel()
        #expect(await delegate.nextCode() == .canceled)
    }

    @Test func withoutATerminalNoRendererIsStarted() async throws {
        let refused = Mutex<WireError?>(nil)
        let daemon = try AskedDaemon(directories) { [refused = Holder(refused)] _, peer in
            do {
                _ = try await peer.call(Authorization.Present.self, .init(ticket: "t", program: "/bin/true"))
            } catch let error as WireError {
                refused.value.withLock { $0 = error }
            }
            throw WireError(.userCanceled, "")
        }
        defer { daemon.stop() }
        controller().performRequests()
        #expect(await delegate.nextCode() == .canceled)
    }

    private final class Holder: Sendable {
        let value: Mutex<WireError?>

        init(_ value: consuming Mutex<WireError?>) {
            self.value = value
        }
    }

    @Test("S21: where the system may ask follows from where the program runs")
    func surfaces() {
        func surfaces(_ environment: [String: String]) -> [String] {
            RendererTerminal(environment: environment, path: "/nowhere").surfaces
        }
        #expect(surfaces(["WAYLAND_DISPLAY": "wayland-0"]) == ["window"])
        #expect(surfaces([:]) == ["window"])
        #expect(surfaces(["SSH_CONNECTION": "x", "DISPLAY": ":0"]) == [])
    }

    @Test func requestsAreCopiedAndArchived() throws {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.email]
        request.state = "s"
        request.nonce = "n"
        request.user = "u"
        request.requestedOperation = .operationLogin
        let copy = try #require(request.copy() as? ASAuthorizationAppleIDRequest)
        #expect(copy !== request)
        let data = try NSKeyedArchiver.archivedData(withRootObject: request, requiringSecureCoding: true)
        let read = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: ASAuthorizationAppleIDRequest.self, from: data))
        for other in [copy, read] {
            #expect(other.requestedScopes == [.email])
            #expect(other.state == "s")
            #expect(other.nonce == "n")
            #expect(other.user == "u")
            #expect(other.requestedOperation == .operationLogin)
        }
        let password = ASAuthorizationPasswordProvider().createRequest()
        let bytes = try NSKeyedArchiver.archivedData(withRootObject: password, requiringSecureCoding: true)
        let again = try NSKeyedUnarchiver.unarchivedObject(ofClass: ASAuthorizationPasswordRequest.self, from: bytes)
        #expect(again?.provider is ASAuthorizationPasswordProvider)
    }
}
