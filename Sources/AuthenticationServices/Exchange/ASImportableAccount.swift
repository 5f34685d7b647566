// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What one user of the exporter keeps.
public struct ASImportableAccount: Codable, Hashable, Sendable {
    /// The exporter's own key for the account.
    public var id: Data
    /// The user's name with the exporter.
    public var userName: String
    /// Where the user gets mail.
    public var email: String
    /// The user's name.
    public var fullName: String?
    /// Items by the user's own order.
    public var collections: [ASImportableCollection]
    /// Every item.
    public var items: [ASImportableItem]

    private enum CodingKeys: String, CodingKey {
        case id
        case userName = "username"
        case email
        case fullName
        case collections
        case items
    }

    /// An account with all its members.
    public init(
        id: Data,
        userName: String,
        email: String,
        fullName: String? = nil,
        collections: [ASImportableCollection],
        items: [ASImportableItem]
    ) {
        self.id = id
        self.userName = userName
        self.email = email
        self.fullName = fullName
        self.collections = collections
        self.items = items
    }
}
