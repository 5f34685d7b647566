// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// Writes JSON: members sorted by name, no white space.
enum JSONPrinter {
    /// The encoded message in locked memory, since a message may hold a secret.
    static func encode(_ value: JSONValue, in arena: SecretArena = .own) -> SecretBytes {
        // Two passes: the first counts, so that the bytes are written once and never moved.
        var count = 0
        print(value) { _ in count += 1 }
        let bytes = SecretBytes(count: count, in: arena)
        bytes.withUnsafeMutableBytes { buffer in
            var index = 0
            print(value) { byte in
                buffer[index] = byte
                index += 1
            }
        }
        return bytes
    }

    static func print(_ value: JSONValue, redacting: Bool = false, to sink: (UInt8) -> Void) {
        switch value {
        case .null: emit("null", to: sink)
        case .bool(let bool): emit(bool ? "true" : "false", to: sink)
        case .integer(let integer): emit(String(integer), to: sink)
        case .number(let number): emit(number.isFinite ? "\(number)" : "null", to: sink)
        case .string(let string): quote(string.utf8, to: sink)
        case .secret(let secret):
            emit("{\"secret\":", to: sink)
            if redacting {
                emit("\"…\"", to: sink)
            } else {
                secret.withUnsafeBytes { quote($0, to: sink) }
            }
            emit("}", to: sink)
        case .array(let elements):
            sink(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { sink(UInt8(ascii: ",")) }
                print(element, redacting: redacting, to: sink)
            }
            sink(UInt8(ascii: "]"))
        case .object(let members):
            sink(UInt8(ascii: "{"))
            for (index, name) in members.keys.sorted().enumerated() {
                if index > 0 { sink(UInt8(ascii: ",")) }
                quote(name.utf8, to: sink)
                sink(UInt8(ascii: ":"))
                print(members[name] ?? .null, redacting: redacting, to: sink)
            }
            sink(UInt8(ascii: "}"))
        }
    }

    private static func emit(_ text: String, to sink: (UInt8) -> Void) {
        for byte in text.utf8 { sink(byte) }
    }

    private static func quote(_ bytes: some Sequence<UInt8>, to sink: (UInt8) -> Void) {
        let hexadecimal = Array("0123456789abcdef".utf8)
        sink(UInt8(ascii: "\""))
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                sink(UInt8(ascii: "\\"))
                sink(byte)
            case 0..<0x20:
                emit("\\u00", to: sink)
                sink(hexadecimal[Int(byte >> 4)])
                sink(hexadecimal[Int(byte & 15)])
            default:
                sink(byte)
            }
        }
        sink(UInt8(ascii: "\""))
    }
}
