// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import FoundationEssentials
internal import Glibc

/// Starts programs with exactly the given descriptors.
package enum ChildProcess {
    /// Starts a program. Returns `nil`, with `errno` set, if that fails.
    ///
    /// - Parameters:
    ///   - descriptors: Pairs of a descriptor here and its number in the program. Standard input and output are
    ///     `/dev/null` unless named. Everything above the highest of them is closed.
    ///   - environment: The program's environment, or `nil` for this process's own.
    ///   - isNewSession: Whether the program outlives the terminal.
    ///   - isNewGroup: Whether it leads a process group of its own, so that a signal reaches all that it starts.
    package static func spawn(
        _ program: String, arguments: [String], descriptors: [(from: Int32, to: Int32)],
        environment: [String: String]? = nil, isNewSession: Bool = false, isNewGroup: Bool = false
    ) -> Int32? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for standard in [0, 1, 2] as [Int32] where !descriptors.contains(where: { $0.to == standard }) {
            posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0)
        }
        // Sources are first copied to numbers above every destination, so that no pair overwrites another's source.
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        for (from, to) in descriptors {
            let copy = fcntl(from, F_DUPFD_CLOEXEC, 64)
            guard copy >= 0 else { return nil }
            copies.append(copy)
            posix_spawn_file_actions_adddup2(&actions, copy, to)
        }
        // Libraries open files too, and not all of them are marked close-on-exec.
        latchkey_spawn_close_from(&actions, max(2, descriptors.map(\.to).max() ?? 2) + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // Ignored signals are inherited; SIGTERM would not end the program then.
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags =
            Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
            | (isNewSession ? Int32(POSIX_SPAWN_SETSID) : 0) | (isNewGroup ? Int32(POSIX_SPAWN_SETPGROUP) : 0)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let argv = ([program] + arguments).map { strdup($0) } + [nil]
        let envp = (environment ?? ProcessInfo.processInfo.environment).map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for pointer in argv + envp { free(pointer) }
        }
        var process: pid_t = 0
        let result = posix_spawn(&process, program, &actions, &attributes, argv, envp)
        guard result == 0 else {
            errno = result
            return nil
        }
        return process
    }

    /// Waits for a program that leads a process group of its own, and kills the group when the time is over.
    ///
    /// - Returns: The status as of `waitpid`, or `nil` if it did not end in time.
    package static func wait(for leader: Int32, limit: Duration) -> Int32? {
        var status: Int32 = 0
        let end = ContinuousClock.now + limit
        let descriptor = latchkey_pidfd_open(leader)
        defer { if descriptor >= 0 { close(descriptor) } }
        var hasEnded = false
        while descriptor >= 0, !hasEnded, end > .now {
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = (end - .now).components
            hasEnded =
                poll(&polled, 1, Int32(clamping: left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1))
                > 0
        }
        if !hasEnded { killGroup(leader) }
        while waitpid(leader, &status, 0) < 0 && errno == EINTR {}
        return hasEnded ? status : nil
    }

    /// Kills a program that leads a process group of its own, and everything in that group.
    ///
    /// A program that is killed while it makes a sandbox leaves a child which has no death signal yet, and which waits for it
    /// forever.
    ///
    /// - Parameter leader: A process that has not been waited for, so that its number still names it.
    package static func killGroup(_ leader: Int32) {
        guard leader > 1 else { return }
        kill(-leader, SIGKILL)
        kill(leader, SIGKILL)
    }
}
