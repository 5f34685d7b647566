// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension SuffixList {
    /// What has been read of a list, line by line (https://github.com/publicsuffix/list/wiki/Format).
    struct Reading {
        enum Section {
            case before, registry, between, own, afterPrivate
        }

        private(set) var section = Section.before
        private(set) var version: String?
        private(set) var commit: String?
        private(set) var registryRules: [String] = []
        private(set) var privateRules: [String] = []
        private var seen: Set<String> = []

        mutating func take(_ line: Substring) throws(QuirksFault) {
            guard line.utf8.count <= 1_000 else { throw QuirksFault("it is too long") }
            // Each line is read up to the first white space.
            let word = line.prefix { $0 != " " && $0 != "\t" }
            if line.hasPrefix("//") {
                try comment(line.dropFirst(2).drop { $0 == " " })
            } else if !word.isEmpty {
                try rule(String(word))
            } else if line.contains(where: { $0 != " " && $0 != "\t" }) {
                throw QuirksFault("a rule begins with white space")
            }
        }

        private mutating func comment(_ text: Substring) throws(QuirksFault) {
            if text.hasPrefix("===") { return try marker(text) }
            guard section == .before else { return }
            if text.hasPrefix("VERSION: ") {
                guard version == nil else { throw QuirksFault("VERSION stands there twice") }
                version = String(text.dropFirst(9))
            } else if text.hasPrefix("COMMIT: ") {
                let hash = text.dropFirst(8)
                guard commit == nil, (40...64).contains(hash.utf8.count),
                    hash.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
                else { throw QuirksFault("this is not a COMMIT") }
                commit = String(hash)
            }
        }

        private mutating func marker(_ text: Substring) throws(QuirksFault) {
            switch (section, text) {
            case (.before, "===BEGIN ICANN DOMAINS==="): section = .registry
            case (.registry, "===END ICANN DOMAINS==="): section = .between
            case (.between, "===BEGIN PRIVATE DOMAINS==="): section = .own
            case (.own, "===END PRIVATE DOMAINS==="): section = .afterPrivate
            default: throw QuirksFault("the marker \(QuirksFault.quoted(String(text))) does not belong here")
            }
        }

        private mutating func rule(_ text: String) throws(QuirksFault) {
            var name = text[...]
            if name.hasPrefix("!") {
                name = name.dropFirst()
                guard name.contains(".") else { throw Self.fault(text) }
            } else if name.hasPrefix("*.") {
                name = name.dropFirst(2)
                // It would make every site of the largest registries a suffix.
                guard !["com", "org", "net"].contains(name) else { throw Self.fault(text) }
            }
            let labels = name.split(separator: ".", omittingEmptySubsequences: false)
            guard name.utf8.count <= 253, labels.count <= 12, labels.allSatisfy(Self.isLabel) else {
                throw Self.fault(text)
            }
            guard seen.insert(text).inserted else { return }
            switch section {
            case .registry: registryRules.append(text)
            case .own: privateRules.append(text)
            case .before, .between, .afterPrivate: throw QuirksFault("a rule stands outside the sections")
            }
        }

        private static func fault(_ text: String) -> QuirksFault {
            QuirksFault("\(QuirksFault.quoted(text)) is not a rule")
        }

        /// Small letters, digits and hyphens inside; letters and marks of other scripts.
        private static func isLabel(_ label: Substring) -> Bool {
            guard (1...63).contains(label.utf8.count), !label.hasPrefix("-"), !label.hasSuffix("-") else {
                return false
            }
            return label.unicodeScalars.allSatisfy { scalar in
                if scalar.isASCII {
                    return (0x61...0x7A).contains(scalar.value) || (0x30...0x39).contains(scalar.value) || scalar == "-"
                }
                switch scalar.properties.generalCategory {
                case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .decimalNumber,
                    .otherNumber:
                    return true
                default:
                    // The joiners of Indic and Arabic writing (RFC 5892, appendix A).
                    return scalar.value == 0x200C || scalar.value == 0x200D
                }
            }
        }
    }
}
