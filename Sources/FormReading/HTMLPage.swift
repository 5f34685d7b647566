// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import FormAnalysis

/// A page of static HTML, as `FormAnalysis` wants it described.
public struct HTMLPage: Sendable {
    /// The most bytes that a document may have.
    public static let maximumSize = 32 << 20

    /// Fields are every `input`, `select` and `textarea` in document order, hidden ones too.
    public let description: PageDescription

    /// Reads a document; nothing that it refers to is fetched, and no script is run.
    ///
    /// - Throws: `HTMLReadingError` where it is too large. Anything else is read as browsers read it, as far as that goes.
    public init(parsing bytes: [UInt8]) throws(HTMLReadingError) {
        let document = try HTMLDocument(parsing: bytes)
        description = PageAssembly(Outline(document)).page
    }
}
