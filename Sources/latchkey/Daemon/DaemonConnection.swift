// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import CLinux
import FoundationEssentials
import Synchronization
import TerminalRendering

/// A conversation with `latchkeyd`, after the hello.
struct DaemonConnection: Sendable {
    let peer: Peer
    let hello: Session.Hello.Answer

    /// Argon2id and a restore take their time; what takes longer than this hangs.
    static let patience = Duration.seconds(120)

    /// The connection of this process, and what answers the daemon on it. A process has only one: after the hello it forbids dumps, and
    /// from then on the daemon cannot see which program it is, so it would refuse a second connection.
    private struct Own: Sendable {
        let peer: Peer
        let answering: Answering
    }

    /// What answers the daemon's own requests now.
    private final class Answering: Sendable {
        let handler: Mutex<Peer.Handler>

        init(_ handler: @escaping Peer.Handler) {
            self.handler = Mutex(handler)
        }
    }

    private static let own = Mutex<Own?>(nil)

    /// Connects, and starts the daemon where none runs.
    ///
    /// - Parameter desk: what answers the daemon's own requests, for a command that shows what the daemon presents.
    static func open(answering desk: PromptDesk? = nil) async throws -> DaemonConnection {
        try await open { method, params in
            if let desk { return try desk.answer(method, params) }
            throw WireError(.methodNotFound, "The command line answers no \(method).")
        }
    }

    /// Connects in the same way, with a handler for what the daemon itself asks and tells.
    static func open(handler: @escaping Peer.Handler) async throws -> DaemonConnection {
        if let own = own.withLock({ $0 }), !own.peer.isClosed {
            own.answering.handler.withLock { $0 = handler }
            return try await greet(own.peer)
        }
        return try await begin(DaemonConnector.connectOrStart(directories()), handler)
    }

    /// Connects to a daemon that runs already, or to nothing.
    static func openIfRunning() async throws -> DaemonConnection? {
        if let own = own.withLock({ $0 }), !own.peer.isClosed { return try await greet(own.peer) }
        guard let stream = try DaemonConnector.connect(directories()) else { return nil }
        return try await begin(stream) { method, _ in
            throw WireError(.methodNotFound, "The command line answers no \(method).")
        }
    }

    private static func begin(
        _ stream: FramedStream, _ handler: @escaping Peer.Handler
    ) async throws -> DaemonConnection {
        let answering = Answering(handler)
        let peer = Peer(stream: stream) { method, params in
            let handler = answering.handler.withLock { $0 }
            return try await handler(method, params)
        }
        own.withLock { $0 = Own(peer: peer, answering: answering) }
        peer.start()
        return try await greet(peer)
    }

    static func directories() throws(CommandFailure) -> Directories {
        guard let directories = Directories(environment: ProcessInfo.processInfo.environment) else {
            throw CommandFailure(.malfunction, "There is no home folder to work in.", hint: "Set HOME.")
        }
        return directories
    }

    /// Says hello, which tells what the daemon's state is now.
    private static func greet(_ peer: Peer) async throws -> DaemonConnection {
        let hello = try await peer.call(
            Session.Hello.self,
            Session.Hello.Params(protocol: 1, client: Program(name: "latchkey", version: latchkeyVersion)),
            timeout: .seconds(15))
        guard hello.role == "settings" else {
            throw WireError(
                .notPermitted, "The latchkeyd that runs was started from another place, or before an update.",
                hint: "End it with `pkill -u $(id -u) -x latchkeyd`; the next command starts the matching one."
            )
        }
        // Only now, because before the hello the daemon has to see what program this is; no secret has been read yet.
        _ = latchkey_forbid_dumps()
        return DaemonConnection(peer: peer, hello: hello)
    }

    /// Asks the daemon with a method's own types.
    func call<M: WireMethod>(
        _ method: M.Type,
        _ params: M.Params,
        patience: Duration = Self.patience
    ) async throws -> M.Answer {
        // A lock that came while the person typed: what was typed is kept, and nothing has been asked of the daemon yet.
        if !hello.locked, TerminalInput.takeAnswered(), try await Self.greet(peer).hello.locked {
            try await unlockHere()
        }
        do {
            return try await peer.call(method, params, timeout: patience)
        } catch let error as WireError where error.code == .locked && hello.locked && PassphraseOptions.isSomebodyThere
        {
            // Locked from the start, and somebody is there to unlock: what was asked has done nothing yet.
            try await unlockHere()
            return try await peer.call(method, params, timeout: patience)
        }
    }

