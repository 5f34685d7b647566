// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import ChildProcesses
internal import Glibc
internal import Synchronization

/// The exchange with one process: its input and its answer, within limits of size and time.
///
/// Unchecked `Sendable`: mutable state is protected by the mutex; everything else is constant.
final class FetchConversation: @unchecked Sendable {
    private enum State {
        case waiting
        case running(Int32)
        case ended
        case cancelled
    }

    private let input: [UInt8]
    private let maximumAnswer: Int
    /// The process's name in error messages.
    private let name: String
    private let end: ContinuousClock.Instant
    private let state = Mutex(State.waiting)

    init(input: [UInt8], maximumAnswer: Int, end: ContinuousClock.Instant, name: String = "latchkey-fetch") {
        self.name = name
        self.input = input
        self.maximumAnswer = maximumAnswer
        self.end = end
    }

    /// Kills the process, so that the thread waiting for it continues.
    func cancel() {
        state.withLock { state in
            // The process has not been waited for, so its number cannot have been reused.
            if case .running(let process) = state { ChildProcess.killGroup(process) }
            if case .waiting = state { state = .cancelled }
        }
    }

    /// Starts the program and its network access, writes the input, reads the output to its end, and waits for the process.
    func hold(
        _ program: String, _ arguments: [String], files: [(from: Int32, to: Int32)], environment: [String: String],
        exit: NetworkExit? = nil
    ) -> Result<[UInt8], WireError> {
        // If the process stops reading, writing fails with an error. SIGPIPE is blocked on this thread, which ends afterwards.
        var broken = sigset_t()
        sigemptyset(&broken)
        sigaddset(&broken, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &broken, nil)
        var toProcess: [Int32] = [-1, -1]
        var fromProcess: [Int32] = [-1, -1]
        defer { for end in toProcess + fromProcess where end >= 0 { close(end) } }
        guard latchkey_pipe(&toProcess) == 0, latchkey_pipe(&fromProcess) == 0 else {
            return .failure(WireError(.internalError, "No pipe can be made."))
        }
        let networkExit = exit.flatMap {
            ChildProcess.spawn(
                $0.program, arguments: $0.arguments, descriptors: $0.descriptors, environment: NetworkExit.environment,
                isNewGroup: true)
        }
        defer { if let networkExit { Self.end(networkExit) } }
        guard exit == nil || networkExit != nil else { return .failure(Self.missing("latchkey-net")) }
        let started = state.withLock { state -> Int32? in
            guard case .waiting = state else { return nil }
            let process = ChildProcess.spawn(
                program, arguments: arguments, descriptors: [(toProcess[0], 0), (fromProcess[1], 1)] + files,
                environment: environment, isNewGroup: true)
            if let process { state = .running(process) }
            return process
        }
        guard let process = started else {
            if case .cancelled = state.withLock({ $0 }) {
                return .failure(WireError(.userCanceled, "The request was canceled."))
            }
            return .failure(Self.missing(program))
        }
        // Only the process keeps its ends, so that each side notices when the other has exited.
        close(toProcess[0])
        close(fromProcess[1])
        toProcess[0] = -1
        fromProcess[1] = -1
        var failure: WireError?
        var output: [UInt8] = []
        do {
            output = try talk(&toProcess[1], fromProcess[0])
        } catch {
            failure = error
        }
        // The output is complete, so a process that is still running is killed.
        ChildProcess.killGroup(process)
        var status: Int32 = 0
        state.withLock { state in
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
            state = .ended
        }
        if let failure { return .failure(failure) }
        return .success(output)
    }

    private static func missing(_ program: String) -> WireError {
        WireError(.providerUnavailable, "\(program) cannot be started.", hint: "Is the whole of Latchkey installed?")
    }

    private static func end(_ process: Int32) {
        // Not waited for yet, so its number cannot have been reused.
        ChildProcess.killGroup(process)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    }

    private func talk(_ input: inout Int32, _ output: Int32) throws(WireError) -> [UInt8] {
        _ = fcntl(input, F_SETFL, O_NONBLOCK)
        var written = 0
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let left = end - ContinuousClock.now
            guard left > .zero else {
                throw WireError(.timedOut, "\(name) did not finish in time.")
            }
            var polled = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
            if input >= 0 { polled.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
            let milliseconds = left / .milliseconds(1)
            let ready = poll(&polled, nfds_t(polled.count), Int32(min(milliseconds, 60_000).rounded(.up)))
            guard ready >= 0 || errno == EINTR else {
                throw WireError(.internalError, "\(name) cannot be read.")
            }
            guard ready > 0 else { continue }
            if polled.count > 1, polled[1].revents != 0 {
                written += write(input, from: written)
                if written >= self.input.count {
                    close(input)
                    input = -1
                }
            }
            guard polled[0].revents != 0 else { continue }
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return answer }
            guard answer.count + count <= maximumAnswer else {
                throw WireError(.providerUnavailable, "\(name) sent more than the limit.")
            }
            answer.append(contentsOf: buffer[..<count])
        }
    }

    /// The number of bytes written, or all of them if the process no longer reads.
    private func write(_ descriptor: Int32, from start: Int) -> Int {
        let count = input.withUnsafeBytes { bytes in
            Glibc.write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        }
        if count >= 0 { return count }
        return errno == EINTR || errno == EAGAIN ? 0 : input.count
    }
}
