// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Reads a payload that `RecordEncoder` wrote, and nothing else: what is left over, missing or padded with anything but
/// zeros is damage.
public struct RecordDecoder {
    private let payload: SecretBytes
    private let end: Int
    private var offset = 4

    /// - Throws: `SecretsError` with `damaged`.
    public init(_ payload: SecretBytes) throws {
        let end: Int? = payload.withUnsafeBytes { bytes in
            guard bytes.count >= 4, bytes.count % RecordEncoder.bucket == 0 else { return nil }
            let count = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
            guard count <= bytes.count - 4, bytes.count - 4 - count < RecordEncoder.bucket else { return nil }
            return bytes[(4 + count)...].allSatisfy { $0 == 0 } ? 4 + count : nil
        }
        guard let end else { throw Self.damaged }
        self.payload = payload
        self.end = end
    }

    /// Reads a number.
    public mutating func readNumber() throws -> Int64 {
        try take(8) { Int64(littleEndian: $0.loadUnaligned(as: Int64.self)) }
    }

    /// Reads a number that has to be in a range.
    public mutating func readNumber(in range: ClosedRange<Int64>) throws -> Int64 {
        let number = try readNumber()
        guard range.contains(number) else { throw Self.damaged }
        return number
    }

    /// Reads a text; it has to be UTF-8.
    public mutating func readText() throws -> String {
        let count = try readCount()
        guard let text = try take(count, { String(onHeap: $0) }) else { throw Self.damaged }
        return text
    }

    /// Reads a secret.
    public mutating func readSecret() throws -> SecretBytes {
        let count = try readCount()
        return try take(count) { SecretBytes(copying: $0) }
    }

    /// Checks that everything has been read.
    public consuming func finish() throws {
        guard offset == end else { throw Self.damaged }
    }

    private mutating func readCount() throws -> Int {
        try take(4) { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
    }

    private mutating func take<Value>(_ count: Int, _ body: (UnsafeRawBufferPointer) -> Value) throws -> Value {
        guard count <= end - offset else { throw Self.damaged }
        let range = offset..<offset + count
        offset += count
        return payload.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    private static var damaged: SecretsError {
        SecretsError(.damaged, "a sealed record has the wrong shape")
    }
}
