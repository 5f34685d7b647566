// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Foundation
import Glibc

@testable import AutoFillIPC

/// Two connected sockets: one under test, the other in the test's hands as bytes.
final class SocketPair: Sendable {
    /// The end under test; whoever takes it over closes it.
    let near: Int32
    let far: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
        (near, far) = (ends[0], ends[1])
    }

    deinit {
        close(far)
    }

    /// Writes bytes as they are; small ones only, since nobody may be reading.
    func write(_ bytes: [UInt8]) {
        _ = Glibc.send(far, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Writes a frame with any length in its header.
    func write(size: UInt32, body: [UInt8]) {
        write(withUnsafeBytes(of: size) { Array($0) } + body)
    }

    /// Writes a message as a frame.
    func write(_ text: String) {
        write(size: UInt32(text.utf8.count), body: Array(text.utf8))
    }

    /// Says that nothing more will be written.
    func endWriting() {
        shutdown(far, Int32(SHUT_WR))
    }

    /// How long a `send` of the near end waits for this one to read.
    func limitPatience(milliseconds: Int) {
        var limit = timeval(tv_sec: 0, tv_usec: milliseconds * 1000)
        setsockopt(near, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
}

/// Carries out what blocks on a thread of its own, so that the few threads of the shared pool stay free.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}

extension FramedStream {
    /// The next message, or nothing at the end.
    func nextMessage() async throws -> Message? {
        try await blocking {
            try self.receive().map { try $0.withUnsafeBytes { try Message(decoding: $0) } }
        }
    }
}
