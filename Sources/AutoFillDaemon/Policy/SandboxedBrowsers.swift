// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation
internal import Glibc

/// Decides the role of a peer at the socket for browsers in a sandbox: a browser's, or none.
///
/// The sandbox sees that socket alone. What it cannot change says who speaks: Flatpak, which app it is; root's files of that app, that the
/// browser itself started the peer; Latchkey's own program, that the peer is no other child of the browser's.
struct SandboxedBrowsers: Sendable {
    let ownUser: UInt32
    private let sandboxes: SandboxReader
    /// Latchkey's own `latchkey-browser-relay`, of which sandboxes have copies.
    private let relay: String

    /// - Parameters:
    ///   - user: the daemon's own user.
    ///   - folder: the folder of the daemon and of the programs that belong to it.
    init(user: UInt32, folder: String, sandboxes: SandboxReader) {
        ownUser = user
        self.sandboxes = sandboxes
        relay = folder + "/latchkey-browser-relay"
    }

    /// The role, and the app's name for people where it is a browser's.
    func role(of facts: PeerPolicy.Facts) -> (role: PeerRole, program: String?) {
        do throws(CallerRefusal) {
            return (.browser, "\(try browser(facts).rawValue) (Flatpak)")
        } catch {
            return (.none(error.reason), nil)
        }
    }

    private func browser(_ facts: PeerPolicy.Facts) throws(CallerRefusal) -> FlatpakBrowser {
        guard facts.user == ownUser else { throw CallerRefusal("another user's process") }
        guard let process = facts.process else { throw CallerRefusal("the process cannot be seen") }
        guard let finding = try sandboxes.sandbox(of: process) else {
            throw CallerRefusal("it is in no sandbox; `latchkey browser install` is for browsers outside of one")
        }
        guard case .flatpak(let identifier, _, let deployment) = finding.sandbox,
            let browser = FlatpakBrowser(rawValue: identifier)
        else { throw CallerRefusal("its sandbox is not that of a known browser") }
        guard let parent = PeerProcess(parentOf: process), let started = parent.executable,
            try sandboxes.sandbox(of: parent) == finding
        else { throw CallerRefusal("the browser that started it cannot be seen") }
        // Seen from outside: inside, any file can be at any path.
        guard let own = PeerProcess.Executable(path: deployment + "/" + browser.executable),
            own.isRootOwned, started.isSameFile(as: own)
        else { throw CallerRefusal("\(started.path) of \(identifier), which started it, is not the browser") }
        try checkRelay(process)
        guard process.isAlive, parent.isAlive else { throw CallerRefusal("it has ended") }
        return browser
    }

    /// A sandbox can change its copy of the relay, and the browser may start other programs: the file that runs has to be Latchkey's.
    private func checkRelay(_ process: PeerProcess) throws(CallerRefusal) {
        guard let own = SmallFile.read(relay, atMost: Self.sizeLimit) else {
            throw CallerRefusal("\(relay) cannot be read")
        }
        guard let running = SmallFile.read("/proc/\(process.process)/exe", atMost: Self.sizeLimit, followsLinks: true),
            process.isAlive
        else { throw CallerRefusal("its executable cannot be read") }
        guard running == own else {
            throw CallerRefusal("its program is not this Latchkey's; run `latchkey browser install --flatpak` again")
        }
    }

    /// In bytes; the relay takes less than a hundredth of it.
    private static let sizeLimit = 4 << 20
}
