// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// A JSON value that distinguishes secrets from text.
///
/// `{"secret": "…"}` is read into, and written from, locked memory; see section 2 of `docs/protocol.md`.
public enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case secret(SecretBytes)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The member of an object, or `nil` if there is none.
    public subscript(member: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[member]
    }
}

extension JSONValue {
    /// The value without secrets: members and elements that are secrets are omitted.
    public var withoutSecrets: JSONValue {
        switch self {
        case .secret: .null
        case .array(let elements): .array(elements.filter { !$0.isSecret }.map(\.withoutSecrets))
        case .object(let members): .object(members.filter { !$0.value.isSecret }.mapValues(\.withoutSecrets))
        case .null, .bool, .integer, .number, .string: self
        }
    }

    private var isSecret: Bool {
        if case .secret = self { true } else { false }
    }
}

extension JSONValue: CustomStringConvertible, CustomDebugStringConvertible {
    /// The JSON text with all secrets omitted, for messages to users.
    public var description: String {
        var text = [UInt8]()
        JSONPrinter.print(self, redacting: true) { text.append($0) }
        return String(decoding: text, as: UTF8.self)
    }

    public var debugDescription: String { description }
}
