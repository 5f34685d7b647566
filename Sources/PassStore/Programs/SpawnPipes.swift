// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// The pipes to and from a program that is about to start: its standard input (a socket, so that writing to a program
/// that reads no more is an error and no signal), output, errors, and the status on descriptor 3.
struct SpawnPipes {
    private var ours: [Int32] = []
    private var theirs: [Int32] = []

    /// False when the system has no more descriptors.
    mutating func open() -> Bool {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return false }
        ours.append(ends[0])
        theirs.append(ends[1])
        for _ in 1...3 {
            guard latchkey_pipe(&ends) == 0 else { return false }
            ours.append(ends[0])
            theirs.append(ends[1])
            guard fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else { return false }
        }
        return true
    }

    /// 0, or an errno.
    func spawn(_ call: ProgramCall, _ process: inout pid_t) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Copied out of the way of 0 to 3 first, where one of them might stand already.
        var copies: [Int32] = []
        defer { for copy in copies { Glibc.close(copy) } }
        for (number, descriptor) in theirs.enumerated() {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 64)
            guard copy >= 0 else { return errno }
            copies.append(copy)
            posix_spawn_file_actions_adddup2(&actions, copy, Int32(number))
        }
        latchkey_spawn_close_from(&actions, 4)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // What this process ignores the program would ignore too, and SIGTERM would not end it.
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETPGROUP)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let argv = ([call.program] + call.arguments).map { strdup($0) } + [nil]
        let envp = call.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        return posix_spawn(&process, call.program, &actions, &attributes, argv, envp)
    }

    /// This process's ends, which are the caller's from now on: input, output, errors, status.
    mutating func takeOurs() -> (Int32, Int32, Int32, Int32) {
        defer { ours = [] }
        return (ours[0], ours[1], ours[2], ours[3])
    }

    /// Closes whatever has not been taken.
    mutating func close() {
        for descriptor in ours + theirs { Glibc.close(descriptor) }
        (ours, theirs) = ([], [])
    }
}
