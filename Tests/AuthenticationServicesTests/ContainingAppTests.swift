// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Synchronization
import Testing

@testable import AuthenticationServices

/// A daemon that a containing app finds at its socket.
private final class AppDaemon: Sendable {
    let socket: ListeningSocket
    let recorder: StoreRecorder
    let state = Mutex<(role: String, peers: [Peer], refusals: [String: WireError])>(("app", [], [:]))

    init(_ directories: Directories, recorder: StoreRecorder = StoreRecorder()) throws {
        socket = try ListeningSocket(in: directories)
        self.recorder = recorder
        Thread.detachNewThread { [self] in
            while let stream = socket.accept() {
                let peer = Peer(stream: stream) { [self] in try answer($0, $1) }
                state.withLock { $0.peers.append(peer) }
                peer.start()
            }
        }
    }

    func stop() {
        socket.close()
        for peer in state.withLock({ $0.peers }) { peer.close() }
    }

    private func answer(_ method: String, _ params: JSONValue) throws -> JSONValue {
        let (role, refusal) = state.withLock { ($0.role, $0.refusals[method]) }
        if let refusal { throw refusal }
        switch method {
        case Session.Hello.name:
            let hello: Session.Hello.Params = try params.decoded()
            return try JSONValue(
                encoding: Session.Hello.Answer(
                    protocol: hello.protocol,
                    role: role,
                    version: "1",
                    initialized: true,
                    locked: false
                )
            )
        case ContainingApp.Open.name:
            let group = GroupStatement(identifier: "group.com.example", folder: "/nowhere/group", key: .container)
            return try JSONValue(
                encoding: ContainingApp.Open.Answer(
                    identifier: "com.example.test",
                    container: "/nowhere",
                    key: .container,
                    groups: [group]
                )
            )
        case ContainingApp.State.name, ContainingApp.RequestEnable.name:
            return try JSONValue(encoding: ContainingApp.EnabledAnswer(enabled: true))
        case Provider.ListIdentities.name:
            let params: Provider.ListIdentities.Params = try params.decoded()
            let start = params.cursor ?? 0
            let type = params.types?.first ?? "password"
            let page = (start..<min(start + 1000, 2500)).map { IdentityStatement.shiny("\($0)", type: type) }
            return try JSONValue(
                encoding: Provider.ListIdentities.Answer(
                    identities: page,
                    cursor: start + 1000 < 2500 ? start + 1000 : nil
                )
            )
        default: return try recorder.answer(method, params)
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
final class ContainingAppTests {
    /// Short wherever TMPDIR is: a socket is in it.
    private let root = "/tmp/latchkey-app-" + UUID().uuidString.prefix(8)
    private let directories: Directories
    private let app: ContainingAppConnection
    private let store: ASCredentialIdentityStore

    init() throws {
        let environment = ["HOME": root, "XDG_RUNTIME_DIR": root]
        directories = try #require(Directories(environment: environment))
        app = ContainingAppConnection(directories)
        store = ASCredentialIdentityStore(connection: StoreConnection(app: app))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    private var identity: ASPasswordCredentialIdentity {
        .init(serviceIdentifier: .init(identifier: "a.example", type: .domain), user: "u", recordIdentifier: "r")
    }

    @Test
    func reachesTheStore() async throws {
        let daemon = try AppDaemon(directories)
        defer { daemon.stop() }
        #expect(await store.state().isEnabled)
        try await store.saveCredentialIdentities([identity])
        #expect(daemon.recorder.identities == ["0 a.example u r"])
        try await store.replaceCredentialIdentities(
            with: (0..<2001).map {
                .init(
                    serviceIdentifier: .init(identifier: "a.example", type: .domain),
                    user: "\($0)",
                    recordIdentifier: nil
                )
            }
        )
        #expect(daemon.recorder.methods.suffix(4) == ["store.begin", "store.append", "store.append", "store.commit"])
        #expect(daemon.state.withLock { $0.peers.count } == 1)
        #expect(try await app.isEnabled())
        #expect(await app.requestToTurnOn())
    }

    @Test
    func isDisabledWhereNoDaemonRunsAndFindsItLater() async throws {
        #expect(await !store.state().isEnabled)
        do {
            try await store.saveCredentialIdentities([identity])
            Issue.record("it was saved")
        } catch ASCredentialIdentityStoreError.storeDisabled {}
        #expect(await store.credentialIdentities().isEmpty)
        #expect(await !app.requestToTurnOn())
        let daemon = try AppDaemon(directories)
        defer { daemon.stop() }
        #expect(await store.state().isEnabled)
    }

    @Test
    func findsADaemonThatWasStartedAnew() async throws {
        let recorder = StoreRecorder()
        for round in 0..<4 {
            let daemon = try AppDaemon(directories, recorder: recorder)
            try await store.saveCredentialIdentities([identity])
            #expect(recorder.methods.count == round + 1)
            daemon.stop()
            // A daemon lets go of its lock when it ends, which one in this process does not.
            try? FileManager.default.removeItem(atPath: directories.runtime + "/latchkeyd.lock")
        }
        await #expect(throws: (any Error).self) { try await store.saveCredentialIdentities([identity]) }
    }

    @Test
    func connectsOnceForMany() async throws {
        let daemon = try AppDaemon(directories)
        defer { daemon.stop() }
        let app = app
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { #expect((try? await app.isEnabled()) == true) } }
        }
        #expect(daemon.state.withLock { $0.peers.count } == 1)
    }

    /// Waits on a thread of its own: one of the shared pool would be missing for the daemon of this process.
    private static func current(_ app: ContainingAppConnection) async throws -> ProviderContainer {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try ProviderContainer.current(app) }) }
        }
    }

