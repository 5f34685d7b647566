// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation
internal import Synchronization

/// A containing app's way to the daemon: connects when something is asked for, and again when the daemon has been
/// started anew.
final class ContainingAppConnection: Sendable {
    /// The one of this process.
    static let shared = ContainingAppConnection(Directories(environment: ProcessInfo.processInfo.environment))

    /// So long an answer is waited for, where it does not wait for the user.
    private static let patience = Duration.seconds(30)

    private let directories: Directories?
    private let current = Mutex<Task<Peer, any Error>?>(nil)

    /// - Parameter directories: Where the daemon's socket is.
    init(_ directories: Directories?) {
        self.directories = directories
    }

    /// Asks the user to enable the provider; tells whether it is enabled then. False as well where nobody can be asked.
    func requestToTurnOn() async -> Bool {
        let answer = try? await carryOut { try await $0.call(ContainingApp.RequestEnable.self, Empty()) }
        return answer?.enabled ?? false
    }

    /// Whether the provider is enabled. Throws the daemon's `WireError`.
    func isEnabled() async throws -> Bool {
        try await carryOut { try await $0.call(ContainingApp.State.self, Empty(), timeout: Self.patience) }.enabled
    }

    /// The provider's folders and keys. Throws the daemon's `WireError`; `locked` while it is locked.
    func open() async throws -> ContainingApp.Open.Answer {
        try await carryOut { try await $0.call(ContainingApp.Open.self, Empty(), timeout: Self.patience) }
    }

    /// The same for callers that cannot suspend, over a connection of its own: nothing here needs a thread of the shared
    /// pool, all of which may be waiting in this very function.
    func openAndWait() throws -> ContainingApp.Open.Answer {
        guard let directories, let stream = try DaemonConnector.connect(directories, isOwnProgram: false) else {
            throw Self.notAvailable
        }
        // Ends the waiting for a daemon that does not answer.
        let limit = DispatchWorkItem { stream.close() }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(30), execute: limit)
        defer {
            limit.cancel()
            stream.close()
        }
        let program = Program(name: ProcessInfo.processInfo.processName, version: "0")
        let hello = try Self.exchange(
            Session.Hello.self, .init(protocol: 1, client: program), number: 1, over: stream)
        guard hello.role == "app" else { throw Self.notKnown }
        return try Self.exchange(ContainingApp.Open.self, Empty(), number: 2, over: stream)
    }

    /// Asks and waits for the answer; everything else that comes is passed over.
    private static func exchange<M: WireMethod>(
        _ method: M.Type,
        _ params: M.Params,
        number: Int64,
        over stream: FramedStream
    ) throws -> M.Answer {
        let request = Message.request(id: .integer(number), method: M.name, params: try JSONValue(encoding: params))
        try stream.send(request.encoded())
        while let body = try stream.receive() {
            let message = try body.withUnsafeBytes { try Message(decoding: $0) }
            if case .response(.integer(number), let result) = message { return try result.get().decoded() }
        }
        throw notAvailable
    }

    /// Carries something out that may be carried out twice: where the connection turns out to have ended, a new one is
    /// made and it is tried once more.
    func carryOut<Answer: Sendable>(
        _ operation: @Sendable (Peer) async throws -> Answer
    ) async throws -> Answer {
        let peer = try await peer()
        do {
            return try await operation(peer)
        } catch let error as WireError where error.code == .providerUnavailable {
            // A write may fail before the end of the connection has been read.
            peer.close()
            return try await operation(try await self.peer())
        }
    }

    /// The connection, made now where there is none that lives.
    private func peer() async throws -> Peer {
        let last = current.withLock { $0 }
        if let peer = try? await last?.value, !peer.isClosed { return peer }
        let attempt = current.withLock { current in
            // Somebody else has begun meanwhile.
            if let current, current != last { return current }
            let attempt = Task { try await self.connect() }
            current = attempt
            return attempt
        }
        return try await attempt.value
    }

    private func connect() async throws -> Peer {
        guard let directories, let stream = try DaemonConnector.connect(directories, isOwnProgram: false) else {
            throw Self.notAvailable
        }
        let peer = Peer(stream: stream) { _, _ in
            throw WireError(.methodNotFound, "A containing app is asked for nothing.")
        }
        peer.start()
        do {
            let program = Program(name: ProcessInfo.processInfo.processName, version: "0")
            let hello = Session.Hello.Params(protocol: 1, client: program)
            let answer = try await peer.call(Session.Hello.self, hello, timeout: Self.patience)
            guard answer.role == "app" else { throw Self.notKnown }
            return peer
        } catch {
            peer.close()
            throw error
        }
    }

    private static let notAvailable = WireError(.notPermitted, "Latchkey does not run.")
    private static let notKnown = WireError(
        .notPermitted, "Latchkey does not know this program as the app of a provider.")
}
