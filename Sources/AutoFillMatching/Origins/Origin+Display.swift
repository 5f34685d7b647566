// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Origin {
    /// The host as people read it: in its own letters where they cannot be mistaken for another name, in ASCII otherwise.
    public var displayHost: String { Host(unchecked: host).display }
}

extension Host {
    /// See `Origin.displayHost`.
    var display: String {
        guard name.utf8.contains(UInt8(ascii: "-")), let text = InternationalNames.unicode(name), text != name,
            // What is shown must be readable as nothing but this host.
            Host(text)?.name == name
        else { return name }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { Self.isUnmistakable(String($0)) } ? text : name
    }

    /// A label of one script whose look is not that of a name in ASCII.
    private static func isUnmistakable(_ label: String) -> Bool {
        if label.utf8.allSatisfy({ $0 < 0x80 }) { return true }
        guard !InternationalNames.isSuspicious(label), let skeleton = InternationalNames.skeleton(label) else {
            return false
        }
        // Letters with marks are no imitation of those without, for a reader who looks; all other ones are.
        return !skeleton.utf8.allSatisfy { $0 < 0x80 } || label.unicodeScalars.allSatisfy(isLatin)
    }

    /// Letters of ASCII and of the Latin blocks whose letters are composed of a letter of ASCII and a mark, or are unlike any.
    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII || ((0xDF...0x17E).contains(scalar.value) && ![0x131, 0x138, 0x17F].contains(scalar.value))
    }
}
