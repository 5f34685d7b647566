// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation
internal import Glibc

/// Decides the role of a peer at the socket for browsers in a sandbox: a browser's, or none.
///
/// The sandbox sees only that socket. The role rests on what the sandbox cannot change:
///
/// - Flatpak says which app it is.
/// - The peer's parent runs the browser's executable, as root installed it.
/// - The peer's program is Latchkey's own relay. Any other program that the browser starts is refused.
/// - Only that parent holds the other ends of the peer's pipes.
///
/// A program in the sandbox that takes over the browser, or starts another one, is not kept out.
struct SandboxedBrowsers: Sendable {
    let ownUser: UInt32
    private let sandboxes: SandboxReader
    /// Latchkey's own `latchkey-browser-relay`. Sandboxes see a copy of it.
    private let relay: String

    /// - Parameters:
    ///   - user: the daemon's own user.
    ///   - folder: the folder of the daemon and of the programs that belong to it.
    init(user: UInt32, folder: String, sandboxes: SandboxReader) {
        ownUser = user
        self.sandboxes = sandboxes
        relay = folder + "/latchkey-browser-relay"
    }

    /// The role, and the browser's name for people. Waits until the browser alone speaks to the peer.
    func role(of facts: PeerPolicy.Facts, time: TimeSource) async -> (role: PeerRole, program: String?) {
        do throws(CallerRefusal) {
            let (process, parent) = try peer(facts)
            let pipes = try BrowserPipes(of: process, user: ownUser)
            let name = try await pipes.holder(time: time) { holder throws(CallerRefusal) in
                guard holder.process == parent.process, let name = try self.name(of: holder) else {
                    throw CallerRefusal("another program than the browser speaks to it")
                }
                return name
            }
            return (.browser, name)
        } catch {
            return (.none(error.reason), nil)
        }
    }

    /// The peer and its parent, where the one is Latchkey's relay and the other a known browser of the same sandbox.
    private func peer(_ facts: PeerPolicy.Facts) throws(CallerRefusal) -> (PeerProcess, PeerProcess) {
        guard facts.user == ownUser else { throw CallerRefusal("another user's process") }
        guard let process = facts.process else { throw CallerRefusal("the process cannot be seen") }
        guard let finding = try sandboxes.sandbox(of: process) else {
            throw CallerRefusal("it is in no sandbox; `latchkey browser install` is for browsers outside of one")
        }
        guard case .flatpak(let identifier, _, _) = finding.sandbox, FlatpakBrowser(rawValue: identifier) != nil
        else { throw CallerRefusal("its sandbox is not that of a known browser") }
        guard let parent = PeerProcess(parentOf: process), try sandboxes.sandbox(of: parent) == finding else {
            throw CallerRefusal("the browser that started it cannot be seen")
        }
        guard try name(of: parent) != nil else {
            let path = parent.executable?.path ?? "a program"
            throw CallerRefusal("\(path) of \(identifier), which started it, is not the browser")
        }
        try checkRelay(process)
        guard process.isAlive, parent.isAlive else { throw CallerRefusal("it has ended") }
        return (process, parent)
    }

    /// The name for people of the browser in a sandbox that a process is; `nil` if it is anything else.
    func name(of process: PeerProcess) throws(CallerRefusal) -> String? {
        let (name, path): (String, String)
        switch try sandboxes.sandbox(of: process)?.sandbox {
        case .flatpak(let identifier, _, let deployment):
            guard let browser = FlatpakBrowser(rawValue: identifier) else { return nil }
            (name, path) = ("\(identifier) (Flatpak)", deployment + "/" + browser.executable)
        case .snap(let snap, _, let deployment):
            guard let executable = Self.snaps[snap] else { return nil }
            (name, path) = ("\(snap) (snap)", deployment + "/" + executable)
        case nil: return nil
        }
        // Seen from outside: inside, any file can be at any path.
        guard let own = PeerProcess.Executable(path: path), own.isRootOwned, let running = process.executable,
            running.isSameFile(as: own)
        else { return nil }
        return name
    }

    /// Browsers that are snaps, by the snap's name: the browser's own executable below the snap's files.
    private static let snaps = [
        "firefox": "usr/lib/firefox/firefox", "chromium": "usr/lib/chromium-browser/chrome",
        "brave": "opt/brave.com/brave/brave",
    ]

    /// A browser may start other programs than the relay, so the file that runs is compared with Latchkey's.
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

    /// In bytes; more than the relay ever takes.
    private static let sizeLimit = 4 << 20
}
