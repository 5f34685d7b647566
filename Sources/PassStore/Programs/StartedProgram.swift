// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import CLinux
internal import ChildProcesses
internal import Glibc
internal import Synchronization

/// A program that runs, with this process's ends of what it reads and writes.
final class StartedProgram: Sendable {
    private static let statusLimit = 1 << 16

    private struct State {
        var stop: ProgramEnd.Stop?
        /// Whether the process has been waited for: its number may be another's then.
        var isOver = false
    }

    private let process: pid_t
    private let pidfd: Int32
    private let input: Int32
    private let output: Int32
    private let errors: Int32
    private let status: Int32
    private let state = Mutex(State())

    init(_ call: ProgramCall) throws(PassStoreError) {
        var pipes = SpawnPipes()
        defer { pipes.close() }
        guard pipes.open() else { throw Self.notStarted(call) }
        guard let number = pipes.spawn(call) else { throw Self.notStarted(call, errno) }
        process = number
        pidfd = latchkey_pidfd_open(number)
        guard pidfd >= 0 else {
            // Without it the end of a program whose pipes somebody keeps open would not be noticed.
            let result = errno
            ChildProcess.killGroup(number)
            waitpid(number, nil, 0)
            throw Self.notStarted(call, result)
        }
        (input, output, errors, status) = pipes.takeOurs()
    }

    deinit {
        for descriptor in [pidfd, output, errors, status] { close(descriptor) }
    }

    /// Sends a signal to the program and what it started, unless it is over.
    func stop(_ why: ProgramEnd.Stop, with signal: Int32) {
        state.withLock { state in
            guard !state.isOver else { return }
            if state.stop == nil { state.stop = why }
            kill(-process, signal)
        }
    }

    /// Carries bytes in and out until the program has ended. Blocks; called once.
    func serve(_ call: ProgramCall) -> ProgramEnd {
        let written = GrowingSecret(limit: call.outputLimit)
        var told = BoundedText(limit: Self.statusLimit)
        var said = BoundedText(limit: Self.statusLimit)
        var feed = ProgramFeed(call.input, to: input)
        var isOpen = (output: true, errors: true, status: true)
        var isRunning = true
        while isRunning {
            var waiting = [
                pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen.output ? output : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen.errors ? errors : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen.status ? status : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: feed.descriptor, events: Int16(POLLOUT), revents: 0),
            ]
            if poll(&waiting, nfds_t(waiting.count), -1) < 0, errno != EINTR { break }
            isRunning = waiting[0].revents == 0
            // After the end too: what the program wrote last is still in the pipes.
            if isOpen.output { isOpen.output = written.fill(from: output) }
            if isOpen.errors { isOpen.errors = said.fill(from: errors) }
            if isOpen.status { isOpen.status = told.fill(from: status) }
            if waiting[4].revents != 0 { feed.go() }
            if written.isOverfull { stop(.tooMuchOutput, with: SIGKILL) }
        }
        feed.end()
        let (code, stop) = wait()
        let isWhole = stop == nil
        return ProgramEnd(
            output: isWhole ? written.bytes() : SecretBytes(count: 0), status: told.text, errors: said.text,
            code: code, stop: stop
        )
    }

    private func wait() -> (Int32, ProgramEnd.Stop?) {
        state.withLock { state in
            // What it left behind goes with it; its number is still its own until it has been waited for.
            kill(-process, SIGKILL)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            state.isOver = true
            return (status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F), state.stop)
        }
    }

    private static func notStarted(_ call: ProgramCall, _ number: Int32 = errno) -> PassStoreError {
        PassStoreError(
            .program, "\(ProgramRunner.name(call)) cannot be started: \(String(cString: strerror(number)))."
        )
    }
}

/// Puts a program's input into its socket, as it is taken.
struct ProgramFeed {
    private(set) var descriptor: Int32
    private let secret: SecretBytes?
    private let plain: [UInt8]
    private var sent = 0

    init(_ input: ProgramCall.Input, to descriptor: Int32) {
        self.descriptor = descriptor
        switch input {
        case .nothing: (secret, plain) = (nil, [])
        case .bytes(let bytes): (secret, plain) = (nil, bytes)
        case .secret(let bytes): (secret, plain) = (bytes, [])
        }
        if count == 0 { end() }
    }

    private var count: Int { secret?.count ?? plain.count }

    /// Sends what is taken without waiting. A program that reads no more is not an error: its end says what became of it.
    mutating func go() {
        guard descriptor >= 0 else { return }
        let taken = secret.map { $0.withUnsafeBytes { send($0) } } ?? plain.withUnsafeBytes { send($0) }
        if taken < 0, errno == EAGAIN || errno == EINTR { return }
        sent += max(0, taken)
        if taken < 0 || sent == count { end() }
    }

    mutating func end() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
        return Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
}

/// What a program writes, in locked memory from the pipe on.
final class GrowingSecret {
    private(set) var isOverfull = false
    private let limit: Int
    private var memory = SecretBytes(count: 4096)
    private var count = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes what is there; false at the end.
    func fill(from descriptor: Int32) -> Bool {
        while !isOverfull {
            if count == memory.count {
                let larger = SecretBytes(count: min(memory.count * 2, limit + 1))
                memory.withUnsafeBytes { old in
                    larger.withUnsafeMutableBytes { $0.copyMemory(from: old) }
                }
                memory = larger
            }
            let got = memory.withUnsafeMutableBytes { buffer in
                read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if got < 0 { return errno == EAGAIN || errno == EINTR }
            if got == 0 { return false }
            count += got
            isOverfull = count > limit
        }
        return false
    }

    func bytes() -> SecretBytes { memory.slice(0..<count) }
}

/// What a program says about its work; what is beyond the limit is thrown away.
struct BoundedText {
    private let limit: Int
    private var bytes: [UInt8] = []

    init(limit: Int) {
        self.limit = limit
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Takes what is there; false at the end.
    mutating func fill(from descriptor: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let got = read(descriptor, &buffer, buffer.count)
            if got < 0 { return errno == EAGAIN || errno == EINTR }
            if got == 0 { return false }
            bytes += buffer.prefix(min(got, limit - bytes.count))
        }
    }
}
