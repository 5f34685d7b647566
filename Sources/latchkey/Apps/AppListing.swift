// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import TerminalRendering

/// Apps as the command line shows them.
enum AppListing {
    static func json(_ app: AppStatement) -> JSONText {
        .object([
            ("identifier", .string(app.identifier)), ("path", .string(app.path)), ("digest", .optional(app.digest)),
            ("source", .string(app.source)), ("state", .string(app.state)), ("domains", .strings(app.domains)),
            ("hosts", .strings(app.hosts)), ("problem", .optional(app.problem)), ("file", .optional(app.file)),
            ("date", .optional(app.date)),
        ])
    }

    /// One line an app: identifier, state, source, path, confirmed domains, problem.
    static func lines(_ apps: [AppStatement], forTerminal: Bool) -> [String] {
        let rows = apps.map { app in
            [
                app.identifier.isEmpty ? "-" : app.identifier, app.state, app.source, app.path,
                app.hosts.joined(separator: ", "), app.problem ?? "",
            ].map(TerminalText.escaped)
        }
        return TextTable(rows: rows).lines(forTerminal: forTerminal).map { line in
            // The last columns are empty for most.
            String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// One line an account that is bound to a native program: its id, the program, the account, the package.
    static func lines(_ bindings: [BindingStatement], forTerminal: Bool) -> [String] {
        let rows = bindings.map { binding in
            [
                binding.id, "bound", binding.program, "\(binding.user) (\(binding.service))",
                binding.package.map { "package \($0)" } ?? "",
            ].map(TerminalText.escaped)
        }
        return TextTable(rows: rows).lines(forTerminal: forTerminal)
    }

    /// What `latchkey apps info` shows.
    static func details(_ app: AppStatement) -> [[String]] {
        var rows = [["identifier", app.identifier.isEmpty ? "none" : app.identifier], ["path", app.path]]
        rows.append(["state", app.problem.map { "\(state(of: app)): \($0)" } ?? state(of: app)])
        rows.append(["source", source(of: app)])
        for domain in app.domains { rows.append(["states", domain]) }
        for host in app.hosts { rows.append(["confirmed", host]) }
        if let date = app.date { rows.append(["said", Moment.text(date)]) }
        if let digest = app.digest { rows.append(["digest", digest]) }
        return rows.map { $0.map(TerminalText.escaped) }
    }

    /// What a person is shown before a program is granted an identifier. What the program states is escaped.
    static func question(_ app: AppStatement) -> [String] {
        var lines = ["The program \(app.path)", "SHA-256 \(app.digest ?? "unknown")"]
        lines.append("is to be the app \(app.identifier).")
        lines.append(
            app.domains.isEmpty
                ? "It states no domains, so nothing is offered to it."
                : "Where these sites confirm it, it may ask for passwords of: \(app.domains.joined(separator: ", ")).")
        return lines.map(TerminalText.escaped)
    }

    private static func state(of app: AppStatement) -> String {
        switch app.state {
        case "refused": "you have said no to it"
        case "changed": "changed since you said yes; it asks again"
        case "conflict": "another program claims the same identifier, so neither gets anything"
        case "unknown": "you have not been asked about it yet"
        default: app.state
        }
    }

    private static func source(of app: AppStatement) -> String {
        switch app.source {
        case "system": "a file of root's" + (app.file.map { ", \($0)" } ?? "")
        case "user": "your word"
        default: app.source + (app.file.map { ", \($0)" } ?? "")
        }
    }
}
