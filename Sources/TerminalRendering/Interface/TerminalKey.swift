// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A key of a terminal.
package enum TerminalKey: Equatable, Sendable {
    case character(Unicode.Scalar)
    case up, down, pageUp, pageDown, home, end
    case enter, tab, backTab, backspace, clearLine, escape
    /// Control-C, or the end of input.
    case interrupt
}

/// Decodes keys from a terminal's bytes.
///
/// A single escape is the Escape key if no byte follows it in time; otherwise it begins a sequence.
package struct TerminalKeyReader {
    /// The bytes of an incomplete sequence or character.
    private var pending: [UInt8] = []

    /// Whether a sequence or character is incomplete.
    package var isWaiting: Bool { !pending.isEmpty }

    package mutating func read(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
        bytes.compactMap { take($0) }
    }

    /// Handles a pause in the input: a single escape is the Escape key, and an incomplete sequence is dropped.
    package mutating func pause() -> [TerminalKey] {
        defer { pending = [] }
        return pending == [0x1B] ? [.escape] : []
    }

    private mutating func take(_ byte: UInt8) -> TerminalKey? {
        if pending.isEmpty {
            if let key = Self.control(byte) { return key }
            if byte == 0x1B || byte >= 0x80 { pending = [byte] }
            return byte == 0x1B || byte >= 0x80 || byte < 0x20 ? nil : .character(Unicode.Scalar(byte))
        }
        if pending[0] == 0x1B { return takeSequence(byte) }
        return takeScalar(byte)
    }

    private static func control(_ byte: UInt8) -> TerminalKey? {
        switch byte {
        case 0x03, 0x04: .interrupt
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x15: .clearLine
        case 0x0E: .down
        case 0x10: .up
        default: nil
        }
    }

    private mutating func takeSequence(_ byte: UInt8) -> TerminalKey? {
        if pending.count == 1 {
            guard byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") else {
                // Escape directly followed by another key counts as Escape; the other key was typed blindly.
                pending = []
                return .escape
            }
            pending.append(byte)
            return nil
        }
        // Parameters are 0x30 to 0x3F, intermediates 0x20 to 0x2F; 0x40 to 0x7E ends (ECMA-48, 5.4).
        guard (0x40...0x7E).contains(byte) || pending.count >= 16 else {
            pending.append(byte)
            return nil
        }
        let parameters = pending.dropFirst(2)
        pending = []
        switch byte {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "Z"): return .backTab
        case UInt8(ascii: "~"):
            return switch String(decoding: parameters, as: UTF8.self) {
            case "1", "7": .home
            case "4", "8": .end
            case "5": .pageUp
            case "6": .pageDown
            default: nil
            }
        default: return nil
        }
    }

    private mutating func takeScalar(_ byte: UInt8) -> TerminalKey? {
        guard byte & 0xC0 == 0x80 else {
            pending = []
            return take(byte)
        }
        pending.append(byte)
        let length = pending[0] >= 0xF0 ? 4 : pending[0] >= 0xE0 ? 3 : 2
        guard pending.count >= length else { return nil }
        defer { pending = [] }
        var decoder = UTF8()
        var iterator = pending.makeIterator()
        // C1 controls are not characters.
        guard case .scalarValue(let scalar) = decoder.decode(&iterator), scalar.value >= 0xA0 else { return nil }
        return .character(scalar)
    }
}
