// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import PassStore

/// The order of the list: what is for the service at hand first, then everything.
///
/// It decides nothing but the order. Who may have a credential is decided by the daemon, for every row.
struct SuggestedEntries {
    /// The services at hand, the most specific one first.
    let services: [EntryService]

    init(services: [ASCredentialServiceIdentifier]) {
        self.services = services.compactMap { EntryService(line: $0.identifier) }
    }

    /// Two sections; the first one only where it has rows.
    func sections(of names: [EntryName], _ knowledge: EntryKnowledge, areCodes: Bool) -> [ListView.Section] {
        let wanted = areCodes ? names.filter { knowledge.inside[$0.text]?.hasCode == true } : names
        let suggested = wanted.compactMap { name in
            knowledge.services(of: name).compactMap(place).min().map { (place: $0, name: name) }
        }.sorted { ($0.place, $0.name) < ($1.place, $1.name) }
        let everything = ListView.Section(
            title: areCodes ? "All Codes" : "All Entries", rows: wanted.map { row($0, knowledge) })
        guard !suggested.isEmpty else { return [everything] }
        return [
            ListView.Section(title: "Suggested", rows: suggested.map { row($0.name, knowledge) }), everything,
        ]
    }

    /// Twice the place of the first service that it is for, and one more when it is for a domain above it.
    private func place(of service: EntryService) -> Int? {
        for (index, wanted) in services.enumerated() {
            if wanted.host == service.host { return 2 * index }
            if wanted.host.hasSuffix("." + service.host) { return 2 * index + 1 }
        }
        return nil
    }

    private func row(_ name: EntryName, _ knowledge: EntryKnowledge) -> ListView.Row {
        ListView.Row(identifier: name.text, title: knowledge.user(of: name) ?? name.title, subtitle: name.text)
    }
}
