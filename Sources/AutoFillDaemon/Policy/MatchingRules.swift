// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillMatching

/// The rules that are in force, all of them made of one reading of the quirks folders.
struct MatchingRules: Sendable {
    let quirks: Quirks
    let policy: MatchPolicy
    let terms: IndexTerms
    let lookalikes: Lookalikes

    init(_ quirks: Quirks) {
        self.quirks = quirks
        policy = MatchPolicy(quirks)
        terms = IndexTerms(quirks)
        lookalikes = Lookalikes(quirks)
    }

    /// The registrable domain of a host, or the host where it has none.
    func site(of host: String) -> String { quirks.suffixes.registrableDomain(of: host) ?? host }
}
