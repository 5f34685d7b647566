// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillIPC
internal import Glibc

/// Two connected sockets.
public enum SocketPair {
    /// Descriptors that close on exec.
    public static func descriptors() throws -> (Int32, Int32) {
        var descriptors: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &descriptors) == 0 else {
            throw WireError(.internalError, String(cString: strerror(errno)))
        }
        return (descriptors[0], descriptors[1])
    }

    /// Streams that are each other's ends.
    public static func streams() throws -> (FramedStream, FramedStream) {
        let (first, second) = try descriptors()
        return (FramedStream(socket: first), FramedStream(socket: second))
    }
}
