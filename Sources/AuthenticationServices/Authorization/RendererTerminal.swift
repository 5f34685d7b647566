// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import ChildProcesses
internal import Dispatch
internal import Foundation
internal import Glibc
internal import Synchronization

/// The terminal of this process, and the program of Latchkey's that draws on it for a while.
final class RendererTerminal: Sendable {
    private let environment: [String: String]
    private let path: String
    private let children = Mutex<[Task<Void, Never>]>([])

    /// - Parameter path: Of the terminal.
    init(environment: [String: String] = ProcessInfo.processInfo.environment, path: String = "/dev/tty") {
        self.environment = environment
        self.path = path
    }

    /// Where the system may ask, the preferred place first: a window, which nothing here can look into, where there are windows.
    var surfaces: [String] {
        let isRemote = environment["SSH_CONNECTION"] != nil || environment["SSH_TTY"] != nil
        let hasWindows = environment["WAYLAND_DISPLAY"] != nil || environment["DISPLAY"] != nil
        let terminal = isInForeground ? ["terminal"] : []
        if isRemote { return terminal }
        // A program without a terminal can hope for nothing else, whatever its environment says.
        return hasWindows || terminal.isEmpty ? ["window"] + terminal : terminal
    }

    /// Starts the renderer. Throws `userCanceled` where there is no terminal.
    func start(_ program: String, ticket: String) throws(WireError) {
        guard program.hasPrefix("/"), isInForeground else {
            throw WireError(.userCanceled, "There is no terminal to ask on.")
        }
        let terminal = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { throw WireError(.userCanceled, "There is no terminal to ask on.") }
        defer { close(terminal) }
        var environment = self.environment
        environment[Authorization.ticketVariable] = ticket
        guard
            let process = ChildProcess.spawn(
                program, arguments: ["choose", "--for-app"],
                descriptors: [(terminal, 0), (terminal, 1), (terminal, 2)], environment: environment)
        else { throw WireError(.userCanceled, "\(program) cannot be started.") }
        let ended = Task {
            await withCheckedContinuation { continuation in
                // A thread of its own: the user may take minutes, which the shared pool has not got.
                Thread.detachNewThread {
                    var status: Int32 = 0
                    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
                    continuation.resume()
                }
            }
        }
        children.withLock { $0.append(ended) }
    }

    /// Returns when nothing of Latchkey's draws on the terminal any more.
    func end() async {
        let ended = children.withLock { children in
            defer { children = [] }
            return children
        }
        for child in ended { await child.value }
    }

    /// Whether this process may read from the terminal: one in the background would be stopped.
    private var isInForeground: Bool {
        let terminal = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return isatty(terminal) == 1 && tcgetpgrp(terminal) == getpgrp()
    }
}
