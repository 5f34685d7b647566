// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import ChildProcesses
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

    /// The process that was started; `nil`, with `errno` set, if that fails.
    func spawn(_ call: ProgramCall) -> pid_t? {
        ChildProcess.spawn(
            call.program, arguments: call.arguments,
            descriptors: theirs.enumerated().map { (from: $0.element, to: Int32($0.offset)) },
            environment: call.environment, isNewGroup: true)
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
