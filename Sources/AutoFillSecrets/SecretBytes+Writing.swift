// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension SecretBytes {
    /// Bytes that a closure writes one by one. It runs twice, the first time to count, so that nothing is ever moved.
    package static func written(_ body: ((UInt8) -> Void) -> Void) -> SecretBytes {
        var count = 0
        body { _ in count += 1 }
        let bytes = SecretBytes(count: count)
        bytes.withUnsafeMutableBytes { buffer in
            var index = 0
            body { byte in
                guard index < buffer.count else { return }
                buffer[index] = byte
                index += 1
            }
        }
        return bytes
    }

    /// The first bytes, in memory of their own.
    package func prefix(_ count: Int) -> SecretBytes {
        withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
    }

    /// Whether the bytes are well-formed UTF-8, which is all that travels.
    package var isText: Bool {
        withUnsafeBytes { bytes in
            var decoder = UTF8()
            var iterator = bytes.makeIterator()
            while true {
                switch decoder.decode(&iterator) {
                case .scalarValue: continue
                case .emptyInput: return true
                case .error: return false
                }
            }
        }
    }
}
