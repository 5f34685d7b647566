// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// Decodes a message's parameters or result.
    ///
    /// - Throws: `invalidParams`, whose message names the wrong member.
    public func decoded<T: Decodable>(as type: T.Type = T.self) throws(WireError) -> T {
        do {
            return try T(from: WireDecoder(value: self, codingPath: []))
        } catch let error as DecodingError {
            throw WireError(.invalidParams, error.sentence)
        } catch {
            throw WireError(.invalidParams, "The parameters cannot be read.")
        }
    }

    /// The value of a message's parameters or result.
    public init(encoding value: some Encodable) throws {
        let encoder = WireEncoder(codingPath: [])
        try value.encode(to: encoder)
        self = encoder.value
    }
}

extension DecodingError {
    fileprivate var sentence: String {
        func path(_ context: Context, _ last: (any CodingKey)? = nil) -> String {
            (context.codingPath + (last.map { [$0] } ?? [])).map(\.stringValue).joined(separator: ".")
        }
        func subject(_ context: Context) -> String {
            context.codingPath.isEmpty ? "The whole" : "The member \(path(context))"
        }
        return switch self {
        case .keyNotFound(let key, let context): "The member \(path(context, key)) is missing."
        case .valueNotFound(_, let context): "\(subject(context)) is null."
        case .typeMismatch(_, let context), .dataCorrupted(let context):
            "\(subject(context)) is not right: \(context.debugDescription)."
        @unknown default: "The parameters cannot be read."
        }
    }
}

/// Reads `Decodable` types out of a `JSONValue`.
struct WireDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch(type, "an object was expected") }
        return KeyedDecodingContainer(Keyed(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([Any].self, "an array was expected") }
        return Unkeyed(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        Single(decoder: self)
    }

    func mismatch(_ type: Any.Type, _ reason: String) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: reason))
    }

    func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        guard case .integer(let integer) = value, let exact = T(exactly: integer) else {
            throw mismatch(type, "an integer in range was expected")
        }
        return exact
    }

    func scalar<T: Decodable>(_ type: T.Type) throws -> T {
        switch (value, type) {
        case (.string(let string), is String.Type): if let string = string as? T { return string }
        case (.bool(let bool), is Bool.Type): if let bool = bool as? T { return bool }
        case (.number(let number), is Double.Type): if let number = number as? T { return number }
        case (.integer(let integer), is Double.Type): if let number = Double(integer) as? T { return number }
        case (_, is JSONValue.Type): if let value = value as? T { return value }
        default: break
        }
        if let type = type as? any FixedWidthInteger.Type, let integer = try integer(type) as? T { return integer }
        if type is String.Type || type is Bool.Type || type is Double.Type {
            throw mismatch(type, "a value of another type was expected")
        }
        return try T(from: self)
    }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let members: [String: JSONValue]
        let codingPath: [any CodingKey]
        var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

        func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

        func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value == .null }

        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
            try decoder(key).scalar(type)
        }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
            -> KeyedDecodingContainer<Nested>
        {
            try decoder(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try decoder(key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder { WireDecoder(value: .object(members), codingPath: codingPath) }

        func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

        private func decoder(_ key: Key) throws -> WireDecoder {
            guard let member = members[key.stringValue] else {
                throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
            }
            return WireDecoder(value: member, codingPath: codingPath + [key])
        }
    }

    private struct Index: CodingKey {
        let intValue: Int?
        var stringValue: String { String(intValue ?? 0) }
        init(intValue: Int) { self.intValue = intValue }
        init?(stringValue: String) { return nil }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        let elements: [JSONValue]
        let codingPath: [any CodingKey]
        var currentIndex = 0
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex >= elements.count }

        mutating func decodeNil() throws -> Bool {
            guard try peek().value == .null else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
            let decoded = try peek().scalar(type)
            currentIndex += 1
            return decoded
        }

        mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws
            -> KeyedDecodingContainer<Nested>
        {
            try next().container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try next().unkeyedContainer()
        }

        mutating func superDecoder() throws -> any Decoder { try next() }

        private mutating func next() throws -> WireDecoder {
            let decoder = try peek()
            currentIndex += 1
            return decoder
        }

        private func peek() throws -> WireDecoder {
            let path = codingPath + [Index(intValue: currentIndex)]
            guard elements.indices.contains(currentIndex) else {
                throw DecodingError.valueNotFound(
                    JSONValue.self, .init(codingPath: path, debugDescription: "the array has ended"))
            }
            return WireDecoder(value: elements[currentIndex], codingPath: path)
        }
    }

    private struct Single: SingleValueDecodingContainer {
        let decoder: WireDecoder
        var codingPath: [any CodingKey] { decoder.codingPath }

        func decodeNil() -> Bool { decoder.value == .null }
        func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.scalar(type) }
    }
}
