// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Typed access to the members of a dictionary: an absent member is `nil`, one of another type is refused.
public struct PropertyListMembers: Sendable, Equatable {
    public let members: [String: PropertyList]

    public init(_ members: [String: PropertyList] = [:]) {
        self.members = members
    }

    /// Reads a file whose outermost value has to be a dictionary.
    public init(reading bytes: [UInt8], within bounds: PropertyListBounds = .standard) throws(PropertyListRefusal) {
        guard case .dictionary(let members) = try PropertyList(bytes, within: bounds) else {
            throw PropertyListRefusal("it is not a dictionary")
        }
        self.members = members
    }

    public func string(_ key: String) throws(PropertyListRefusal) -> String? {
        guard let value = members[key] else { return nil }
        guard case .string(let text) = value else { throw Self.mismatch(key, "string") }
        return text
    }

    public func boolean(_ key: String) throws(PropertyListRefusal) -> Bool? {
        guard let value = members[key] else { return nil }
        guard case .boolean(let flag) = value else { throw Self.mismatch(key, "boolean") }
        return flag
    }

    public func strings(_ key: String) throws(PropertyListRefusal) -> [String]? {
        guard let value = members[key] else { return nil }
        guard case .array(let values) = value else { throw Self.mismatch(key, "array of strings") }
        var texts: [String] = []
        for value in values {
            guard case .string(let text) = value else { throw Self.mismatch(key, "array of strings") }
            texts.append(text)
        }
        return texts
    }

    public func dictionary(_ key: String) throws(PropertyListRefusal) -> PropertyListMembers? {
        guard let value = members[key] else { return nil }
        guard case .dictionary(let members) = value else { throw Self.mismatch(key, "dictionary") }
        return PropertyListMembers(members)
    }

    private static func mismatch(_ key: String, _ type: String) -> PropertyListRefusal {
        PropertyListRefusal("its \(key) is not of the type \(type)")
    }
}
