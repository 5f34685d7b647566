// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Writes `Encodable` types into a `JSONValue`. Absent optionals are left out.
final class WireEncoder: Encoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var value: JSONValue = .null

    init(codingPath: [any CodingKey]) {
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // A type that adds members to another type's requests a second container for the same object.
        if case .object = value {} else { value = .object([:]) }
        return KeyedEncodingContainer(Keyed(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        value = .array([])
        return Unkeyed(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        Single(encoder: self)
    }

    fileprivate func encoded<T: Encodable>(_ item: T) throws -> JSONValue {
        switch item {
        case let value as JSONValue: return value
        case let string as String: return .string(string)
        case let bool as Bool: return .bool(bool)
        case let number as Double: return .number(number)
        case let integer as any FixedWidthInteger:
            guard let exact = Int64(exactly: integer) else {
                throw EncodingError.invalidValue(
                    item, .init(codingPath: codingPath, debugDescription: "an integer beyond 64 bits"))
            }
            return .integer(exact)
        default:
            let nested = WireEncoder(codingPath: codingPath)
            try item.encode(to: nested)
            return nested.value
        }
    }

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: WireEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        mutating func encodeNil(forKey key: Key) throws { set(.null, key) }
        mutating func encode<T: Encodable>(_ item: T, forKey key: Key) throws { set(try encoder.encoded(item), key) }

        // No message type nests containers by hand or has a superclass. These methods write to values of their own, and
        // lose nothing because they are never called.
        mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
            -> KeyedEncodingContainer<Nested>
        {
            WireEncoder(codingPath: codingPath + [key]).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            WireEncoder(codingPath: codingPath + [key]).unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { encoder }
        mutating func superEncoder(forKey key: Key) -> any Encoder { encoder }

        private func set(_ value: JSONValue, _ key: Key) {
            guard case .object(var members) = encoder.value else { return }
            members[key.stringValue] = value
            encoder.value = .object(members)
        }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let encoder: WireEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }
        var count: Int {
            guard case .array(let elements) = encoder.value else { return 0 }
            return elements.count
        }

        mutating func encodeNil() throws { append(.null) }
        mutating func encode<T: Encodable>(_ item: T) throws { append(try encoder.encoded(item)) }

        mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            WireEncoder(codingPath: codingPath).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            WireEncoder(codingPath: codingPath).unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { encoder }

        private func append(_ value: JSONValue) {
            guard case .array(var elements) = encoder.value else { return }
            // Emptied first so that the append happens in place: an array of 10,000 stays linear.
            encoder.value = .null
            elements.append(value)
            encoder.value = .array(elements)
        }
    }

    private struct Single: SingleValueEncodingContainer {
        let encoder: WireEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        mutating func encodeNil() throws { encoder.value = .null }
        mutating func encode<T: Encodable>(_ item: T) throws { encoder.value = try encoder.encoded(item) }
    }
}
