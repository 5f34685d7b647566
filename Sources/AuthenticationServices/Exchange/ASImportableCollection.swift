// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Items that belong together.
public struct ASImportableCollection: Codable, Hashable, Sendable {
    /// The exporter's own key for the collection.
    public var id: Data
    /// When it was made.
    public var created: Date?
    /// When it was changed last.
    public var lastModified: Date?
    /// Its name.
    public var title: String
    /// What else there is to say about it.
    public var subtitle: String?
    /// Its items, by their keys.
    public var items: [ASImportableLinkedItem]
    /// Collections in it.
    public var subcollections: [ASImportableCollection]

    private enum CodingKeys: String, CodingKey {
        case id
        case created = "creationAt"
        case lastModified = "modifiedAt"
        case title
        case subtitle
        case items
        case subcollections = "subCollections"
    }

    /// A collection with all its members.
    public init(
        id: Data,
        created: Date?,
        lastModified: Date?,
        title: String,
        subtitle: String? = nil,
        items: [ASImportableLinkedItem],
        subcollections: [ASImportableCollection] = []
    ) {
        self.id = id
        self.created = created
        self.lastModified = lastModified
        self.title = title
        self.subtitle = subtitle
        self.items = items
        self.subcollections = subcollections
    }
}
