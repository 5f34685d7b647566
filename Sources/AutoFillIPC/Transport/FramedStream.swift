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

    /// Takes over connected descriptors; they may be the same one.
    public init(input: Int32, output: Int32) {
        self.input = input
        self.output = output
        // A peer that stops reading must not hold a writer for ever.
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(output, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    public convenience init(socket: Int32) {
        self.init(input: socket, output: socket)
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
        var header = [UInt8](repeating: 0, count: Frame.headerSize)
        let got = try header.withUnsafeMutableBytes { try fill($0) }
        if got == 0 { return nil }
        guard got == Frame.headerSize else { throw Failure(reason: Frame.Failure.truncated.reason) }
        let size: Int
        do {
            size = try Frame.bodySize(header: header)
        } catch {
            throw Failure(reason: error.reason)
        }
        let body = SecretBytes(count: size)
        guard try body.withUnsafeMutableBytes({ try fill($0) }) == size else {
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

    private func fill(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var total = 0
        while total < buffer.count {
            let count = read(input, buffer.baseAddress?.advanced(by: total), buffer.count - total)
            if count == 0 { return total }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == ECONNRESET { return total }
                throw Failure(reason: String(cString: strerror(errno)))
            }
            total += count
        }
        return total
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
