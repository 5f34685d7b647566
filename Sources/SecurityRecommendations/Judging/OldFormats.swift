// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// The ways in which generators made passwords that nobody makes any more.
enum OldFormats {
    /// Four groups of three letters and digits between hyphens, Safari's until 2018: 71 bits, of which look-alikes were left out.
    static func contain(_ password: SecretBytes) -> Bool {
        password.withUnsafeBytes { bytes in
            guard bytes.count == 15 else { return false }
            var (upper, lower, digits) = (0, 0, 0)
            for (index, byte) in bytes.enumerated() {
                switch byte {
                case UInt8(ascii: "-") where index % 4 == 3: continue
                case _ where index % 4 == 3: return false
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): upper += 1
                case UInt8(ascii: "a")...UInt8(ascii: "z"): lower += 1
                case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
                default: return false
                }
            }
            return upper > 0 && lower > 0 && digits > 0
        }
    }
}
