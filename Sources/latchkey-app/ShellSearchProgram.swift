// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import ChildProcesses
internal import FoundationEssentials
internal import Glibc
internal import MainLoop
internal import PasswordsModel
internal import PasswordsWindow

/// `latchkey-app --search-provider`: what GNOME Shell starts to have its search answered. It starts no daemon itself;
/// systemd does where `latchkeyd.socket` waits.
enum ShellSearchProgram {
    static func run() -> Int32 {
        guard let directories = Directories(environment: ProcessInfo.processInfo.environment) else { return 78 }
        return ShellSearchService.run {
            let link = DaemonLink(directories)
            let service = ShellSearchService(daemon: ConnectedLink(link), show: open)
            link.ended = { [weak service] in service?.end() }
            return service
        }
    }

    /// Starts the app, or has the one that runs show something.
    @DesktopActor private static func open(_ wish: MainWindow.Wish) {
        let path = DaemonConnector.programFolder + "/latchkey-app"
        var environment = ProcessInfo.processInfo.environment
        let arguments: [String]
        switch wish {
        case .account(let id): arguments = ["--account", id]
        case .search(let words):
            arguments = ["--search"]
            // Arguments can be read by every user of the computer.
            environment[MainWindow.Wish.variable] = words
        }
        // It goes on when this program ends, and nobody waits for it.
        signal(SIGCHLD, SIG_IGN)
        _ = ChildProcess.spawn(
            path, arguments: arguments, descriptors: [], environment: environment, isNewSession: true)
    }
}

/// The daemon, once it is asked. Where none runs, this program ends, and the next search starts it anew.
@DesktopActor private final class ConnectedLink: DaemonAsking {
    private let link: DaemonLink
    private var connecting: Task<Void, any Error>?

    init(_ link: DaemonLink) {
        self.link = link
    }

    func call<M: WireMethod>(_ method: M.Type, _ params: M.Params) async throws -> M.Answer {
        let connecting = connecting ?? Task { [link] in try await link.connect(startsDaemon: false) }
        self.connecting = connecting
        do {
            try await connecting.value
        } catch {
            link.ended()
            throw error
        }
        return try await link.call(method, params)
    }
}
