// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillMatching
import TerminalRendering

/// Which program an identifier is, and which sites have named it as theirs.
struct AppExplanation {
    /// A program that claims the identifier.
    struct Claim {
        let path: String
        let source: String
        let state: String
        let problem: String?
    }

    /// What a site said.
    struct Association {
        let entry: String
        let verdict: String
        let detail: String?
        let isVerified: Bool
    }

    let identifier: String
    var claims: [Claim] = []
    var associations: [Association] = []
    /// Domains that the quirks give it.
    var known: [String] = []
    /// Those that count.
    var hosts: [String] = []

    /// Asks the daemon, or with `offline` only the rules.
    static func of(
        _ identifier: String, _ rules: Quirks, offline: Bool, saved: [SavedService]
    ) async throws -> Explanation {
        var app = AppExplanation(identifier: identifier)
        app.known = rules.shared.appDomains[identifier] ?? []
        guard !offline else {
            // Without a site's word nothing counts; what would count is held against what is named.
            app.hosts = app.known
            var answer = Explanation.offline(rules)
            let hosts = app.hosts.compactMap(AssociatedHost.init(written:))
            let policy = MatchPolicy(rules)
            answer.candidates = saved.map { Explanation.candidate($0, policy.match($0, associated: hosts)) }
            return Explanation(app: app, answer: answer, isOffline: true)
        }
        let daemon = try await DaemonConnection.open()
        try await app.ask(daemon)
        return Explanation(
            app: app, answer: try await daemon.call(Explain.self, .init(hosts: app.hosts)), isOffline: false)
    }

    private mutating func ask(_ daemon: DaemonConnection) async throws {
        let apps = try await Self.list(daemon, "apps.list", "apps")
        for app in apps where app["identifier"] == .string(identifier) {
            claims.append(
                Claim(
                    path: app["path"]?.plainText ?? "", source: app["source"]?.plainText ?? "",
                    state: app["state"]?.plainText ?? "",
                    problem: app["problem"]?.plainText))
            if app["state"]?.plainText == "known", case .array(let confirmed)? = app["hosts"] {
                hosts += confirmed.compactMap(\.plainText)
            }
        }
        let stated = try await Self.list(daemon, "associations.list", "associations")
        for association in stated where association["app"] == .string(identifier) {
            associations.append(
                Association(
                    entry: association["entry"]?.plainText ?? association["domain"]?.plainText ?? "",
                    verdict: association["verdict"]?.plainText ?? "", detail: association["detail"]?.plainText,
                    isVerified: association["verified"] == .bool(true)))
        }
    }

    /// A list of the daemon's; none while it is locked, which the explanation says by itself, and of one that keeps none.
    private static func list(_ daemon: DaemonConnection, _ method: String, _ member: String) async throws -> [JSONValue]
    {
        do {
            guard case .array(let list)? = try await daemon.peer.call(method, timeout: .seconds(60))[member] else {
                return []
            }
            return list
        } catch let error as WireError where [.locked, .notInitialized, .methodNotFound].contains(error.code) {
            return []
        }
    }

    var json: JSONText {
        .object([
            ("identifier", .string(identifier)),
            (
                "claims",
                .array(
                    claims.map { claim in
                        .object([
                            ("path", .string(claim.path)), ("source", .string(claim.source)),
                            ("state", .string(claim.state)), ("problem", .optional(claim.problem)),
                        ])
                    })
            ),
            (
                "associations",
                .array(
                    associations.map { association in
                        .object([
                            ("entry", .string(association.entry)), ("verdict", .string(association.verdict)),
                            ("detail", .optional(association.detail)), ("verified", .bool(association.isVerified)),
                        ])
                    })
            ),
            ("known", .strings(known)), ("hosts", .strings(hosts)),
        ])
    }

    var lines: [String] {
        var lines = ["App: \(identifier)"]
        for claim in claims {
            lines.append("  \(claim.path): \(claim.source), \(claim.state)\(claim.problem.map { ": " + $0 } ?? "")")
        }
        if claims.isEmpty { lines.append("  no program that claims it is known") }
        for association in associations {
            let detail = association.detail.map { ": " + $0 } ?? ""
            lines.append("  \(association.entry): \(association.verdict)\(detail)")
        }
        if !known.isEmpty { lines.append("  known to belong to: \(known.joined(separator: ", "))") }
        lines.append(
            hosts.isEmpty
                ? "  no site has confirmed it, so nothing is offered to it"
                : "  it counts for: \(hosts.joined(separator: ", "))")
        return lines
    }
}

extension JSONValue {
    fileprivate var plainText: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
