// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CLinux
internal import Glibc
internal import MainLoop
internal import PasswordsModel

/// The connection to the daemon. A process has one: after the hello it hides, and the daemon would not know it again.
@DesktopActor final class DaemonLink: DaemonAsking {
    /// Time limit for an answer. Argon2id takes its time; what takes longer than this hangs.
    private static let patience = Duration.seconds(120)
    /// The same where a provider asks the user something meanwhile; the daemon ends that when nobody answers.
    private static let askingPatience = Duration.seconds(3_600)
    private static let asking: Set<String> = [Providers.Configure.name, Upgrades.Run.name, Items.Move.name]

    private let directories: Directories
    private var peer: Peer?
    /// Called with what the daemon has the app show.
    var asked: @DesktopActor (String, JSONValue) throws -> Void = { method, _ in
        throw WireError(.methodNotFound, "There is no method \(method.prefix(64)) here.")
    }
    /// Called when the audit log has another line, and at lock.
    var told: @DesktopActor () -> Void = {}
    /// Called when saved accounts have changed.
    var changed: @DesktopActor () -> Void = {}
    /// Called when the connection has ended.
    var ended: @DesktopActor () -> Void = {}

    init(_ directories: Directories) {
        self.directories = directories
    }

    /// - Parameter startsDaemon: Whether a daemon is started where none runs.
    func connect(startsDaemon: Bool) async throws(WireError) {
        let directories = directories
        // Starting waits for the daemon, so it is not done on the thread that draws.
        let result = await Task.detached { () -> Result<FramedStream?, WireError> in
            Result { () throws(WireError) in
                startsDaemon
                    ? try DaemonConnector.connectOrStart(directories) : try DaemonConnector.connect(directories)
            }
        }.value
        guard let stream = try result.get() else {
            throw WireError(.notFound, "It has ended, or was ended. Nothing that you saved is lost.")
        }
        let peer = Peer(stream: stream) { [weak self] method, params in
            switch method {
            case Settings.AuditChanged.name: await self?.told()
            case Items.Changed.name: await self?.changed()
            default:
                try await self?.asked(method, params)
            }
            return .object([:])
        }
        peer.onClose { [weak self] in
            Task { @DesktopActor in self?.ended() }
        }
        peer.start()
        let hello: Session.Hello.Answer
        do {
            hello = try await peer.call(
                Session.Hello.self, .init(protocol: 1, client: Program(name: "latchkey-app", version: latchkeyVersion)),
                timeout: .seconds(15))
        } catch {
            peer.close()
            throw (error as? WireError) ?? WireError(.internalError, "The daemon does not answer.")
        }
        guard hello.role == "settings" else {
            throw WireError(
                .notPermitted, "The latchkeyd that runs was started from another place, or before an update.")
        }
        // Only now, because before the hello the daemon has to see what program this is; nothing secret has come yet.
        _ = latchkey_forbid_dumps()
        self.peer = peer
    }

    func call<M: WireMethod>(_ method: M.Type, _ params: M.Params) async throws -> M.Answer {
        guard let peer else { throw WireError(.providerUnavailable, "Latchkey does not run.") }
        let patience = Self.asking.contains(M.name) ? Self.askingPatience : Self.patience
        return try await peer.call(method, params, timeout: patience)
    }

    /// Starts this program anew in the same process, which the daemon can then see again. Nothing of the old one is left in memory.
    nonisolated static func beginAnew(_ options: [String]) {
        let path = DaemonConnector.programFolder + "/latchkey-app"
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path)]
        arguments += options.map { strdup($0) } + [nil]
        execv(path, &arguments)
        exit(75)
    }
}
