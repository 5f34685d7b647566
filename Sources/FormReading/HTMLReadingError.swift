// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Why a document could not be read.
public struct HTMLReadingError: Error, Hashable, Sendable {
    private enum Code: Hashable {
        case tooLarge, noMemory
    }

    private let code: Code

    /// The document has more bytes than `HTMLPage.maximumSize`.
    public static let tooLarge = HTMLReadingError(code: .tooLarge)
    /// The parser got no memory.
    public static let noMemory = HTMLReadingError(code: .noMemory)
}
