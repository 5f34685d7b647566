// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A registrable domain, taken apart for comparing how it looks.
struct Site {
    /// In ASCII.
    let domain: String
    /// The first label in ASCII.
    let label: String
    /// What is after the first label.
    let suffix: String
    /// The first label as people read it.
    let letters: String

    /// Shorter labels are one letter apart by chance.
    static let shortestEdited = 6

    /// Nothing for a host without a registrable domain.
    init?(of host: String, _ suffixes: PublicSuffixes) {
        guard let domain = suffixes.registrableDomain(of: host), let dot = domain.firstIndex(of: ".") else {
            return nil
        }
        self.domain = domain
        label = String(domain[..<dot])
        suffix = String(domain[domain.index(after: dot)...])
        letters = label.hasPrefix("xn--") ? InternationalNames.unicode(label) ?? label : label
    }

    /// What every label that looks like this one has in common.
    var likeness: String? { InternationalNames.skeleton(letters) }

    /// The same where an i is an l, too: so near that an index need not tell them apart.
    var nearLikeness: String? { likeness.map { String($0.map { $0 == "i" ? "l" : $0 }) } }

    /// Whether the label has other letters than ASCII's.
    var isInternational: Bool { label != letters }

    /// The same of the suffix.
    var suffixLikeness: String? { InternationalNames.skeleton(InternationalNames.unicode(suffix) ?? suffix) }

    /// The label, and the label without each of its letters: two labels that are one edit apart have one of these in common.
    var edits: [String] {
        var edits = [letters]
        var before: Unicode.Scalar?
        for index in letters.unicodeScalars.indices {
            let scalar = letters.unicodeScalars[index]
            // Whichever of a run is left out, the same is left.
            if scalar != before {
                var rest = String(letters.unicodeScalars[..<index])
                rest.unicodeScalars.append(
                    contentsOf: letters.unicodeScalars[letters.unicodeScalars.index(after: index)...])
                edits.append(rest)
            }
            before = scalar
        }
        return edits
    }

    /// What a host begins with, of two labels or more and not all of it, and whether that ends in front of the registrable
    /// domain.
    func prefixes(of host: String) -> [(host: String, isInFront: Bool)] {
        let labels = host.split(separator: ".")
        guard labels.count > 2 else { return [] }
        let own = domain.split(separator: ".").count
        return (2..<labels.count).map { (labels[..<$0].joined(separator: "."), $0 <= labels.count - own) }
    }

    /// Whether one letter was put in, left out or replaced, or two neighbours exchanged. Numbers alone do not imitate numbers.
    func isOneEdit(from other: Site) -> Bool {
        let (own, others) = (Array(letters.unicodeScalars), Array(other.letters.unicodeScalars))
        if (own + others).allSatisfy({ (0x30...0x39).contains($0.value) || $0 == "-" }) { return false }
        let (short, long) = own.count <= others.count ? (own, others) : (others, own)
        let start = zip(short, long).prefix { $0 == $1 }.count
        let end = zip(short.reversed(), long.reversed()).prefix { $0 == $1 }.count
        switch long.count - short.count {
        case 0:
            let different = short.count - start - end
            // Of two different ones in a row, the exchanged ones count.
            return different == 1
                || (different == 2 && short[start] == long[start + 1] && short[start + 1] == long[start])
        case 1: return start + end >= short.count
        default: return false
        }
    }
}
