// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Names an item by its key.
public struct ASImportableLinkedItem: Codable, Hashable, Sendable {
    /// The item's key.
    public var item: Data
    /// The key of the account that it is in; none for the account that the link is in.
    public var account: Data?

    /// A link with all its members.
    public init(
        item: Data,
        account: Data? = nil
    ) {
        self.item = item
        self.account = account
    }
}
