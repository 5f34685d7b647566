// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillSecrets

/// The role of a peer, which decides what it may ask for. It follows from the calling process, never from what a message claims.
enum PeerRole: Hashable, Sendable {
    /// The command line, and the programs that the user added to `peers.json`.
    case settings
    /// The native messaging host of a known browser.
    case browser
    /// Git's credential helper.
    case git
    /// A provider's containing app.
    case app(BundleIdentifier)
    /// Any other program of the user. It may ask for a password; its identity decides what it is offered.
    case client
    /// The PAM module of Latchkey, which comes as root: it unlocks with what it derived from the login password.
    case login
    /// The program that finds and fills the fields of native apps.
    case desktop
    /// The peer may ask for nothing, for the given reason.
    case none(String)

    var name: String {
        switch self {
        case .settings: "settings"
        case .browser: "browser"
        case .git: "git"
        case .app: "app"
        case .client: "client"
        case .login: "login"
        case .desktop: "desktop"
        case .none: "none"
        }
    }
}

/// Decides the role of a peer from what the kernel says about it.
struct PeerPolicy: Sendable {
    /// The facts that the kernel states about a peer.
    struct Facts: Sendable {
        var user: UInt32
        var executable: PeerProcess.Executable?
        var parent: PeerProcess.Executable?
        /// Whether it has the daemon's own mount, process and user namespaces, so that it is in no sandbox.
        var sharesNamespaces: Bool
        /// The process itself, for later questions about it.
        var process: PeerProcess?

        init(
            user: UInt32, executable: PeerProcess.Executable?, parent: PeerProcess.Executable?, sharesNamespaces: Bool
        ) {
            self.user = user
            self.executable = executable
            self.parent = parent
            self.sharesNamespaces = sharesNamespaces
        }

        /// Asks the kernel about the process at the other end; `nil` if the kernel does not tell.
        init?(of stream: FramedStream) {
            guard let peer = stream.peer() else { return nil }
            let parent = PeerProcess(parentOf: peer)
            self.init(
                user: peer.user, executable: peer.executable, parent: parent?.executable,
                sharesNamespaces: peer.sharesNamespaces)
            process = peer
        }

        /// Whether a process above the peer runs a program outside of any sandbox.
        fileprivate func isBelow(_ program: PeerProcess.Executable) -> Bool {
            process?.ancestors().contains {
                $0.executable?.isSameFile(as: program) == true && $0.sharesNamespaces
            } ?? false
        }
    }

    let ownUser: UInt32
    private let settings: [PeerProcess.Executable]
    private let host: PeerProcess.Executable?
    private let git: PeerProcess.Executable?
    private let login: PeerProcess.Executable?
    private let desktop: PeerProcess.Executable?
    private let browsers: BrowserList
    /// Keeps these files open, so that their inode numbers are not reused while they are compared, even if the files are deleted.
    private let pins: [PinnedFile]

    /// - Parameters:
    ///   - user: the daemon's own user.
    ///   - folder: the folder of the daemon and of the programs that belong to it.
    init(user: UInt32, folder: String, peers: PeersFile) {
        ownUser = user
        settings = ([folder + "/latchkey", folder + "/latchkey-app"] + peers.settings).compactMap { .init(path: $0) }
        host = .init(path: folder + "/latchkey-browser-host")
        git = .init(path: folder + "/git-credential-latchkey")
        login = .init(path: folder + "/latchkey-login")
        desktop = .init(path: folder + "/latchkey-desktop")
        browsers = BrowserList(added: peers.browsers)
        let own = [
            "latchkey", "latchkey-app", "latchkey-browser-host", "git-credential-latchkey", "latchkey-login",
            "latchkey-desktop",
        ].map { folder + "/" + $0 }
        pins = (own + peers.settings + peers.browsers).compactMap { PinnedFile(path: $0) }
    }

    /// The role of a peer at the main socket.
    func role(of facts: Facts) -> PeerRole {
        let role = role(ofProgram: facts)
        guard !facts.sharesNamespaces else { return role }
        // In a sandbox, whoever made it decides what code a program loads.
        switch role {
        case .client, .login, .none: return role
        // It starts itself in a sandbox.
        case .desktop: if let desktop, facts.isBelow(desktop) { return role }
        case .settings, .git, .browser, .app: break
        }
        return .none("it runs in a sandbox, in other namespaces than the daemon")
    }

    private func role(ofProgram facts: Facts) -> PeerRole {
        // Whoever connects as root can unlock only with the key that the login password gives.
        guard facts.user == ownUser else { return facts.user == 0 ? .login : .none("another user's process") }
        guard let executable = facts.executable else { return .none("its executable cannot be seen") }
        if settings.contains(where: executable.isSameFile) { return .settings }
        if let git, executable.isSameFile(as: git) { return .git }
        if let desktop, executable.isSameFile(as: desktop) { return .desktop }
        // Where the user is root, its programs are told apart as others are.
        if ownUser == 0, let login, executable.isSameFile(as: login) { return .login }
        guard let host, executable.isSameFile(as: host) else { return .client }
        guard let parent = facts.parent else { return .none("the browser that started the host cannot be seen") }
        guard browsers.knows(parent) else {
            return .none("\(parent.path) is not a known browser; see `latchkey browser trust`")
        }
        return .browser
    }
}
