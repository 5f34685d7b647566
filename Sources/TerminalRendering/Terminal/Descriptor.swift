// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
internal import Glibc

/// Reading and writing descriptors whole, without a copy outside locked memory.
package enum Descriptor {
    /// Writes everything; false, with `errno`, when that fails.
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

    /// Why reading ended without the bytes.
    package enum ReadFailure: Error, Equatable {
        case tooLong
        case system(Int32)
    }

    /// Reads to the end; refuses more than `limit` bytes.
    package static func readAll(_ descriptor: Int32, limit: Int) throws(ReadFailure) -> SecretBytes {
        // One byte more than is allowed, so that a longer input is noticed.
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