    /// Has the person at the terminal unlock.
    private func unlockHere() async throws {
        Output.note("Latchkey is locked.")
        let answer = try await prove(isInteractive: true, takesPIN: hasPIN) { secret in
            try await peer.call(
                Settings.Unlock.self, PassphraseParams(passphrase: WireSecret(secret)), timeout: Self.patience)
        } read: {
            try SecretSource(file: nil, inputIsTerminal: true).read($0)
        }
        if let older = answer.older { OlderNotice(older: older).show() }
    }

    /// Whether a PIN is set, which unlocks as well.
    var hasPIN: Bool {
        get async { (try? await peer.call(Settings.Status.self, Empty(), timeout: Self.patience))?.pin == true }
    }

    /// What is to be said where data are here without the keyring that opens them.
    var missingKeyring: MissingKeyring? {
        get async throws {
            guard !hello.initialized else { return nil }
            return try await peer.call(Settings.Status.self, Empty(), timeout: Self.patience).missingKeyring
        }
    }

    /// - Throws: `notInitialized`, with what is the matter.
    func requireInitialized() async throws {
        guard !hello.initialized else { return }
        throw WireError.notInitialized(try await missingKeyring)
    }

    /// Throws before a passphrase is asked for that no keyring would take.
    func requireReadableKeyring() async throws {
        guard hello.initialized, hello.locked else { return }
        let files = try await peer.call(Settings.Status.self, Empty(), timeout: Self.patience).files ?? []
        guard let problem = files.first(where: { $0.path.hasSuffix("/keyring") }) else { return }
        throw WireError(.storageFailed, problem.problem, hint: problem.hint)
    }

    /// Throws at once what would otherwise be thrown after the user has typed a password; unlocks where somebody is there to do it.
    func requireUnlocked() async throws {
        try await requireInitialized()
        guard hello.locked else { return }
        guard PassphraseOptions.isSomebodyThere else { throw WireError(.locked, "Latchkey is locked.") }
        try await requireReadableKeyring()
        try await unlockHere()
    }

    func call<M: WireMethod>(_ method: M.Type) async throws -> M.Answer where M.Params == Empty {
        try await call(method, Empty())
    }

    /// Asks; when the daemon wants the user authenticated first, does that and asks again, once.
    func authenticated<M: WireMethod>(
        _ method: M.Type,
        _ params: M.Params,
        _ passphrase: PassphraseOptions,
        patience: Duration = Self.patience
    ) async throws -> M.Answer {
        do {
            return try await call(method, params, patience: patience)
        } catch let error as WireError where error.code == .authenticationRequired {
            _ = try await prove(isInteractive: passphrase.isInteractive, takesPIN: error.takesPIN) { secret in
                try await call(
                    Settings.Authenticate.self,
                    .init(passphrase: WireSecret(secret), method: M.name, takesPIN: error.takesPIN ? true : nil))
            } read: {
                try passphrase.readOnDemand($0)
            }
            return try await call(method, params, patience: patience)
        }
    }

    /// Hands over a passphrase; a person at a terminal may mistype it twice.
    @discardableResult func prove<M: WireMethod>(
        _ method: M.Type,
        _ options: PassphraseOptions,
        _ read: () throws -> SecretBytes
    ) async throws -> M.Answer where M.Params == PassphraseParams {
        try await prove(isInteractive: options.isInteractive) { secret in
            try await call(method, PassphraseParams(passphrase: WireSecret(secret)))
        } read: { _ in
            try read()
        }
    }

    /// Hands over a secret by a call of the caller's; a person at a terminal may mistype it twice.
    ///
    /// - Parameters:
    ///   - takesPIN: Whether the PIN does as well; three wrong tries take it away.
    ///   - read: Asks for what it is given the name of.
    func prove<Answer>(
        isInteractive: Bool, takesPIN: Bool = false, by give: (SecretBytes) async throws -> Answer,
        read: (String) throws -> SecretBytes
    ) async throws -> Answer {
        var attempts = isInteractive ? 3 : 1
        var question = takesPIN ? "PIN or passphrase" : "Passphrase"
        while true {
            do {
                return try await give(read(question))
            } catch let error as WireError where error.code == .wrongPassphrase && attempts > 1 {
                attempts -= 1
                if !error.takesPIN { question = "Passphrase" }
                Output.note(error.message)
            }
        }
    }
}
