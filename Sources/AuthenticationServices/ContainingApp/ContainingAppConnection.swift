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
    private let waiting: WaitingConnection

    /// - Parameter directories: Where the daemon's socket is.
    init(_ directories: Directories?) {
        self.directories = directories
        waiting = WaitingConnection(directories)
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

    /// The same for callers that cannot suspend: nothing of it needs a thread of the shared pool, all of which may be waiting in
    /// this very function.
    func openAndWait() throws -> ContainingApp.Open.Answer {
        try waiting.ask(ContainingApp.Open.self, Empty())
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
            throw WireError(.methodNotFound, "A containing app receives no requests.")
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

    static let notAvailable = WireError(.notPermitted, "Latchkey does not run.")
    static let notKnown = WireError(
        .notPermitted, "Latchkey does not know this program as the app of a provider.")
}
