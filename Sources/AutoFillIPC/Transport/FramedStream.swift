// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets
internal import CLinux
internal import Glibc
internal import Synchronization

/// A connected stream socket, or a pair of pipes, that carries frames.
///
/// Bytes are read directly into locked memory and written directly from it. For this reason the transport uses plain
/// system calls: the receive buffers of an event loop are pooled and retain the data.
///
/// Sendable: one thread reads at a time by contract of `receive`, writes are serialised, and the descriptors close once.
public final class FramedStream: Sendable {
    /// The reason why a stream ended other than between two messages.
    public struct Failure: Error, Equatable, Sendable {
        public let reason: String
    }

    private struct State {
        var isClosed = false
        var users = 0
    }

    private let input: Int32
    private let output: Int32
    private let state = Mutex(State())
    private let writing = Mutex(())
    private let waiting = Mutex(Waiting())
    private let standing: Mutex<StreamTerms>
    /// Checks the sender of the first bytes before any is read.
    private let senderCheck: Mutex<SenderCheck?>

    /// Checks the process that sent the first bytes of a stream, and throws if nothing may be accepted from it.
    ///
    /// The process is `nil` if the kernel does not name it, or if it has ended.
    public typealias SenderCheck = @Sendable (PeerProcess?) throws -> Void

    /// A frame, and the number of bytes already written.
    private struct Departure {
        let header: [UInt8]
        let body: SecretBytes
        var sent = 0

        var count: Int { header.count + body.count }
    }

    /// Frames that wait to be written.
    private struct Waiting {
        var frames: [Departure] = []
        var byteCount = 0
        /// Whether a thread is writing them.
        var isServed = false
        /// Whether the peer did not read them in time.
        var isGivenUp = false
    }

    /// Takes ownership of connected descriptors, which may be the same one.
    public convenience init(input: Int32, output: Int32, terms: StreamTerms = StreamTerms()) {
        self.init(input: input, output: output, terms: terms, senderCheck: nil)
    }

