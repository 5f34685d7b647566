// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
package import GRDB

extension Row {
    /// The bytes of a column, or `nil` where a damaged file has a number or nothing. Never traps, as reading a column with
    /// its type would.
    package func bytes(at index: Int) -> [UInt8]? {
        let value: DatabaseValue = self[index]
        return Data.fromDatabaseValue(value).map { Array($0) }
    }

    /// The text of a column, or `nil`.
    package func text(at index: Int) -> String? {
        let value: DatabaseValue = self[index]
        return String.fromDatabaseValue(value)
    }

    /// The number of a column, or `nil`.
    package func number(at index: Int) -> Int64? {
        let value: DatabaseValue = self[index]
        return Int64.fromDatabaseValue(value)
    }
}
