// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import CLinux
internal import ChildProcesses
internal import Glibc
internal import PasswordsModel

/// Runs the `latchkey` beside this program.
struct CommandProcess: CommandRunning {
    private static let notStarted = "The program latchkey cannot be started."
    /// What is read of an output, in bytes.
    private static let longest = 4 << 20

    func run(_ arguments: [String], input: SecretBytes?) async -> CommandOutcome {
        // A thread of its own: it waits, for a minute where a site is asked, and the tasks of this program are to go on.
        await withCheckedContinuation { (continuation: CheckedContinuation<CommandOutcome, Never>) in
            let isRunning = DetachedThread.start(stackSize: 512 << 10) {
                continuation.resume(returning: Self.start(arguments, input))
            }
            if !isRunning { continuation.resume(returning: CommandOutcome(status: -1, problem: Self.notStarted)) }
        }
    }

    private static func start(_ arguments: [String], _ input: SecretBytes?) -> CommandOutcome {
        var pipes: [[Int32]] = []
        defer { for descriptor in pipes.joined() where descriptor >= 0 { close(descriptor) } }
        for _ in 0..<3 {
            var pipe: [Int32] = [-1, -1]
            guard latchkey_pipe(&pipe) == 0 else {
                return CommandOutcome(status: -1, problem: notStarted)
            }
            pipes.append(pipe)
        }
        // A session of its own: where this program was started in a terminal, the other one is to ask nothing there.
        let process = ChildProcess.spawn(
            DaemonConnector.programFolder + "/latchkey", arguments: arguments,
            descriptors: [(pipes[0][0], 0), (pipes[1][1], 1), (pipes[2][1], 2)], isNewSession: true)
        func end(_ pipe: Int, _ side: Int) {
            close(pipes[pipe][side])
            pipes[pipe][side] = -1
        }
        for (pipe, side) in [(0, 0), (1, 1), (2, 1)] { end(pipe, side) }
        guard let process else {
            return CommandOutcome(status: -1, problem: "The program latchkey is missing beside this one.")
        }
        if let input { input.withUnsafeBytes { write($0, to: pipes[0][1]) } }
        end(0, 1)
        // Neither output may fill up while the other one is read.
        var (output, problem): ([UInt8], [UInt8]) = ([], [])
        readBoth(pipes[1][0], pipes[2][0], &output, &problem)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let isEnded = status & 0x7f == 0
        return CommandOutcome(
            status: isEnded ? (status >> 8) & 0xff : -1, output: String(decoding: output, as: UTF8.self),
            problem: String(decoding: problem, as: UTF8.self))
    }

    /// Writes all of it, unless the other side has ended.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func readBoth(_ one: Int32, _ other: Int32, _ first: inout [UInt8], _ second: inout [UInt8]) {
        var open = [
            pollfd(fd: one, events: Int16(POLLIN), revents: 0), pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while open.contains(where: { $0.fd >= 0 }) {
            guard poll(&open, nfds_t(open.count), -1) >= 0 || errno == EINTR else { return }
            for index in open.indices where open[index].fd >= 0 && open[index].revents != 0 {
                let count = read(open[index].fd, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    open[index].fd = -1
                    continue
                }
                if index == 0, first.count < longest { first += buffer[..<count] }
                if index == 1, second.count < longest { second += buffer[..<count] }
            }
        }
    }
}
