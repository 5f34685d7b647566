// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A name as its readers see it: two that look alike are equal.
package struct ShownName: Equatable, Sendable {
    /// In both cases of its letters, because some look like others in one of them only, as a capital I and a small l.
    private let likenesses: [String]

    /// - Parameter name: Its first 1,000 characters count, of which letters and digits where there are any.
    package init(_ name: String) {
        let beginning = name.unicodeScalars.prefix(1_000)
        let letters = beginning.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        let kept = letters.isEmpty ? Array(beginning)[...] : ArraySlice(letters)
        let text = String(String.UnicodeScalarView(kept.map { Self.small[$0] ?? $0 }))
            .replacing("vv", with: "w").replacing("VV", with: "W")
        likenesses = [text, text.lowercased(), text.uppercased()].map { InternationalNames.skeleton($0) ?? $0 }
    }

    /// Small capitals and raised letters, which Unicode's table of confusables (UTS 39) leaves out.
    private static let small: [Unicode.Scalar: Unicode.Scalar] = Dictionary(
        zip(
            "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ".unicodeScalars,
            "abcdefghijklmnoprstuvwyzabcdefghijklmnoprstuvwxyz".unicodeScalars)
    ) { first, _ in first }

    package static func == (one: ShownName, other: ShownName) -> Bool {
        one.likenesses.contains(where: other.likenesses.contains)
    }
}
