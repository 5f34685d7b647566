// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
public import AutoFillIPC
internal import AutoFillProviders
internal import Foundation
public import Logging
internal import Synchronization

/// The user's daemon: takes connections, decides roles before any message is looked at, and hands requests to the broker.
public final class Daemon: Sendable {
    private let capabilities: Capabilities
    private var broker: Broker { capabilities.broker }
    private let socket: ListeningSocket
    /// Where browsers in a sandbox connect.
    private let browserSocket: ListeningSocket?
    private let policy: PeerPolicy
    private let sandboxedBrowsers: SandboxedBrowsers
    private let launchedBrowsers: LaunchedBrowsers
    private let extensions: Set<String>
    private let environment: [String: String]
    private let logger: Logger
    private let numbers = Mutex(0)
    private let inspector = CallerInspector()
    private let admission = Admission()

    /// Opens what is on disk and begins to listen.
    ///
    /// - Parameters:
    ///   - folder: the folder of this program and of the programs that belong to it.
    ///   - activated: the sockets that the service manager passed, by their paths.
    /// - Throws: a `WireError`: another daemon runs, a folder is not the user's, a file is damaged.
    public convenience init(
        directories: Directories, folder: String, environment: [String: String], user: UInt32,
        activated: [String: Int32], logger: Logger
    ) async throws {
        // The lock on the runtime folder comes first: a second daemon must not even look at the files.
        let socket =
            if let descriptor = Self.mainSocket(activated, directories) {
                try ListeningSocket(activated: descriptor, in: directories)
            } else {
                try ListeningSocket(in: directories)
            }
        let browserSocket: ListeningSocket?
        do {
            browserSocket = try ListeningSocket(
                forBrowsersIn: directories, activated: activated[directories.browserSocket])
        } catch {
            // Browsers outside of a sandbox do not need it.
            logger.error("browsers in a sandbox cannot connect", metadata: ["reason": "\(error.message)"])
            browserSocket = nil
        }
        try await self.init(
            directories: directories, folder: folder, environment: environment, user: user, socket: socket,
            browserSocket: browserSocket, logger: logger)
    }

    /// The one at the usual path, or the only one, of a unit that spells the path in another way.
    private static func mainSocket(_ activated: [String: Int32], _ directories: Directories) -> Int32? {
        let others = activated.filter { $0.key != directories.browserSocket }
        return others[directories.socket] ?? (others.count == 1 ? others.first?.value : nil)
    }

    private init(
        directories: Directories, folder: String, environment: [String: String], user: UInt32, socket: ListeningSocket,
        browserSocket: ListeningSocket?, logger: Logger
    ) async throws {
        let peers = PeersFile.reading(in: directories, logger)
        self.socket = socket
        self.browserSocket = browserSocket
        self.logger = logger
        self.environment = environment
        policy = PeerPolicy(user: user, folder: folder, peers: peers)
        sandboxedBrowsers = SandboxedBrowsers(
            user: user, folder: folder,
            sandboxes: SandboxReader(runtime: environment["XDG_RUNTIME_DIR"] ?? directories.runtime, user: user))
        launchedBrowsers = LaunchedBrowsers(folder: folder, peers: peers, sandboxed: sandboxedBrowsers)
        extensions = Set(peers.extensions + ownExtensions)
        do {
            capabilities = try await Capabilities(
                Broker(
                    DaemonParts(
                        directories: directories, programFolder: folder, environment: environment,
                        browsers: BrowserList(added: peers.browsers), logger: logger)))
        } catch {
            throw WireError(saying: error)
        }
    }

    /// Serves until `stop` is asked for or the socket is closed.
    public func run() async {
        let idle = Task { await watchIdleness() }
        // Awaited: a suspension waits until the keys are wiped.
        let session = SessionWatch(logger: logger, environment: environment, user: policy.ownUser) { [broker] event in
            await broker.sessionEvent(event)
        }
        session.start()
        let listener = CodeListener(
            environment: environment, codes: capabilities.shared.codeMessages,
            mail: MailProcess(programFolder: broker.programFolder, bubblewrap: broker.isolation.sandbox.bubblewrap),
            logger: logger)
        listener.start()
        await capabilities.shared.codeMessages.setMaildirWatch { listener.watch(maildir: $0) }
        // Watches for apps that a package manager, flatpak or root installs.
        let apps = Waker()
        if let apps {
            FolderWatch(folders: broker.appFolders.all).start(until: apps) { [capabilities] in
                Task { await capabilities.shared.associations.scheduleAssociations() }
            }
        }
        Thread.detachNewThread {
            while let stream = self.socket.accept() { self.take(stream) }
        }
        Thread.detachNewThread {
            while let stream = self.browserSocket?.accept() { self.takeSandboxed(stream) }
        }
        await broker.waitForStop()
        idle.cancel()
        session.stop()
        listener.stop()
        apps?.wake()
        socket.close()
        browserSocket?.close()
        await broker.lock(reason: "end")
    }

    /// Ends `run`.
    public func stop() async {
        await broker.stop()
    }

    private func take(_ stream: FramedStream) {
        // Ask the kernel before reading a byte. Another user's process is dropped without an answer.
        guard let facts = PeerPolicy.Facts(of: stream) else { return stream.close() }
        let role = policy.role(of: facts)
        var isSandboxed = false
        // A host that a browser itself started is not looked at again.
        if case .none = role { isSandboxed = launchedBrowsers.isLaunched(facts) }
        admit(stream, facts, role: role, isSandboxed: isSandboxed)
    }

