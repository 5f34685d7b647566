// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What CXF lets exporters say beside an item.
///
/// Its coded form is CXF's: a `name` says which it is. One that is not known here is an error of the decoder.
@nonexhaustive(warn)
public enum ASImportableExtension: Codable, Hashable, Sendable {
    /// Whom the item is shared with.
    case shared(ASImportableExtension.Shared)

    /// Whom an item is shared with. Its members are not public knowledge, so it has none here.
    public struct Shared: Codable, Hashable, Sendable {}

    private enum Name: String, Codable {
        case shared
    }

    private enum CodingKeys: CodingKey {
        case name
    }

    /// Reads an extension of a known name.
    public init(from decoder: any Decoder) throws {
        switch try decoder.container(keyedBy: CodingKeys.self).decode(Name.self, forKey: .name) {
        case .shared: self = .shared(try Shared(from: decoder))
        }
    }

    /// Writes the name and the members side by side.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .shared(let value):
            try container.encode(Name.shared, forKey: .name)
            try value.encode(to: encoder)
        }
    }
}
