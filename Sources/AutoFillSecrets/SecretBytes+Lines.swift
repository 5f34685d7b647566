// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension SecretBytes {
    /// Whether a text has another one in it as whole lines. An empty one is in every text.
    public func holdsLines(of other: SecretBytes) -> Bool {
        guard other.count > 0 else { return true }
        return withUnsafeBytes { whole in
            other.withUnsafeBytes { wanted in
                var start = whole.startIndex
                while let found = whole[start...].firstRange(of: wanted) {
                    let beginsLine = found.lowerBound == whole.startIndex || Self.isLineEnd(whole[found.lowerBound - 1])
                    let endsLine = found.upperBound == whole.endIndex || Self.isLineEnd(whole[found.upperBound])
                    if beginsLine && endsLine { return true }
                    start = found.lowerBound + 1
                }
                return false
            }
        }
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
