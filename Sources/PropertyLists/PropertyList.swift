// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A property list: what bundles and entitlement files are written in.
///
/// Strangers write these files, and the daemon reads them beside its keys. So nothing here recurses over what a file
/// nests, and every reader stops at `PropertyListBounds`. A value is never deeper than those bounds.
public enum PropertyList: Sendable, Equatable {
    case dictionary([String: PropertyList])
    case array([PropertyList])
    case string(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    case data([UInt8])
    /// In seconds since 1 January 2001, UTC.
    case date(Double)

    /// Reads a property list in XML or in the binary format, version 00.
    ///
    /// - Throws: `PropertyListRefusal`, with the reason in words for the author of the file.
    public init(_ bytes: [UInt8], within bounds: PropertyListBounds = .standard) throws(PropertyListRefusal) {
        guard bytes.count <= bounds.size else {
            throw PropertyListRefusal("it is larger than \(bounds.size) bytes")
        }
        if bytes.starts(with: BinaryPropertyListReader.magic) {
            self = try BinaryPropertyListReader(bytes, bounds).read()
        } else {
            var reader = XMLPropertyListReader(bytes, bounds)
            self = try reader.read()
        }
    }
}
