// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// Base64 (RFC 4648, section 4) between locked memories, so that a key never lies in ordinary memory.
enum Base64 {
    /// The bytes of a text; nothing when it is not canonical: padding, alphabet and unused bits have to be right.
    static func decode(_ text: SecretBytes) -> SecretBytes? {
        text.withUnsafeBytes { source in
            guard source.count % 4 == 0 else { return nil }
            let padding = source.reversed().prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
            let decoded = SecretBytes(count: source.count / 4 * 3 - padding)
            var bits: UInt32 = 0
            let isCanonical = decoded.withUnsafeMutableBytes { target in
                var written = 0
                for (index, character) in source.enumerated() {
                    let isPadding = index >= source.count - padding
                    guard let value = isPadding ? 0 : value(of: character) else { return false }
                    bits = bits << 6 | value
                    guard index % 4 == 3 else { continue }
                    for shift in [16, 8, 0] as [UInt32] {
                        let byte = UInt8(truncatingIfNeeded: bits >> shift)
                        if written < target.count {
                            target[written] = byte
                            written += 1
                        } else if byte != 0 {
                            return false
                        }
                    }
                    bits = 0
                }
                return true
            }
            return isCanonical ? decoded : nil
        }
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
