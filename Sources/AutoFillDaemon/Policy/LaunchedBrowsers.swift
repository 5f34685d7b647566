// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease

/// Recognises the browser behind a native messaging host that a service of the session started in its stead.
///
/// A browser in a sandbox has its hosts started by a portal or a proxy, which anybody on the session bus may ask. So the service is not
/// believed; the kernel is: the pipes of the host have to be held by one process alone, at the other end, and that has to be a browser.
struct LaunchedBrowsers: Sendable {
    /// The services, by the paths at which distributions install them: `org.freedesktop.NativeMessagingProxy`, and the portal
    /// `org.freedesktop.portal.WebExtensions` of Ubuntu.
    private static let builtIn: Set<String> = [
        "/usr/libexec/xdg-native-messaging-proxy", "/usr/lib/xdg-native-messaging-proxy",
        "/usr/libexec/xdg-desktop-portal", "/usr/lib/xdg-desktop-portal",
    ]

    private let host: PeerProcess.Executable?
    private let launchers: [PeerProcess.Executable]
    private let browsers: BrowserList
    private let sandboxed: SandboxedBrowsers

    /// - Parameter folder: the folder of the daemon and of the programs that belong to it.
    init(folder: String, peers: PeersFile, sandboxed: SandboxedBrowsers) {
        host = .init(path: folder + "/latchkey-browser-host")
        launchers = peers.launchers.compactMap { .init(path: $0) }
        browsers = BrowserList(added: peers.browsers)
        self.sandboxed = sandboxed
    }

    /// Whether a peer is Latchkey's host, started by one of these services.
    func isLaunched(_ facts: PeerPolicy.Facts) -> Bool {
        guard facts.user == sandboxed.ownUser, facts.sharesNamespaces, let host,
            facts.executable?.isSameFile(as: host) == true, let parent = facts.parent
        else { return false }
        if launchers.contains(where: parent.isSameFile) { return true }
        return parent.isRootOwned && Self.builtIn.contains(parent.path)
            && PeerProcess.Executable(path: parent.path)?.isSameFile(as: parent) == true
    }

    /// The role of such a host, and the browser's name for people. Waits until the browser has received the pipes.
    func role(of facts: PeerPolicy.Facts, time: TimeSource) async -> (role: PeerRole, program: String?) {
        do throws(CallerRefusal) {
            guard let process = facts.process else { throw CallerRefusal("the process cannot be seen") }
            let pipes = try BrowserPipes(of: process, user: sandboxed.ownUser)
            return (.browser, try await pipes.holder(time: time, isBrowser: name))
        } catch {
            return (.none(error.reason), nil)
        }
    }

    private func name(of holder: PeerProcess) throws(CallerRefusal) -> String {
        guard let executable = holder.executable else { throw CallerRefusal("the browser behind it cannot be seen") }
        let isKnown = browsers.knows(executable) && holder.sharesNamespaces
        let name = isKnown ? executable.path : try sandboxed.name(of: holder)
        guard let name, holder.isAlive else {
            throw CallerRefusal("\(executable.path), which holds the other ends of its pipes, is not a known browser")
        }
        return name
    }
}