    @Test
    func waitsForTheContainerWithoutSuspending() async throws {
        await #expect(throws: ProviderContainerError.self) { try await Self.current(app) }
        let daemon = try AppDaemon(directories)
        defer { daemon.stop() }
        let container = try await Self.current(app)
        #expect(container.identifier == "com.example.test")
        #expect(container.groups.map(\.folder.path) == ["/nowhere/group"])
        daemon.state.withLock { $0.refusals[ContainingApp.Open.name] = WireError(.locked, "x") }
        func code() async -> ProviderContainerError.Code? {
            do {
                _ = try await Self.current(app)
                return nil
            } catch {
                return (error as? ProviderContainerError)?.code
            }
        }
        #expect(await code() == .locked)
        // Who is somebody else to a daemon that was started anew is told so.
        let peers = daemon.state.withLock { state in
            defer { state = ("settings", [], [:]) }
            return state.peers
        }
        for peer in peers { peer.close() }
        #expect(await code() == .notAvailable)
    }

    /// Each on a thread of its own, as apps ask that know nothing of `async`.
    @Test
    func manyThreadsShareOneConnection() async throws {
        let daemon = try AppDaemon(directories)
        defer { daemon.stop() }
        let app = app
        let identifiers = try await withThrowingTaskGroup { group in
            for _ in 0..<32 {
                group.addTask {
                    var found: [String] = []
                    for _ in 0..<4 { found.append(try await Self.current(app).identifier) }
                    return found
                }
            }
            return try await group.reduce(into: [String]()) { $0 += $1 }
        }
        #expect(identifiers == Array(repeating: "com.example.test", count: 128))
        #expect(daemon.state.withLock { $0.peers.count } == 1)
    }

    @Test
    func waitsAtADaemonThatWasStartedAnew() async throws {
        for _ in 0..<3 {
            let daemon = try AppDaemon(directories)
            for _ in 0..<2 { #expect(try await Self.current(app).identifier == "com.example.test") }
            #expect(daemon.state.withLock { $0.peers.count } == 1)
            daemon.stop()
            try? FileManager.default.removeItem(atPath: directories.runtime + "/latchkeyd.lock")
        }
        await #expect(throws: ProviderContainerError.self) { try await Self.current(app) }
    }

    @Test(arguments: ["none", "settings", "", "provider"])
    func isDisabledInAnotherRole(role: String) async throws {
        let daemon = try AppDaemon(directories)
        defer { daemon.stop() }
        daemon.state.withLock { $0.role = role }
        #expect(await !store.state().isEnabled)
        #expect(daemon.recorder.methods == [])
        let refusal = await Refusal.of { try await self.app.open() }
        #expect(refusal?.code == WireError.Code.notPermitted.rawValue)
    }

    @Test(arguments: [
        (WireError(.identityStore(1), "x"), ASCredentialIdentityStoreError.Code.storeDisabled),
        (WireError(.identityStore(2), "x"), .storeBusy), (WireError(.locked, "x"), .storeDisabled),
        (WireError(.internalError, "x"), .internalError),
    ])
    func makesTheDaemonsErrorsApples(error: WireError, code: ASCredentialIdentityStoreError.Code) async throws {
        let daemon = try AppDaemon(directories)
        defer { daemon.stop() }
        daemon.recorder.fail("store.save", with: error)
        do {
            try await store.saveCredentialIdentities([identity])
            Issue.record("it was saved")
        } catch let error as ASCredentialIdentityStoreError {
            #expect(error.code == code)
        }
    }

    @Test
    func listsWhatTheStoreHolds() async throws {
        let daemon = try AppDaemon(directories)
        defer { daemon.stop() }
        let all = await store.credentialIdentities()
        #expect(all.count == 2500)
        #expect(all.map(\.recordIdentifier) == (0..<2500).map { "\($0)" })
        let service = ASCredentialServiceIdentifier(identifier: "shiny.example.com", type: .domain)
        let codes = await store.credentialIdentities(forService: service, credentialIdentityTypes: .oneTimeCode)
        #expect(codes.allSatisfy { $0 is ASOneTimeCodeCredentialIdentity })
        #expect(codes.count == 2500)
        #expect(await store.credentialIdentities(credentialIdentityTypes: .passkey).isEmpty)
    }

    @Test
    func opensTheContainer() async throws {
        await #expect(throws: ProviderContainerError(.notAvailable, "Latchkey does not run.")) {
            try await ProviderContainer.open(self.app)
        }
        let daemon = try AppDaemon(directories)
        defer { daemon.stop() }
        let container = try await ProviderContainer.open(app)
        #expect(container.identifier == "com.example.test")
        #expect(container.key.withUnsafeBytes { Array($0) } == Array(0..<32))
        #expect(container.group("group.com.example")?.folder.path == "/nowhere/group")
        daemon.state.withLock { $0.refusals[ContainingApp.Open.name] = WireError(.locked, "Latchkey is locked.") }
        await #expect(throws: ProviderContainerError(.locked, "Latchkey is locked.")) {
            try await ProviderContainer.open(self.app)
        }
    }
}
