// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A name as its readers see it: two that look alike are equal.
public struct ShownName: Equatable, Sendable {
    /// In both cases of its letters, because some look like others in one of them only, as a capital I and a small l.
    private let likenesses: [String]

    /// - Parameter name: At most 1,000 characters; a longer one, or one without letters and digits, looks like no other.
    public init(_ name: String) {
        let letters = name.unicodeScalars.prefix(1_000)
            .filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        let text = String(String.UnicodeScalarView(letters))
        likenesses = [text, text.lowercased(), text.uppercased()].compactMap(InternationalNames.skeleton)
    }

    public static func == (one: ShownName, other: ShownName) -> Bool {
        one.likenesses.contains(where: other.likenesses.contains)
    }
}