    /// The other socket serves no other role than a browser's.
    private func takeSandboxed(_ stream: FramedStream) {
        guard let facts = PeerPolicy.Facts(of: stream) else { return stream.close() }
        admit(stream, facts, role: .none("it is not known yet"), isSandboxed: true, isAtOtherSocket: true)
    }

    private func admit(
        _ stream: FramedStream, _ facts: PeerPolicy.Facts, role: PeerRole, isSandboxed: Bool,
        isAtOtherSocket: Bool = false
    ) {
        if facts.user != policy.ownUser && role != .login {
            logger.warning("another user's process connected", metadata: ["user": "\(facts.user)"])
            return stream.close()
        }
        guard let entered = admission.enter(stream, role: role, facts: facts, isSandboxed: isSandboxed) else {
            return logger.warning(
                "a peer has too many connections", metadata: ["program": "\(facts.executable?.path ?? "unknown")"])
        }
        let number = numbers.withLock { numbers in
            numbers += 1
            return numbers
        }
        Task {
            var (role, program): (PeerRole, String?) = (role, nil)
            if isAtOtherSocket {
                (role, program) = await sandboxedBrowsers.role(of: facts, time: broker.time)
            } else if isSandboxed {
                (role, program) = await launchedBrowsers.role(of: facts, time: broker.time)
            }
            // A provider's containing app is recognised by the location of its executable.
            if case .client = role, facts.sharesNamespaces, let executable = facts.executable,
                let provider = await broker.shelf.owner(of: executable)
            {
                role = .app(provider)
            }
            var place = entered
            switch admission.move(entered, to: role) {
            case .success(let moved): place = moved
            case .failure(let refusal):
                admission.leave(entered)
                return Peer(stream: stream) { _, _ in .null }.end(refusal)
            }
            stream.terms = admission.terms(for: role, isGreeted: false)
            var gitCaller: GitCaller?
            if role == .git {
                gitCaller = await self.gitCaller(of: stream)
            }
            let client = ClientConnection(
                number: number, role: role,
                // A browser speaks through its host; the user is told the browser's name.
                program: program ?? (role == .browser ? facts.parent : facts.executable)?.path ?? "an unknown program",
                process: facts.process, gitCaller: gitCaller, isSandboxed: isSandboxed)
            let peer = Peer(stream: stream) { [weak self] method, params in
                guard let self else { throw WireError(.internalError, "The daemon ends.") }
                return try await self.answer(method, params, client)
            }
            client.attach(peer)
            peer.onClose { [broker, admission, place] in
                admission.leave(place)
                Task { await broker.disconnected(client) }
            }
            // Known before its first message can be answered.
            await broker.connected(client)
            Admission.expectHello(client, on: peer, time: broker.time)
            peer.start()
        }
    }

    /// The program that made git ask, found among the ancestors of git's helper.
    private func gitCaller(of stream: FramedStream) async -> GitCaller? {
        guard let process = stream.peer() else { return nil }
        return GitCaller(ancestors: await inspector.parents(of: process))
    }

    private func answer(_ method: String, _ params: JSONValue, _ client: ClientConnection) async throws -> JSONValue {
        guard method == Session.Hello.name else {
            guard client.isGreeted else {
                throw WireError(.notPermitted, "The first request is hello.")
            }
            return try await Routes.of(client.role).answer(method, params, daemon: capabilities, client: client)
        }
        let hello: Session.Hello.Params = try params.decoded()
        if case .none(let reason) = client.role {
            logger.warning("peer refused", metadata: ["program": "\(client.program)", "reason": "\(reason)"])
            throw WireError(.notPermitted, "This program may not talk to Latchkey: \(reason).", reason: reason)
        }
        if client.role == .client, hello.browser != nil {
            throw WireError(
                .notPermitted, "\(client.program) is not a browser host of this Latchkey.",
                reason: "another browser host",
                hint: "Run `latchkey browser install` again.")
        }
        if client.role == .browser {
            guard let statement = hello.browser, extensions.contains(statement.extension) else {
                throw WireError(
                    .notPermitted, "This browser extension is not registered.", reason: "an unknown extension",
                    hint: "See `latchkey browser status`.")
            }
        }
        guard hello.protocol >= 1 else {
            throw WireError(.unsupportedVersion, "Version \(hello.protocol) of the protocol is too old.")
        }
        client.setGreeted(display: hello.display)
        if let stream = client.peer?.stream { stream.terms = admission.terms(for: client.role, isGreeted: true) }
        // A client program always gets the same answer, so that it does not learn whether Latchkey is set up or locked.
        let status = client.role == .client ? (initialized: true, locked: false) : await broker.standing()
        return try JSONValue(
            encoding: Session.Hello.Answer(
                protocol: min(hello.protocol, wireVersion), role: client.role.name, version: latchkeyVersion,
                initialized: status.initialized, locked: status.locked))
    }

    private func watchIdleness() async {
        while !Task.isCancelled {
            let next = await broker.lockIfIdle() ?? ContinuousClock.now + .seconds(30)
            try? await ContinuousClock().sleep(until: min(next, ContinuousClock.now + .seconds(30)))
        }
    }
}
