// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A list of classes on its way to being one set.
///
/// A class that is everything (`unicode`, `ascii-printable`) swallows the rest of its list, so the first of these two that is named
/// decides; classes that only together are everything do not.
struct ClassUnion: Sendable {
    private var ascii = ASCIISet()
    private var swallowing: CharacterClasses?

    mutating func add(_ classes: CharacterClasses) {
        guard swallowing == nil else { return }
        if classes == .unicode || classes == .asciiPrintable { swallowing = classes }
        ascii = ascii.union(classes.ascii)
    }

    /// Adds custom characters, which swallow nothing even where they are all there are.
    mutating func add(_ characters: ASCIISet) {
        ascii = ascii.union(characters)
    }

    /// Adds a list as it was written.
    mutating func add(_ list: ClassUnion) {
        guard swallowing == nil else { return }
        swallowing = list.swallowing
        ascii = ascii.union(list.ascii)
    }

    var classes: CharacterClasses { swallowing ?? CharacterClasses(ascii) }
}
