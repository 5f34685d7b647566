// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ProcessTesting
import Testing

/// A terminal of a test's own, with the real program in a session on it.
final class PseudoTerminal {
    private let master: Int32
    private let slave: Int32
    private let path: String
    private var process: pid_t = 0
    /// Everything that the terminal has shown.
    private(set) var shown = ""

    init?() {
        // What posix_openpt, unlockpt and ptsname do; Swift does not see those here.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var unlocked: Int32 = 0
        var number: Int32 = 0
        let setLock: UInt = 0x4004_5431
        let getNumber: UInt = 0x8004_5430
        guard master >= 0, ioctl(master, setLock, &unlocked) == 0, ioctl(master, getNumber, &number) == 0 else {
            return nil
        }
        path = "/dev/pts/\(number)"
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    }

    deinit {
        if process > 0 { kill(process, SIGKILL) }
        close(master)
        close(slave)
    }

    /// Starts the program with this as its controlling terminal and standard input; its output goes there too.
    func start(_ arguments: [String], _ environment: [String: String]) -> Bool {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a session opens becomes its controlling terminal.
        posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        let newSession: Int16 = 0x80
        posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF))
        // As a terminal starts it: tests that run in the background have these ignored.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGQUIT] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let argv = ([CommandRun.program] + arguments).map { strdup($0) } + [nil]
        let envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        return posix_spawn(&process, CommandRun.program, &actions, &attributes, argv, envp) == 0
    }

    /// Waits until a text has been shown so many times; false when it does not come.
    func wait(for text: String, times: Int = 1) async -> Bool {
        let isShown: Void? = try? await eventually("\(text) is shown") {
            drain()
            return shown.components(separatedBy: text).count > times
        }
        return isShown != nil
    }

    func type(_ text: String) {
        _ = text.withCString { write(master, $0, strlen($0)) }
    }

    func signal(_ number: Int32) {
        kill(process, number)
    }

    /// How the program ended: its status, or 128 and the signal; nothing when it does not end.
    func status() async -> Int32? {
        var status: Int32 = 0
        let hasEnded: Void? = try? await eventually("the program has ended") {
            drain()
            return waitpid(process, &status, WNOHANG) == process
        }
        guard hasEnded != nil else { return nil }
        process = 0
        drain()
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// Whether what is typed is shown.
    var hasEcho: Bool {
        var settings = termios()
        return tcgetattr(slave, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    private func drain() {
        var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while poll(&ready, 1, 0) > 0, ready.revents & Int16(POLLIN) != 0 {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { return }
            shown += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}
