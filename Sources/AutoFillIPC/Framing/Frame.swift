// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The framing of section 1 of `docs/protocol.md`: a 4-byte length in native byte order, then the message.
public enum Frame {
    /// Maximum size of a message in bytes, without the length.
    public static let maximumSize = 1 << 20

    /// Size of the length in bytes.
    public static let headerSize = 4

    /// The reason why bytes are not a frame.
    public struct Failure: Error, Equatable, Sendable {
        public let reason: String

        static let empty = Failure(reason: "a message of no bytes")
        static let tooLong = Failure(reason: "a message of more than 1 MiB")
        static let tooLongHere = Failure(reason: "a message that is too long for this connection")
        static let truncated = Failure(reason: "the stream ended inside a message")
    }

    /// The size of the message that follows a header. Refuses 0 and more than 1 MiB.
    public static func bodySize(header: [UInt8]) throws(Failure) -> Int {
        guard header.count == headerSize else { throw .truncated }
        let size = header.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        guard size > 0 else { throw .empty }
        guard size <= maximumSize else { throw .tooLong }
        return Int(size)
    }

    /// The header for a message of the given size in bytes. Refuses sizes that the peer would refuse.
    public static func header(bodySize: Int) throws(Failure) -> [UInt8] {
        guard bodySize > 0 else { throw .empty }
        guard bodySize <= maximumSize else { throw .tooLong }
        return withUnsafeBytes(of: UInt32(bodySize)) { Array($0) }
    }
}
