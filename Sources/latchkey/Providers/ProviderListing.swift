// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import TerminalRendering

/// Providers as the command line shows them.
enum ProviderListing {
    static func json(_ answer: Providers.List.Answer) -> JSONText {
        .object([
            ("providers", .array(numbered(answer.providers).map { json($0.provider, order: $0.order) })),
            ("isolation", json(answer.isolation)),
        ])
    }

    static func json(_ provider: ProviderStatement, order: Int?) -> JSONText {
        .object(
            [
                ("identifier", .string(provider.identifier)), ("name", .string(provider.name)),
                ("version", .string(provider.version)), ("path", .string(provider.path)),
                ("builtIn", .bool(provider.builtIn)), ("state", .string(provider.state)),
                ("problem", .optional(provider.problem)), ("digest", .optional(provider.digest)),
                ("order", .optional(order.map(Int64.init))), ("running", .bool(provider.running)),
                ("identities", .optional(provider.identities.map(Int64.init))),
                ("provides", .strings(provider.provides)),
                ("showsConfiguration", .bool(provider.showsConfiguration)), ("debug", .bool(provider.debug)),
                ("isolation", .string(provider.isolation)), ("grants", json(provider.grants)),
            ] + (provider.modification.map { [("modification", json($0))] } ?? [])
                + (provider.savesPasswords == true ? [("savesPasswords", .bool(true))] : [])
                + (provider.generatesPasswords == true ? [("generatesPasswords", .bool(true))] : [])
                + (provider.asksFor.map { [("asksFor", .strings($0))] } ?? [])
                + (provider.toldPaths.map { [("toldPaths", .bool($0))] } ?? []))
    }

    private static func json(_ modification: ModificationStatement) -> JSONText {
        .object([
            ("app", .string(modification.app)), ("domains", .strings(modification.domains)),
            ("kinds", .strings(modification.kinds)),
        ])
    }

    static func json(_ isolation: IsolationStatement) -> JSONText {
        .object([("available", .bool(isolation.available)), ("reason", .optional(isolation.reason))])
    }

    private static func json(_ grants: GrantsStatement) -> JSONText {
        let folders = grants.folders.map { JSONText.object([("path", .string($0.path)), ("write", .bool($0.write))]) }
        return .object([
            ("network", .bool(grants.network)), ("hosts", .strings(grants.hosts)), ("folders", .array(folders)),
            ("sockets", .strings(grants.sockets)), ("groups", .strings(grants.groups)),
        ])
    }

    /// Each with its place among the enabled ones.
    static func numbered(_ providers: [ProviderStatement]) -> [(provider: ProviderStatement, order: Int?)] {
        var last = 0
        return providers.map { provider in
            guard provider.state == "enabled" else { return (provider, nil) }
            last += 1
            return (provider, last)
        }
    }

    /// One line a provider: place, identifier, name, state, whether it runs, how many identities, isolation, problem.
    static func lines(_ providers: [ProviderStatement], forTerminal: Bool) -> [String] {
        let rows = numbered(providers).map { provider, order in
            [
                order.map(String.init) ?? "-", provider.identifier, "\(provider.name) \(provider.version)",
                provider.state + (provider.debug ? ", debug" : ""), provider.running ? "running" : "not running",
                provider.identities.map { "\($0) identities" }
                    ?? (provider.modification == nil ? "-" : "changes passwords"), isolation(of: provider),
                provider.problem ?? "",
            ].map(TerminalText.escaped)
        }
        return TextTable(rows: rows).lines(forTerminal: forTerminal).map { line in
            // The last column is empty for all that are well.
            String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// What `latchkey providers info` shows.
    static func details(_ provider: ProviderStatement, order: Int?) -> [[String]] {
        var rows = [
            ["identifier", provider.identifier], ["name", provider.name], ["version", provider.version],
            ["path", provider.builtIn ? "\(provider.path) (built in)" : provider.path],
            ["state", state(of: provider)],
        ]
        if let order { rows.append(["order", String(order)]) }
        rows.append(["process", provider.running ? "running" : "not running"])
        if let count = provider.identities { rows.append(["identities", String(count)]) }
        if let modification = provider.modification {
            rows.append(["app", modification.app])
            for domain in modification.domains { rows.append(["domain", domain]) }
            rows.append(["changes to", modification.kinds.joined(separator: ", ")])
        } else {
            rows.append(["provides", provider.provides.joined(separator: ", ")])
        }
        rows.append(["configuration", provider.showsConfiguration ? "`latchkey providers configure`" : "none"])
        rows.append(["isolation", isolation(of: provider)])
        if let isTold = provider.toldPaths {
            rows.append(["told of a page", isTold ? "scheme, host, port and path" : "scheme, host and port"])
        }
        if provider.debug { rows.append(["debug", "a debug build (get-task-allow)"]) }
        for group in provider.grants.groups { rows.append(["group", group]) }
        for sentence in provider.grants.sentences { rows.append(["asks", sentence]) }
        if let digest = provider.digest { rows.append(["digest", digest]) }
        return rows.map { $0.map(TerminalText.escaped) }
    }

    /// The state in words, with what is wrong.
    static func state(of provider: ProviderStatement) -> String {
        let words =
            switch provider.state {
            case "changed": "changed since it was enabled; enable it again"
            case "enabled" where provider.asksFor != nil: "enabled; asks for more, enable it again to agree"
            case "missing": "its bundle is gone"
            default: provider.state
            }
        return provider.problem.map { "\(words): \($0)" } ?? words
    }

    static func isolation(of provider: ProviderStatement) -> String {
        provider.isolation == "none" ? "not isolated" : provider.isolation
    }

    /// A sentence on whether providers are kept apart.
    static func sentence(_ isolation: IsolationStatement) -> String {
        if isolation.available {
            return "providers are isolated from one another" + (isolation.reason.map { "; \($0)" } ?? "")
        }
        return "providers are not isolated" + (isolation.reason.map { ": \($0)" } ?? "")
    }
}
