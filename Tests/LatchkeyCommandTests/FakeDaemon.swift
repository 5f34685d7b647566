// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import Synchronization

/// Plays `latchkeyd` for one test, through the real framing and messages: keeps items in memory, and says no as told.
final class FakeDaemon: Sendable {
    static let passphrase = "correct horse"
    static let recoveryCode = "ABCDE-FGHJK-MNPQR-STVWX-YZ012-34567-89ABC"

    /// An item with what the wire keeps apart.
    struct Kept {
        var item: Item
        var password: String
        var notes: String?
        /// With the set-up key of its authenticator.
        var link: String?
        var history: [PasswordChange] = []
    }

    /// What the daemon has and how it behaves.
    struct State {
        var isInitialized = true
        var missingKeyring: MissingKeyring?
        var isLocked = false
        /// Whether a release is refused until `authenticate`.
        var wantsAuthentication = false
        var hasPIN = false
        var kept: [Kept] = []
        var preferences = Preferences(
            autoFill: true, authentication: "after", authenticationMinutes: 5, fills: "never", idleMinutes: 30,
            lockOnSuspend: true,
            lockOnScreenLock: true)
        var audit: [AuditLine] = []
        var isIntact = true
        var pageSize = 200
        /// Whether an account is removed while an export goes on.
        var removesBetweenPages = false
        /// Answers instead of what a method does.
        var failures: [String: WireError] = [:]
        /// The same, from the request of that number on; the first is 1.
        var lateFailures: [String: (first: Int, error: WireError)] = [:]
        var asked: [String] = []
        var lastParams: [String: JSONValue] = [:]
        var consents: [ConsentStatement] = []
        var refusesUsers: Set<String> = []
        var providers: [ProviderStatement] = [FakeProviders.builtIn]
        var isolation: IsolationStatement? = IsolationStatement(available: true)
    }

    let home: TestHome
    /// An interface that requests of the command line show.
    private let prompt: FakePrompt?
    private let state: Mutex<State>
    private let socket: ListeningSocket
    private let peers = Mutex<[Peer]>([])

    init(_ home: TestHome, _ initial: State = State(), prompt: FakePrompt? = nil) throws {
        self.home = home
        self.prompt = prompt
        state = Mutex(initial)
        socket = try ListeningSocket(in: home.directories)
        let socket = self.socket
        Thread.detachNewThread { [weak self] in
            while let stream = socket.accept() {
                let peer = Peer(stream: stream) { [weak self] method, params in
                    guard let self else { throw WireError(.internalError, "The test is over.") }
                    if let answer = try await self.prompt?.answer(method, params, self.peers.withLock { $0.last }) {
                        return answer
                    }
                    return try self.answer(method, params)
                }
                self?.peers.withLock { $0.append(peer) }
                peer.start()
            }
        }
    }

    deinit {
        socket.close()
        for peer in peers.withLock({ $0 }) { peer.close() }
    }

    func with<Result>(_ body: (inout State) -> sending Result) -> sending Result {
        state.withLock { body(&$0) }
    }

    var asked: [String] { state.withLock { $0.asked } }
    var passwords: [String] { state.withLock { $0.kept.map(\.password) } }

    /// Adds an item as if it had always been there; the id is made of the number.
    @discardableResult func keep(
        _ number: Int,
        _ services: [String],
        _ user: String,
        _ password: String,
        notes: String? = nil,
        removed: Int64? = nil,
        history: [PasswordChange] = []
    ) -> String {
        let id = String(repeating: "0", count: 24) + String(0xA000_0000 + number, radix: 16)
        let reversed = String(id.reversed())
        state.withLock {
            $0.kept.append(
                Kept(
                    item: Item(
                        id: reversed, services: services, user: user, created: 1_790_000_000, modified: 1_790_000_000,
                        removed: removed),
                    password: password,
                    notes: notes,
                    history: history
                )
            )
        }
        return reversed
    }

    private func answer(_ method: String, _ params: JSONValue) throws -> JSONValue {
        try state.withLock { state in
            state.asked.append(method)
            state.lastParams[method] = params
            if let failure = state.failures[method] { throw failure }
            if let late = state.lateFailures[method], state.asked.count(where: { $0 == method }) >= late.first {
                throw late.error
            }
            switch method {
            case Session.Hello.name:
                return try JSONValue(
                    encoding: Session.Hello.Answer(
                        protocol: 1, role: "settings", version: "0.1.0", initialized: state.isInitialized,
                        locked: state.isLocked)
                )
            case _ where method.hasPrefix("items."):
                if state.isLocked { throw WireError(.locked, "Latchkey is locked.") }
                return try FakeItems.answer(method, params, &state)
            case _ where method.hasPrefix("providers."): return try FakeProviders.answer(method, params, &state)
            default: return try FakeSettings.answer(method, params, &state)
            }
        }
    }
}

extension SecretBytes {
    /// A test's own look at a secret.
    var testText: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}
