// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import AutoFillSecrets
internal import ShownText

/// JSON for scripts: members in documented order, secrets written directly from locked memory.
///
/// Foundation's encoder would make a `String` of a secret, and the wire's printer writes secrets in the wire's own form.
package indirect enum JSONText {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A count that may exceed every integer type. It is written as a whole number as far as a double can represent it.
    case number(Double)
    /// A fraction between 0 and 1, with two decimals.
    case fraction(Double)
    case string(String)
    case secret(SecretBytes)
    case array([JSONText])
    case object([(String, JSONText)])

    /// The JSON text with a final line feed. The elements of an outermost array are on lines of their own.
    package func encoded() -> SecretBytes {
        SecretBytes.written { sink in
            if case .array(let elements) = self, !elements.isEmpty {
                Self.emit("[\n", sink)
                for (index, element) in elements.enumerated() {
                    Self.emit(index == 0 ? "  " : ",\n  ", sink)
                    element.print(sink)
                }
                Self.emit("\n]", sink)
            } else {
                print(sink)
            }
            Self.emit("\n", sink)
        }
    }

    /// Appends the text on one line to a buffer. For documents without secrets.
    package func append(to bytes: inout [UInt8]) {
        bytes += line
        bytes.append(0x0A)
    }

    /// The text on one line, without a line feed. For documents without secrets.
    package var line: [UInt8] {
        var bytes: [UInt8] = []
        print { bytes.append($0) }
        return bytes
    }

    private func print(_ sink: (UInt8) -> Void) {
        switch self {
        case .null: Self.emit("null", sink)
        case .bool(let bool): Self.emit(bool ? "true" : "false", sink)
        case .integer(let integer): Self.emit(String(integer), sink)
        case .number(let number):
            Self.emit(number.rounded() == number && abs(number) < 9e15 ? String(Int64(number)) : String(number), sink)
        case .fraction(let share): Self.emit(Self.decimals(share), sink)
        case .string(let string): Self.quote(string, sink)
        case .secret(let secret): secret.withUnsafeBytes { Self.quote($0, sink) }
        case .array(let elements):
            Self.emit("[", sink)
            for (index, element) in elements.enumerated() {
                if index > 0 { Self.emit(",", sink) }
                element.print(sink)
            }
            Self.emit("]", sink)
        case .object(let members):
            Self.emit("{", sink)
            for (index, member) in members.enumerated() {
                if index > 0 { Self.emit(",", sink) }
                Self.quote(member.0.utf8, sink)
                Self.emit(":", sink)
                member.1.print(sink)
            }
            Self.emit("}", sink)
        }
    }

    private static func decimals(_ share: Double) -> String {
        let hundredths = Int((min(max(share, 0), 1) * 100).rounded())
        return hundredths == 100 ? "1" : "0.\(hundredths < 10 ? "0" : "")\(hundredths)"
    }

    private static func emit(_ text: String, _ sink: (UInt8) -> Void) {
        for byte in text.utf8 { sink(byte) }
    }

    /// Writes control and invisible characters as `\u` escapes. A JSON reader gets the same text, and a terminal cannot act on it.
    private static func quote(_ text: String, _ sink: (UInt8) -> Void) {
        guard text.unicodeScalars.contains(where: { $0.value > 0x7F && EscapedText.isUnsafe($0) }) else {
            return quote(text.utf8, sink)
        }
        sink(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            if scalar.value > 0x7F, EscapedText.isUnsafe(scalar) {
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    let digits = String(unit, radix: 16)
                    emit("\\u" + String(repeating: "0", count: 4 - digits.count) + digits, sink)
                }
            } else {
                quoteBytes(String(Character(scalar)).utf8, sink)
            }
        }
        sink(UInt8(ascii: "\""))
    }

    private static func quote(_ bytes: some Sequence<UInt8>, _ sink: (UInt8) -> Void) {
        sink(UInt8(ascii: "\""))
        quoteBytes(bytes, sink)
        sink(UInt8(ascii: "\""))
    }

    private static func quoteBytes(_ bytes: some Sequence<UInt8>, _ sink: (UInt8) -> Void) {
        let digits = Array("0123456789abcdef".utf8)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                sink(UInt8(ascii: "\\"))
                sink(byte)
            case UInt8(ascii: "\n"): emit("\\n", sink)
            // DEL is escaped too, because the text may be shown on a terminal.
            case 0..<0x20, 0x7F:
                emit("\\u00", sink)
                sink(digits[Int(byte >> 4)])
                sink(digits[Int(byte & 15)])
            default: sink(byte)
            }
        }
    }
}

extension JSONText {
    /// Converts a value read from a file, to be written back. Members are sorted by name.
    package init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .integer(let integer): self = .integer(integer)
        case .number(let number): self = .number(number)
        case .string(let string): self = .string(string)
        case .secret(let secret): self = .object([("secret", .secret(secret))])
        case .array(let elements): self = .array(elements.map { JSONText($0) })
        case .object(let members):
            self = .object(members.sorted { $0.key < $1.key }.map { ($0.key, JSONText($0.value)) })
        }
    }

    package static func strings(_ texts: [String]) -> JSONText {
        .array(texts.map { .string($0) })
    }

    package static func optional(_ text: String?) -> JSONText {
        text.map { .string($0) } ?? .null
    }

    package static func optional(_ number: Int64?) -> JSONText {
        number.map { .integer($0) } ?? .null
    }
}
