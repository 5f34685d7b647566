// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillQuirks

/// What is known of sites.
extension Broker {
    /// What is in use and how old it is, for `status`.
    func quirksStatement() -> QuirksStatement {
        let own = (try? QuirksStore(data: directories.data).current()) ?? nil
        let quirks = rules.quirks
        return QuirksStatement(
            source: own?.source, date: own?.date, groups: quirks.shared.count, suffixes: quirks.suffixes.source,
            suffixesDate: quirks.suffixes.date > 0 ? quirks.suffixes.date : nil, problems: quirks.problems)
    }

    /// Reads the folders anew, and indexes the stores that are open by what they say now.
    func reloadQuirks() throws -> QuirksStatement {
        try readQuirks()
        return quirksStatement()
    }
}
