// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Credentials that belong together.
public struct ASImportableItem: Codable, Hashable, Sendable {
    /// The exporter's own key for the item.
    public var id: Data
    /// When it was made.
    public var created: Date?
    /// When it was changed last.
    public var lastModified: Date?
    /// Its name.
    public var title: String
    /// What else there is to say about it.
    public var subtitle: String?
    /// Whether the user has it at hand.
    public var favorite: Bool
    /// Where its credentials are good.
    public var scope: ASImportableCredentialScope?
    /// The user's own words for it.
    public var tags: [String]
    /// Its credentials.
    public var credentials: [ASImportableCredential]

    private enum CodingKeys: String, CodingKey {
        case id
        case created = "creationAt"
        case lastModified = "modifiedAt"
        case title
        case subtitle
        case favorite
        case scope
        case tags
        case credentials
    }

    /// An item with all its members.
    public init(
        id: Data,
        created: Date,
        lastModified: Date,
        title: String,
        subtitle: String? = nil,
        favorite: Bool = false,
        scope: ASImportableCredentialScope? = nil,
        credentials: [ASImportableCredential],
        tags: [String] = []
    ) {
        self.id = id
        self.created = created
        self.lastModified = lastModified
        self.title = title
        self.subtitle = subtitle
        self.favorite = favorite
        self.scope = scope
        self.tags = tags
        self.credentials = credentials
    }
}