    private init(input: Int32, output: Int32, terms: StreamTerms, senderCheck: SenderCheck?) {
        self.input = input
        self.output = output
        standing = Mutex(terms)
        self.senderCheck = Mutex(senderCheck)
        // A peer that stops reading must not hold a writer for ever.
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(output, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    public convenience init(socket: Int32, terms: StreamTerms = StreamTerms()) {
        self.init(input: socket, output: socket, terms: terms)
    }

    /// Takes ownership of a socket on which the kernel reports senders (`latchkey_pass_sender`).
    ///
    /// `receive` throws the error of the check and returns no data before. `peer()` names the process that created the
    /// socket, which may have been systemd.
    convenience init(socket: Int32, checking check: @escaping SenderCheck) {
        self.init(input: socket, output: socket, terms: StreamTerms(), senderCheck: check)
    }

    /// The limits for the peer. A change applies from the next message on.
    public var terms: StreamTerms {
        get { standing.withLock { $0 } }
        set { standing.withLock { $0 = newValue } }
    }

    deinit {
        close()
    }

    /// The peer process as the kernel reports it, or `nil` for pipes.
    public func peer() -> PeerProcess? {
        PeerProcess(socket: input)
    }

    /// The next message, or `nil` if the stream ended between two messages. Blocks; one caller at a time.
    public func receive() throws -> SecretBytes? {
        guard enter() else { return nil }
        defer { leave() }
        try checkSender()
        var header = [UInt8](repeating: 0, count: Frame.headerSize)
        // Between two messages a peer may be silent for any time.
        let first = try header.withUnsafeMutableBytes { try takeSome($0) }
        guard first > 0 else { return nil }
        let terms = terms
        let deadline = terms.arrivalLimit.map { ContinuousClock.now + $0 }
        let got = try header.withUnsafeMutableBytes {
            try first + fill(UnsafeMutableRawBufferPointer(rebasing: $0[first...]), until: deadline)
        }
        guard got == Frame.headerSize else { throw Failure(reason: Frame.Failure.truncated.reason) }
        let size: Int
        do {
            size = try Frame.bodySize(header: header)
        } catch {
            throw Failure(reason: error.reason)
        }
        guard size <= terms.sizeLimit else { throw Failure(reason: Frame.Failure.tooLongHere.reason) }
        let body = SecretBytes(count: size, in: terms.arena)
        guard try body.withUnsafeMutableBytes({ try fill($0, until: deadline) }) == size else {
            throw Failure(reason: Frame.Failure.truncated.reason)
        }
        return body
    }

    /// Writes a complete message.
    ///
    /// A message that cannot be written completely ends the connection, because the peer would take the next one for
    /// the rest of it.
    ///
    /// - Throws: A `Frame.Failure` when the message is too long, and a `Failure` when the peer has disconnected or does
    ///   not read for five seconds.
    public func send(_ body: SecretBytes) throws {
        guard enter() else { throw Failure(reason: "the connection is closed") }
        defer { leave() }
        let header = try Frame.header(bodySize: body.count)
        try writing.withLock { _ in
            do {
                try header.withUnsafeBytes { try drain($0) }
                try body.withUnsafeBytes { try drain($0) }
            } catch {
                close()
                throw error
            }
        }
    }

    /// Writes a message without waiting for the peer. A message that the peer does not read at once is queued, in order.
    ///
    /// A peer that does not read a message in time, or leaves too much queued, loses the connection. Use either `post`
    /// or `send` on a stream, not both.
    ///
    /// - Throws: A `Frame.Failure` when the message is too long, and a `Failure` when the connection is closed or is ended here.
    public func post(_ body: SecretBytes) throws {
        guard enter() else { throw Failure(reason: "the connection is closed") }
        defer { leave() }
        var frame = Departure(header: try Frame.header(bodySize: body.count), body: body)
        let limit = terms.waitingLimit
        do {
            let needsThread = try waiting.withLock { waiting in
                guard !waiting.isGivenUp else { throw Failure(reason: "the peer does not read") }
                if waiting.frames.isEmpty, try push(&frame) { return false }
                guard waiting.frames.isEmpty || waiting.byteCount + frame.count <= limit else {
                    throw Failure(reason: "the peer does not read")
                }
                waiting.frames.append(frame)
                waiting.byteCount += frame.count
                defer { waiting.isServed = true }
                return !waiting.isServed
            }
            if needsThread, !DetachedThread.start(stackSize: 256 << 10, { self.writeOut() }) {
                throw Failure(reason: "there is no thread left to write")
            }
        } catch {
            // The reader still receives the data that the peer has sent, and then the end.
            shutdown(input, Int32(SHUT_RDWR))
            throw error
        }
    }

    /// Writes the queued frames until none is left. Blocks; runs on a thread of its own.
    private func writeOut() {
        guard enter() else { return waiting.withLock { $0 = Waiting(isGivenUp: true) } }
        defer { leave() }
        while var frame = waiting.withLock({ $0.frames.first }) {
            let deadline = ContinuousClock.now + terms.departureLimit
            do {
                while try !push(&frame) { try wait(for: output, POLLOUT, until: deadline, "the peer does not read") }
            } catch {
                waiting.withLock { $0 = Waiting(isGivenUp: true) }
                shutdown(input, Int32(SHUT_RDWR))
                return
            }
            let isDone = waiting.withLock { waiting in
                waiting.frames.removeFirst()
                waiting.byteCount -= frame.count
                if waiting.frames.isEmpty { waiting.isServed = false }
                return waiting.frames.isEmpty
            }
            if isDone { return }
        }
    }

    /// Writes as much of a frame as the peer accepts at once. Returns whether the frame is complete.
    private func push(_ frame: inout Departure) throws -> Bool {
        while frame.sent < frame.count {
            let sent = frame.sent
            // Header and body in one call, so that the peer wakes up only once.
            let count = frame.header.withUnsafeBytes { header in
                frame.body.withUnsafeBytes { body in
                    gather(header.dropFirst(sent), body.dropFirst(max(0, sent - header.count)))
                }
            }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN { return false }
                throw Failure(reason: String(cString: strerror(errno)))
            }
            frame.sent += count
        }
        return true
    }

    /// Writes as much of two parts as the peer accepts at once. Returns -1, with `errno` set, on failure.
    private func gather(
        _ header: Slice<UnsafeRawBufferPointer>, _ body: Slice<UnsafeRawBufferPointer>
    ) -> Int {
        var parts = [header, body].map { part in
            let bytes = UnsafeRawBufferPointer(rebasing: part)
            return iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        }
        return parts.withUnsafeMutableBufferPointer { parts in
            var message = msghdr()
            message.msg_iov = parts.baseAddress
            message.msg_iovlen = parts.count
            return sendmsg(output, &message, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
    }

    /// Waits until a descriptor is ready.
    ///
    /// - Throws: A `Failure` with the given reason when it is not ready in time.
    private func wait(
        for descriptor: Int32, _ events: Int32, until deadline: ContinuousClock.Instant, _ reason: String
    ) throws {
        while true {
            let rest = (deadline - .now).components
            guard rest.seconds >= 0, rest.attoseconds >= 0 else { throw Failure(reason: reason) }
            let milliseconds = rest.seconds * 1000 + rest.attoseconds / 1_000_000_000_000_000 + 1
            var poll = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let ready = Glibc.poll(&poll, 1, Int32(clamping: milliseconds))
            if ready > 0 { return }
            if ready < 0, errno != EINTR { throw Failure(reason: String(cString: strerror(errno))) }
        }
    }

    /// Ends the connection. A waiting reader gets the end of the stream.
    public func close() {
        let (first, isIdle) = state.withLock { state in
            let first = !state.isClosed
            state.isClosed = true
            return (first, state.users == 0)
        }
        guard first else { return }
        shutdown(input, Int32(SHUT_RDWR))
        if output != input { shutdown(output, Int32(SHUT_RDWR)) }
        // While a reader or writer is active, the last of them closes, so that its descriptor's number is not reused meanwhile.
        if isIdle { closeDescriptors() }
    }

    private func enter() -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.users += 1
            return true
        }
    }

    private func leave() {
        let isLast = state.withLock { state in
            state.users -= 1
            return state.isClosed && state.users == 0
        }
        if isLast { closeDescriptors() }
    }

    private func closeDescriptors() {
        Glibc.close(input)
        if output != input { Glibc.close(output) }
    }

    private func checkSender() throws {
        guard let check = senderCheck.withLock({ $0 }) else { return }
        var sender = latchkey_peer()
        var descriptor: Int32 = -1
        let count = latchkey_peek_sender(input, &sender, &descriptor)
        if count < 0, errno != ECONNRESET { throw Failure(reason: String(cString: strerror(errno))) }
        guard count > 0 else { return }
        do {
            try check(PeerProcess(sender: sender, descriptor: descriptor))
        } catch {
            close()
            throw error
        }
        senderCheck.withLock { $0 = nil }
    }

    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant? = nil
    ) throws -> Int {
        var total = 0
        while total < buffer.count {
            let count = try takeSome(UnsafeMutableRawBufferPointer(rebasing: buffer[total...]), until: deadline)
            if count == 0 { return total }
            total += count
        }
        return total
    }

    /// Reads the available bytes, and waits for the first one. Returns 0 at the end.
    private func takeSome(
        _ buffer: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant? = nil
    ) throws -> Int {
        // Usually the whole message is already there and no waiting is needed.
        var mayBeThere = deadline != nil
        while true {
            if let deadline, !mayBeThere {
                try wait(for: input, POLLIN, until: deadline, "a message did not arrive in time")
            }
            let count =
                mayBeThere
                ? recv(input, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                : read(input, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN where mayBeThere, ENOTSOCK where mayBeThere: mayBeThere = false
            case ECONNRESET: return 0
            default: throw Failure(reason: String(cString: strerror(errno)))
            }
        }
    }

    private func drain(_ buffer: UnsafeRawBufferPointer) throws {
        var total = 0
        while total < buffer.count {
            let rest = buffer.count - total
            var count = Glibc.send(output, buffer.baseAddress?.advanced(by: total), rest, Int32(MSG_NOSIGNAL))
            if count < 0 && errno == ENOTSOCK {
                count = write(output, buffer.baseAddress?.advanced(by: total), rest)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure(reason: errno == EAGAIN ? "the peer does not read" : String(cString: strerror(errno)))
            }
            total += count
        }
    }
}
