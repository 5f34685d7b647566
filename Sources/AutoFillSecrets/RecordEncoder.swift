// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Writes the payload of a sealed row into locked memory, padded so that its size says little.
///
/// The layout: a 4-byte count of the fields' bytes, the fields, zeros up to a multiple of 64. A field is an 8-byte
/// number, or a 4-byte count and that many bytes. Everything is little-endian.
public struct RecordEncoder {
    /// Payloads have a multiple of this many bytes.
    public static let bucket = 64

    private var buffer = SecretBytes(count: 256)
    private var length = 4

    /// An empty payload.
    public init() {}

    /// Appends a number.
    public mutating func append(_ number: Int64) {
        let bits = UInt64(bitPattern: number)
        write((0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) })
    }

    /// Appends a text as its UTF-8.
    public mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends a secret.
    public mutating func append(_ secret: SecretBytes) {
        secret.withUnsafeBytes { append($0) }
    }

    /// Appends bytes.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        write(Self.count(bytes.count))
        write(bytes)
    }

    /// The padded payload.
    public consuming func finish() -> SecretBytes {
        let bucket = Self.bucket
        let payload = SecretBytes(count: (length + bucket - 1) / bucket * bucket)
        payload.withUnsafeMutableBytes { target in
            buffer.withUnsafeBytes { source in
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<length]))
            }
            target.copyBytes(from: Self.count(length - 4))
        }
        return payload
    }

    private mutating func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { write($0) }
    }

    /// Grows by copying to a larger secret; the smaller one is wiped as it goes.
    private mutating func write(_ bytes: UnsafeRawBufferPointer) {
        if length + bytes.count > buffer.count {
            let larger = SecretBytes(count: max(buffer.count * 2, length + bytes.count))
            let old = buffer
            larger.withUnsafeMutableBytes { target in old.withUnsafeBytes { target.copyMemory(from: $0) } }
            buffer = larger
        }
        buffer.withUnsafeMutableBytes { target in
            UnsafeMutableRawBufferPointer(rebasing: target[length..<length + bytes.count]).copyMemory(from: bytes)
        }
        length += bytes.count
    }

    private static func count(_ count: Int) -> [UInt8] {
        let bits = UInt32(clamping: count)
        return (0..<4).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
    }
}
