// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CLinux
internal import DesktopFields
internal import Glibc
internal import MainLoop

/// The connection to the daemon. It is made when something is to be asked, so that a session in which nobody signs in costs nothing.
@DesktopActor final class DaemonLink {
    private let directories: Directories
    private let handler: Peer.Handler
    private var peer: Peer?
    private var connecting: Task<Peer?, Never>?
    /// Whether this process has been connected before. It hides since then, so that the daemon would not know it again.
    private var wasConnected = false

    init(_ directories: Directories, handler: @escaping Peer.Handler) {
        self.directories = directories
        self.handler = handler
    }

    /// The conversation, or `nil` if no daemon runs.
    func conversation() async -> Peer? {
        if let peer { return peer }
        if let connecting { return await connecting.value }
        if wasConnected { Self.beginAnew() }
        let task = Task { await self.connect() }
        connecting = task
        let peer = await task.value
        connecting = nil
        return peer
    }

    private func connect() async -> Peer? {
        guard let stream = try? DaemonConnector.connect(directories) else { return nil }
        let peer = Peer(stream: stream, handler: handler)
        peer.start()
        do {
            _ = try await peer.call(
                Session.Hello.self,
                .init(protocol: 1, client: Program(name: "latchkey-desktop", version: latchkeyVersion)),
                timeout: .seconds(10))
        } catch {
            peer.close()
            return nil
        }
        // Only now, because before the hello the daemon has to see what program this is; nothing secret has come yet.
        _ = latchkey_forbid_dumps()
        wasConnected = true
        self.peer = peer
        // It is called at once if the connection has ended by now.
        peer.onClose { [weak self, weak peer] in
            Task { @DesktopActor in
                if let self, self.peer === peer { self.peer = nil }
            }
        }
        return peer
    }

    /// Starts this program anew, so that the daemon sees it again. What runs the sandbox does it, where there is one: it may have to
    /// show something new, and the program may have been replaced.
    nonisolated static func beginAnew() -> Never {
        if DesktopSandbox.isInside { exit(DesktopSandbox.anew) }
        execute()
    }

    /// Runs this program anew in the same process.
    nonisolated static func execute() -> Never {
        let path = DaemonConnector.programFolder + "/latchkey-desktop"
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path)]
        arguments += CommandLine.arguments.dropFirst().map { strdup($0) } + [nil]
        execv(path, &arguments)
        exit(DesktopSandbox.anew)
    }
}
