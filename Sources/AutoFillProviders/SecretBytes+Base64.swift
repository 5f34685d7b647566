// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets

extension SecretBytes {
    /// The base64 text of these bytes, in locked memory (RFC 4648, section 4).
    package var base64: SecretBytes {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let text = SecretBytes(count: (count + 2) / 3 * 4)
        withUnsafeBytes { input in
            text.withUnsafeMutableBytes { output in
                for group in 0..<output.count / 4 {
                    let left = input.count - group * 3
                    var bits: UInt32 = 0
                    for offset in 0..<3 {
                        bits = bits << 8 | (offset < left ? UInt32(input[group * 3 + offset]) : 0)
                    }
                    for offset in 0..<4 {
                        let letter = alphabet[Int(bits >> UInt32(18 - 6 * offset)) & 63]
                        output[group * 4 + offset] = offset <= left ? letter : UInt8(ascii: "=")
                    }
                }
            }
        }
        return text
    }
}
