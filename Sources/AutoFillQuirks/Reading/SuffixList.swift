// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A public suffix list as publicsuffix.org publishes it, read and checked.
///
/// What depends on the list is which sites are one: a rule that is missing makes strangers neighbours, and a list that is not whole
/// misses thousands. So a list counts only with its date and commit, both sections, and about as many rules as there are.
public struct SuffixList: Equatable, Sendable {
    /// As the line `VERSION` has it: `2026-08-19_07-02-11_UTC`.
    public let version: String
    /// When it was made, in seconds since 1970.
    public let date: Int64
    public let commit: String
    /// Rules of registries, and of others who give names to the public.
    public let registryRules: [String]
    public let privateRules: [String]

    /// The fewest rules that are believed to be a whole list; in 2026 there are about 6,900 and 3,300.
    static let leastRegistryRules = 5_000
    static let leastPrivateRules = 1_000
    private static let most = 100_000
    /// Rules that no list is without, one of them private.
    private static let known = ["com", "org", "net", "edu", "gov", "de", "fr", "jp", "uk", "co.uk", "com.au", "co.jp"]
    private static let knownPrivate = ["github.io"]

    public var count: Int { registryRules.count + privateRules.count }

    /// Reads a list.
    ///
    /// - Parameter now: in seconds since 1970; a list from later than the day after is not believed.
    /// - Throws: `QuirksFault`, the first thing that is not right.
    public init(_ bytes: some Collection<UInt8>, now: Int64) throws(QuirksFault) {
        guard bytes.count <= QuirksFile.suffixes.maximumSize else {
            throw QuirksFault("it is larger than \(QuirksFile.suffixes.maximumSize) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw QuirksFault("it is not UTF-8") }
        var reading = Reading()
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            do {
                try reading.take(line)
            } catch {
                throw QuirksFault("line \(index + 1): \(error.reason)")
            }
        }
        guard reading.section == .afterPrivate else { throw QuirksFault("its sections are not whole: it was cut off") }
        guard let version = reading.version, let date = Self.date(version) else {
            throw QuirksFault("it has no line VERSION with a date")
        }
        guard let commit = reading.commit else { throw QuirksFault("it has no line COMMIT") }
        guard date <= now + 86_400 else { throw QuirksFault("its date lies in the future: \(version)") }
        self.version = version
        self.date = date
        self.commit = commit
        registryRules = reading.registryRules
        privateRules = reading.privateRules
        try check()
    }

    private func check() throws(QuirksFault) {
        guard registryRules.count >= Self.leastRegistryRules, privateRules.count >= Self.leastPrivateRules else {
            throw QuirksFault(
                "it has \(registryRules.count) and \(privateRules.count) rules; a whole list has at least "
                    + "\(Self.leastRegistryRules) and \(Self.leastPrivateRules)")
        }
        guard count <= Self.most else { throw QuirksFault("it has more than \(Self.most) rules") }
        let registry = Set(registryRules)
        if let missing = Self.known.first(where: { !registry.contains($0) }) {
            throw QuirksFault("the rule \(missing) is missing")
        }
        let own = Set(privateRules)
        if let missing = Self.knownPrivate.first(where: { !own.contains($0) }) {
            throw QuirksFault("the rule \(missing) is missing")
        }
        for rule in registryRules + privateRules where rule.hasPrefix("!") {
            let above = rule.drop { $0 != "." }
            guard registry.contains("*" + above) || own.contains("*" + above) else {
                throw QuirksFault("the exception \(QuirksFault.quoted(rule)) is one of no rule")
            }
        }
    }

    /// The list in the publisher's format: date, commit, sections and rules, and nothing else.
    public var text: String {
        """
        // VERSION: \(version)
        // COMMIT: \(commit)
        // ===BEGIN ICANN DOMAINS===
        \(registryRules.joined(separator: "\n"))
        // ===END ICANN DOMAINS===
        // ===BEGIN PRIVATE DOMAINS===
        \(privateRules.joined(separator: "\n"))
        // ===END PRIVATE DOMAINS===

        """
    }

    /// `YYYY-MM-DD_HH-MM-SS_UTC` in seconds since 1970.
    static func date(_ version: String) -> Int64? {
        let separators = ["-", "-", "_", "-", "-", "_"]
        guard version.utf8.count == 23, version.hasSuffix("_UTC") else { return nil }
        let parts = version.split(whereSeparator: { $0 == "-" || $0 == "_" }).dropLast()
        let numbers = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(part) : nil
        }
        guard numbers.count == 6, parts.map(\.utf8.count) == [4, 2, 2, 2, 2, 2],
            version.filter({ $0 == "-" || $0 == "_" }).map(String.init) == separators,
            (2_007...2_200).contains(numbers[0]), (1...12).contains(numbers[1]), (1...31).contains(numbers[2]),
            numbers[3] < 24, numbers[4] < 60, numbers[5] < 61
        else { return nil }
        return days(numbers[0], numbers[1], numbers[2]) * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5]
    }

    /// Days since 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let sinceMarch = (month + 9) % 12
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + (sinceMarch * 306 + 5) / 10 + day - 1
            - 719_468
    }
}
