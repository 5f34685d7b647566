// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets

/// How a text has changed, as its program says: some characters were put in, or taken out.
package struct TextChange: Sendable {
    /// Maximum number of bytes of a text that is followed.
    private static let limit = 512

    /// The characters that were put in; `nil` where some were taken out.
    private let inserted: SecretBytes?
    /// The place of the first of them.
    private let start: Int
    /// Their number; `nil` for all up to the end.
    private let count: Int?

    package init(inserting text: SecretBytes, at start: Int) {
        inserted = text
        self.start = start
        count = Self.characters(of: text)
    }

    package init(deleting count: Int?, at start: Int) {
        inserted = nil
        self.start = start
        self.count = count
    }

    /// - Returns: `nil` where the event says nothing that can be.
    init?(_ members: borrowing Variant) {
        guard let kind = members[0]?.text(), let start = members[1]?.signed, let count = members[2]?.signed, start >= 0
        else { return nil }
        if kind.hasPrefix("delete") {
            // GTK says -1 where everything up to the end goes.
            self.init(deleting: count < 0 ? nil : Int(count), at: Int(start))
        } else if kind.hasPrefix("insert"), let text = members[3]?[0]?.secret(atMost: Self.limit) {
            self.init(inserting: text, at: Int(start))
            guard self.count == Int(count) else { return nil }
        } else {
            return nil
        }
    }

    /// The text after the change; `nil` where the change does not fit it, or the text becomes too long.
    package func applied(to text: SecretBytes) -> SecretBytes? {
        guard let from = Self.offset(of: start, in: text) else { return nil }
        let new = inserted ?? SecretBytes(count: 0)
        let all = text.count
        guard let end = inserted != nil ? from : count.map({ Self.offset(of: start + $0, in: text) }) ?? all,
            text.count - (end - from) + new.count <= Self.limit
        else { return nil }
        let result = SecretBytes(count: text.count - (end - from) + new.count)
        result.withUnsafeMutableBytes { result in
            text.withUnsafeBytes { text in
                new.withUnsafeBytes { new in
                    var place = 0
                    for part in [
                        UnsafeRawBufferPointer(rebasing: text[..<from]), new,
                        UnsafeRawBufferPointer(rebasing: text[end...]),
                    ] where !part.isEmpty {
                        UnsafeMutableRawBufferPointer(rebasing: result[place...]).copyMemory(from: part)
                        place += part.count
                    }
                }
            }
        }
        return result
    }

    private static func characters(of text: SecretBytes) -> Int {
        text.withUnsafeBytes { $0.count { !isContinuation($0) } }
    }

    /// The byte at which a character begins; the number of bytes for the one after the last; `nil` beyond that.
    private static func offset(of character: Int, in text: SecretBytes) -> Int? {
        text.withUnsafeBytes { bytes in
            var left = character
            for (offset, byte) in bytes.enumerated() where !isContinuation(byte) {
                if left == 0 { return offset }
                left -= 1
            }
            return left == 0 ? bytes.count : nil
        }
    }

    /// Whether a byte of UTF-8 continues a character.
    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
