// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillSecrets

/// What a peer may ask for. It follows from who calls, never from what a message claims.
enum PeerRole: Hashable, Sendable {
    /// The command line and what the user added to `peers.json`.
    case settings
    /// The native messaging host of a known browser.
    case browser
    /// Git's credential helper.
    case git
    /// A provider's containing app.
    case app(BundleIdentifier)
    /// Any other program of the user: it may ask for a password, and who it is decides what it is offered.
    case client
    /// Nothing may be asked, and this is why.
    case none(String)

    var name: String {
        switch self {
        case .settings: "settings"
        case .browser: "browser"
        case .git: "git"
        case .app: "app"
        case .client: "client"
        case .none: "none"
        }
    }
}

/// Decides the role of a peer from what the kernel says about it.
struct PeerPolicy: Sendable {
    /// What the kernel says.
    struct Facts: Sendable {
        var user: UInt32
        var executable: PeerProcess.Executable?
        var parent: PeerProcess.Executable?
        /// The process itself, for what is asked about it later.
        var process: PeerProcess?

        init(user: UInt32, executable: PeerProcess.Executable?, parent: PeerProcess.Executable?) {
            self.user = user
            self.executable = executable
            self.parent = parent
        }

        /// Asks the kernel about the process at the other end; nothing where it does not say.
        init?(of stream: FramedStream) {
            guard let peer = stream.peer() else { return nil }
            let parent = PeerProcess(parentOf: peer)
            self.init(user: peer.user, executable: peer.executable, parent: parent?.executable)
            process = peer
        }
    }

    let ownUser: UInt32
    private let settings: [PeerProcess.Executable]
    private let host: PeerProcess.Executable?
    private let git: PeerProcess.Executable?
    private let browsers: BrowserList
    /// Keeps the numbers of these files from being given to others while they are compared, even if the files go.
    private let pins: [PinnedFile]

    /// - Parameters:
    ///   - user: the daemon's own.
    ///   - folder: where the daemon's own program is, and so the programs that belong to it.
    init(user: UInt32, folder: String, peers: PeersFile) {
        ownUser = user
        settings = ([folder + "/latchkey"] + peers.settings).compactMap { .init(path: $0) }
        host = .init(path: folder + "/latchkey-browser-host")
        git = .init(path: folder + "/git-credential-latchkey")
        browsers = BrowserList(added: peers.browsers)
        let own = ["latchkey", "latchkey-browser-host", "git-credential-latchkey"].map { folder + "/" + $0 }
        pins = (own + peers.settings + peers.browsers).compactMap { PinnedFile(path: $0) }
    }

    func role(of facts: Facts) -> PeerRole {
        guard facts.user == ownUser else { return .none("another user's process") }
        guard let executable = facts.executable else { return .none("its executable cannot be seen") }
        if settings.contains(where: executable.isSameFile) { return .settings }
        if let git, executable.isSameFile(as: git) { return .git }
        guard let host, executable.isSameFile(as: host) else { return .client }
        guard let parent = facts.parent else { return .none("the browser that started the host cannot be seen") }
        guard browsers.knows(parent) else {
            return .none("\(parent.path) is no known browser; see `latchkey browser trust`")
        }
        return .browser
    }
}
