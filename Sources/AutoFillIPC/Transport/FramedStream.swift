// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets
internal import CLinux
internal import Glibc
internal import Synchronization

/// A connected stream socket, or a pair of pipes, that carries frames.
///
/// Bytes are read straight into locked memory and written straight from it. This is why the transport is plain system
/// calls: the receive buffers of an event loop are pooled and keep what went through them.
///
/// Sendable: one thread reads at a time by contract of `receive`, writes are serialised, and the descriptors close once.
public final class FramedStream: Sendable {
    /// Why a stream ended other than between two messages.
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
    /// Looks at who sent the first bytes, before any is read.
    private let senderCheck: Mutex<SenderCheck?>

    /// Throws where nothing may be taken from a process, which is the one that sent the first bytes of a stream. Nothing stands for
    /// a process that the kernel does not name, or that has ended.
    public typealias SenderCheck = @Sendable (PeerProcess?) throws -> Void

    /// A frame, and how much of it was written.
    private struct Departure {
        let header: [UInt8]
        let body: SecretBytes
        var sent = 0

        var count: Int { header.count + body.count }
    }

    /// Frames that the peer has not taken yet.
    private struct Waiting {
        var frames: [Departure] = []
        var byteCount = 0
        /// Whether a thread writes them out.
        var isServed = false
        /// Whether the peer did not take them in time.
        var isGivenUp = false
    }

    /// Takes over connected descriptors; they may be the same one.
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

    /// Takes over a socket whose kernel end says who sends (`latchkey_pass_sender`). `receive` throws what the check throws, and gives
    /// nothing of the stream before. `peer()` names who made the socket, which may have been systemd.
    convenience init(socket: Int32, checking check: @escaping SenderCheck) {
        self.init(input: socket, output: socket, terms: StreamTerms(), senderCheck: check)
    }

    /// What the other end may take up; a change counts from the next message on.
    public var terms: StreamTerms {
        get { standing.withLock { $0 } }
        set { standing.withLock { $0 = newValue } }
    }

    deinit {
        close()
    }

    /// The kernel's word on the process at the other end; nothing for pipes.
    public func peer() -> PeerProcess? {
        PeerProcess(socket: input)
    }

    /// The next message's bytes, or nothing at the end between two messages. Blocks; one caller at a time.
    public func receive() throws -> SecretBytes? {
        guard enter() else { return nil }
        defer { leave() }
        try checkSender()
        var header = [UInt8](repeating: 0, count: Frame.headerSize)
        // Between two messages a peer may be silent for as long as it likes.
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

    /// Writes a message whole; throws a `Frame.Failure` when it is too long, and a `Failure` when the peer is gone or does not
    /// read for five seconds.
    ///
    /// A message that got stuck halfway ends the connection: the peer would take the next one for the rest of it.
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

    /// Writes a message without waiting for the peer: what it does not take at once waits for it, in order. A peer that does
    /// not take a message in time, or leaves too much waiting, loses the connection. A stream is written with `post` or `send`,
    /// not with both.
    ///
    /// - Throws: a `Frame.Failure` when the message is too long, and a `Failure` when the connection is closed or is ended here.
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
            // A reader still gets what the peer has sent, and then the end.
            shutdown(input, Int32(SHUT_RDWR))
            throw error
        }
    }

    /// Writes what waits, until nothing does any longer. Blocks; on a thread of its own.
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

    /// Writes as much of a frame as the peer takes at once; whether that was all of it.
    private func push(_ frame: inout Departure) throws -> Bool {
        while frame.sent < frame.count {
            let sent = frame.sent
            // In one call: the peer would wake up twice.
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

    /// Writes as much of two parts as the peer takes at once; -1 with errno.
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

    /// Waits until a descriptor is ready; throws a `Failure` with a reason when it is not in time.
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

    /// Ends the connection; a reader that waits gets the end of the stream.
    public func close() {
        let (first, isIdle) = state.withLock { state in
            let first = !state.isClosed
            state.isClosed = true
            return (first, state.users == 0)
        }
        guard first else { return }
        shutdown(input, Int32(SHUT_RDWR))
        if output != input { shutdown(output, Int32(SHUT_RDWR)) }
        // With a user inside, the last one out closes, so that a number is never reused under a reader's feet.
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

    /// Reads what is there, as soon as something is; 0 at the end.
    private func takeSome(
        _ buffer: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant? = nil
    ) throws -> Int {
        // Most of the time all of a message is there, and nothing has to be waited for.
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
