// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The limits within which a property list is read.
public struct PropertyListBounds: Sendable, Equatable {
    /// Of the whole file, and of all texts and data that are made from it, in bytes.
    public var size: Int
    /// Containers inside one another, the outermost one counted.
    public var depth: Int
    /// Values, containers and keys counted.
    public var count: Int

    public init(size: Int, depth: Int, count: Int) {
        self.size = size
        self.depth = depth
        self.count = count
    }

    /// Far beyond what an `Info.plist` or an entitlements file holds.
    public static let standard = PropertyListBounds(size: 1 << 20, depth: 32, count: 10_000)
}
