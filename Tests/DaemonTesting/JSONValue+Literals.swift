// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillIPC
internal import AutoFillSecrets

/// Tests write JSON as literals.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral text: String) {
        self = .string(text)
    }

    public init(integerLiteral number: Int64) {
        self = .integer(number)
    }

    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }

    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(members) { $1 })
    }

    /// A secret that a test knows.
    static func secret(utf8 text: String) -> JSONValue {
        .secret(SecretBytes(utf8: text))
    }

    /// The text of a string; `nil` for anything else.
    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// A secret's bytes as text, for comparing in tests only.
    var secretText: String? {
        if case .secret(let bytes) = self { bytes.text } else { nil }
    }

    /// An object with a member changed.
    func with(_ member: String, _ value: JSONValue?) -> JSONValue {
        guard case .object(var members) = self else { return self }
        members[member] = value
        return .object(members)
    }
}
