// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillIPC
import TerminalRendering

/// What a check has found, by whomever it was made.
struct CheckOutcome {
    var lines: [String]
    /// What the file names; nothing where there is none to be had.
    var apps: [String]?
    /// Why there is no file to be had for now; nothing where the site answered.
    var trouble: String?
    var associations: [AssociationStatement] = []

    init(_ report: AssociationReport) {
        lines = report.lines
        apps = report.apps
        associations = report.associations
        if apps == nil { trouble = report.trouble }
    }

    init(_ answer: AssociationAnswer) {
        lines = AssociationText.lines(answer)
        switch answer.finding {
        case .apps(let apps): self.apps = apps
        case .denied: break
        case .trouble(let trouble): self.trouble = trouble.reason
        }
    }

    /// Whether the site's file is in order and names the app, where one is asked about.
    func isApproved(_ app: AppIdentifier?) -> Bool {
        guard let apps else { return false }
        guard let app else { return true }
        return apps.contains { $0.utf8.elementsEqual(app.rawValue.utf8) }
    }

    func show(_ domain: AssociatedDomain, _ app: AppIdentifier?, json: Bool) {
        if json {
            return Output.json(
                .object([
                    ("host", .string(domain.host)), ("lines", .strings(lines)),
                    ("apps", apps.map(JSONText.strings) ?? .null), ("approved", .bool(isApproved(app))),
                    ("associations", .array(associations.map(AssociationListing.json))),
                ]))
        }
        for line in lines { Output.line(TerminalText.escaped(line)) }
        if let app {
            // What the daemon keeps has its line already.
            guard !associations.contains(where: { $0.app == app.rawValue && $0.domain == domain.domain }) else {
                return
            }
            let verdict = isApproved(app) ? "SiteApproved" : trouble == nil ? "SiteDenied" : "Unreachable"
            Output.line("App ID '\(app)', domain '\(domain.domain)', \(verdict)")
        } else if let apps {
            Output.line("The file names \(apps.count) app\(apps.count == 1 ? "" : "s"):")
            for app in apps { Output.line("  " + TerminalText.escaped(app)) }
        }
    }

    /// Ends the command with the status that says what was found.
    func conclude(_ domain: AssociatedDomain, _ app: AppIdentifier?) throws(CommandFailure) {
        if isApproved(app) { return }
        if let trouble {
            throw CommandFailure(
                .unavailable, "\(domain.host) could not be asked: \(trouble).", hint: "Try again in a moment.")
        }
        guard apps != nil, let app else {
            throw CommandFailure(
                .refused, "\(domain.host) has no file that could associate an app with it.",
                hint: "docs/associations.md describes its format.")
        }
        throw CommandFailure(
            .refused, "The file of \(domain.host) does not name \(app).",
            hint: "It has to stand in webcredentials.apps, letter for letter.")
    }
}

/// Associations as the command line shows them.
enum AssociationListing {
    static func json(_ answer: Associations.List.Answer) -> JSONText {
        .object([
            ("associations", .array(answer.associations.map(json))), ("developerMode", .bool(answer.developerMode)),
            ("source", .string(answer.source)),
        ])
    }

    static func json(_ association: AssociationStatement) -> JSONText {
        .object([
            ("app", .string(association.app)), ("domain", .string(association.domain)),
            ("entry", .string(association.entry)), ("verdict", .string(association.verdict)),
            ("detail", .optional(association.detail)), ("verified", .bool(association.verified)),
            ("statedByApp", .bool(association.statedByApp)), ("approved", .optional(association.approved)),
            ("checked", .optional(association.checked)), ("next", .integer(association.next)),
        ])
    }

    static func json(_ line: AssociationLogLine) -> JSONText {
        .object([
            ("number", .integer(Int64(line.number))), ("time", .integer(line.time)), ("text", .string(line.text)),
        ])
    }

    /// One line an association: app, domain, verdict, who states it, when it was and will be asked, why.
    static func lines(_ associations: [AssociationStatement], forTerminal: Bool) -> [String] {
        let rows = associations.map { association in
            [
                association.app, association.domain, association.verdict, association.statedByApp ? "app" : "user",
                association.checked.map(Moment.text) ?? "-", Moment.text(association.next), association.detail ?? "",
            ].map(TerminalText.escaped)
        }
        return TextTable(rows: rows).lines(forTerminal: forTerminal)
    }

    static func show(_ report: AssociationReport, json: Bool) {
        if json {
            return Output.json(
                .object([
                    ("lines", .strings(report.lines)), ("apps", report.apps.map(JSONText.strings) ?? .null),
                    ("associations", .array(report.associations.map(Self.json))),
                ]))
        }
        for line in report.lines { Output.line(TerminalText.escaped(line)) }
    }
}
