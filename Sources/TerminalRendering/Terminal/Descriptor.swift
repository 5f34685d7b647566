// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
internal import Glibc

/// Reads and writes descriptors completely, without a copy outside locked memory.
package enum Descriptor {
    /// Writes all bytes. Returns `false`, with `errno` set, if that fails.
    package static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            written += count
        }
        return true
    }

    /// The reason why reading failed.
    package enum ReadFailure: Error, Equatable {
        case tooLong
        case system(Int32)
    }

    /// Reads to the end. Refuses more than `limit` bytes.
    package static func readAll(_ descriptor: Int32, limit: Int) throws(ReadFailure) -> SecretBytes {
        // One more byte than allowed, to detect a longer input.
        let buffer = SecretBytes(count: limit + 1)
        let total = try buffer.withUnsafeMutableBytes { bytes throws(ReadFailure) in
            var total = 0
            while total < bytes.count {
                let count = read(descriptor, bytes.baseAddress?.advanced(by: total), bytes.count - total)
                if count == 0 { break }
                if count < 0 {
                    if errno == EINTR { continue }
                    throw .system(errno)
                }
                total += count
            }
            return total
        }
        guard total <= limit else { throw .tooLong }
        return buffer.prefix(total)
    }
}
