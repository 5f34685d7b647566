// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The number of bytes that the text takes in a message, without its quotation marks.
    var wireSize: Int {
        utf8.reduce(0) { size, byte in
            switch byte {
            case 0..<0x20: size + 6
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): size + 2
            default: size + 1
            }
        }
    }
}
