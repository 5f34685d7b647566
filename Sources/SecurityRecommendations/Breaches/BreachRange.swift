// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// The hashes that begin with five digits: one answer of the range API, or one file of a folder of them.
///
/// Lines `SUFFIX:COUNT` in any order, the rest of SHA-1 hashes. A count of 0 is padding.
public struct BreachRange: Sendable {
    /// The most bytes that are read: ten times what there is in 2026.
    public static let maximumSize = 1 << 20
    /// So many digits name a range.
    public static let prefixLength = 5

    private let counts: [[UInt8]: Int]

    /// Reads lines; those of another layout are left out. Nothing where none is right.
    public init?(_ text: [UInt8]) {
        var counts: [[UInt8]: Int] = [:]
        for line in text.split(separator: UInt8(ascii: "\n")) where line.count <= BreachLine.maximumSize {
            guard let line = BreachLine(line), line.digits.count == HashKind.sha1.size * 2 - Self.prefixLength else {
                continue
            }
            counts[line.digits] = line.count
        }
        guard !counts.isEmpty else { return nil }
        self.counts = counts
    }

    /// The first five hexadecimal digits of a password's hash: all that is ever told.
    public static func prefix(of password: SecretBytes) -> String {
        BreachLine.digits(of: HashKind.sha1.hash(password)).prefix(prefixLength).map {
            String($0, radix: 16, uppercase: true)
        }.joined()
    }

    /// Whether a text names a range.
    public static func isPrefix(_ text: String) -> Bool {
        text.utf8.count == prefixLength
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0) }
    }

    /// How often a password was seen; 0 where it is not in the range. It has to be that of the password.
    public func count(of password: SecretBytes) -> Int {
        counts[Array(BreachLine.digits(of: HashKind.sha1.hash(password)).dropFirst(Self.prefixLength))] ?? 0
    }
}
