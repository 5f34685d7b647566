// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Why bytes are not read as a property list.
public struct PropertyListRefusal: Error, Equatable, Sendable {
    /// Continues a sentence that begins with the name of the file.
    public let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
