// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices

/// The order of the list: what was saved for the service at hand first, then everything.
///
/// It decides nothing but the order. Who may have a credential is decided by the daemon, for every row.
struct SuggestedOrder {
    /// The hosts at hand, the most specific one first.
    let hosts: [String]

    init(services: [ServiceText]) {
        hosts = services.map(\.host)
    }

    func sections(of items: [CredentialItem]) -> [ListView.Section] {
        var suggested: [(place: Int, row: ListView.Row)] = []
        var all: [ListView.Row] = []
        for item in items {
            all.append(row(item, item.site))
            let places = item.services.compactMap { service in
                place(of: ServiceText(service).host).map { (place: $0, service: service) }
            }
            guard let best = places.min(by: { $0.place < $1.place }) else { continue }
            suggested.append((best.place, row(item, best.service)))
        }
        suggested.sort { ($0.place, $0.row.title, $0.row.identifier) < ($1.place, $1.row.title, $1.row.identifier) }
        all.sort { ($0.subtitle, $0.title, $0.identifier) < ($1.subtitle, $1.title, $1.identifier) }
        let everything = ListView.Section(title: "All Passwords", rows: all)
        guard !suggested.isEmpty else { return [everything] }
        return [ListView.Section(title: "Suggested", rows: suggested.map(\.row)), everything]
    }

    /// Where a host stands: twice the place of the first service it was saved for, and one more when it was saved for a
    /// domain above that service.
    private func place(of host: String) -> Int? {
        for (index, wanted) in hosts.enumerated() {
            if wanted == host { return 2 * index }
            if !host.isEmpty, wanted.hasSuffix("." + host) { return 2 * index + 1 }
        }
        return nil
    }

    private func row(_ item: CredentialItem, _ service: String) -> ListView.Row {
        ListView.Row(identifier: item.id, title: item.user, subtitle: service)
    }
}
