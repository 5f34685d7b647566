// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey status`
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "status", abstract: "Show the status.")

    @Flag(help: "Show the daemon, its protections, providers and where codes come from as well.") var verbose = false
    @Flag(help: "Print one object as JSON.") var json = false

    func run() async throws {
        let status = try await DaemonConnection.open().call(Settings.Status.self)
        if json {
            Output.json(Self.json(status))
        } else {
            for line in TextTable(rows: Self.rows(status) + (verbose ? Self.details(status) : [])).lines(
                forTerminal: true)
            { Output.line(line) }
        }
        if let failure = FileProblems.failure(status.files ?? []) { throw failure }
    }

    static func json(_ status: Settings.Status.Answer) -> JSONText {
        // There only where something is odd.
        var odd =
            status.preferencesProblems.map {
                [("preferencesProblems", JSONText.array($0.map(JSONText.string)))]
            } ?? []
        if let missing = status.missingKeyring {
            odd.append(
                ("missingKeyring", .object([("message", .string(missing.message)), ("hint", .string(missing.hint))])))
        }
        if status.sandboxed == true { odd.append(("sandboxed", .bool(true))) }
        if status.keyringUnsettled == true { odd.append(("keyringUnsettled", .bool(true))) }
        if let files = status.files { odd.append(("files", .array(files.map(FileProblems.json)))) }
        if let paths = status.setAside { odd.append(("setAside", .array(paths.map(JSONText.string)))) }
        return .object(
            [
                ("initialized", .bool(status.initialized)), ("locked", .bool(status.locked)),
                ("autoFill", .bool(status.autoFill)), ("version", .string(status.version)),
                ("processIdentifier", .integer(Int64(status.processIdentifier))),
                (
                    "providers",
                    .array(
                        status.providers.map { provider in
                            .object([
                                ("identifier", .string(provider.identifier)), ("name", .string(provider.name)),
                                ("running", .bool(provider.running)),
                                ("identities", .optional(provider.identities.map(Int64.init))),
                            ])
                        }
                    )
                ),
                ("preferences", PreferencesListing.json(status.preferences)), ("store", .string(status.store)),
                ("memoryLocked", .bool(status.memoryLocked)),
                ("isolation", status.isolation.map(ProviderListing.json) ?? .null),
                ("quirks", status.quirks.map(QuirksListing.json) ?? .null),
                ("codes", .array((status.codes ?? []).map(json))), ("pin", .bool(status.pin ?? false)),
                ("login", .string(status.login ?? "off")),
            ] + odd + (status.older.map { [("older", json($0))] } ?? [])
                + (status.replaced.map { [("replaced", .array($0.map(json)))] } ?? []))
    }

    /// The store of the built-in provider; it is made with the first account.
    private static func storeSentence(_ status: Settings.Status.Answer) -> String {
        guard status.initialized else { return status.missingKeyring == nil ? "none yet" : "cannot be opened" }
        return status.store == "missing" ? "nothing saved yet" : TerminalText.escaped(status.store)
    }

    private static func json(_ older: OlderRegistry) -> JSONText {
        .object([("changes", .integer(Int64(older.changes))), ("since", .optional(older.since))])
    }

    private static func json(_ replaced: ReplacedInstallation) -> JSONText {
        .object([
            ("number", .integer(Int64(replaced.number))), ("path", .string(replaced.path)),
            ("date", .integer(replaced.date)),
        ])
    }

    private static func json(_ source: CodeSourceStatement) -> JSONText {
        .object([
            ("name", .string(source.name)), ("state", .string(source.state)), ("detail", .optional(source.detail)),
        ])
    }

    /// How things stand, and what is odd or has to be done.
    static func rows(_ status: Settings.Status.Answer) -> [[String]] {
        let state =
            !status.initialized
            ? "not set up; run `latchkey init`" : status.locked ? "locked; run `latchkey unlock`" : "unlocked"
        let states = status.missingKeyring.map { [$0.message, $0.hint].map(TerminalText.escaped) } ?? [state]
        var rows = states.map { ["latchkey", $0] }
        rows += [
            ["autofill", status.autoFill ? "on" : "off"],
            ["store", storeSentence(status)],
        ]
        if !status.memoryLocked { rows.append(["memory", "secrets may reach swap (ulimit -l)"]) }
        if status.sandboxed == true {
            rows.append(["daemon", "runs in a sandbox of its own; programs outside of it are refused"])
        }
        if status.keyringUnsettled == true {
            rows.append([
                "passphrase",
                "the disk refused a change: after a crash or a restart the new passphrase may count; keep both",
            ])
        }
        for file in status.files ?? [] {
            rows += [file.problem, file.hint].map { ["damage", TerminalText.escaped($0)] }
        }
        rows += (status.setAside ?? []).map { ["set aside", TerminalText.escaped($0)] }
        if let older = status.older {
            let notice = OlderNotice(older: older)
            rows += (notice.lines + [notice.hint]).map { ["agreements", $0] }
        }
        for replaced in status.replaced ?? [] {
            let command = "`latchkey restore --replaced \(replaced.number)`"
            rows.append([
                "replaced",
                "\(TerminalText.escaped(replaced.path)), of \(Moment.text(replaced.date)); \(command) brings it back",
            ])
        }
        if status.initialized, status.preferences.fills == nil, status.preferences.authentication == "after" {
            rows.append([
                "fills",
                "still take the passphrase after \(status.preferences.authenticationMinutes) minutes; "
                    + "`latchkey preferences set --fills never` lets them go on while unlocked, `--fills after` keeps it so",
            ])
        }
        for problem in status.preferencesProblems ?? [] {
            rows.append(["preferences", TerminalText.escaped(problem)])
        }
        if let isolation = status.isolation, !isolation.available { rows.append(isolated(isolation)) }
        return rows
    }

    private static func isolated(_ isolation: IsolationStatement) -> [String] {
        ["isolation", TerminalText.escaped(ProviderListing.sentence(isolation))]
    }

    /// What `--verbose` shows besides.
    static func details(_ status: Settings.Status.Answer) -> [[String]] {
        var rows = [
            ["daemon", "latchkeyd \(TerminalText.escaped(status.version)), process \(status.processIdentifier)"]
        ]
        if status.memoryLocked { rows.append(["memory", "secrets are kept out of swap"]) }
        if status.pin == true {
            rows.append(["pin", "unlocks until you log out; `latchkey pin remove` takes it away"])
        }
        if let login = status.login, login != "off" {
            rows.append(["login", LoginModule.sentence(login)])
        }
        if let isolation = status.isolation {
            if isolation.available { rows.append(isolated(isolation)) }
            let fetching = isolation.available ? "in a sandbox" : "without a sandbox"
            rows.append(["fetching", "data from the network are read \(fetching)"])
        }
        if let quirks = status.quirks { rows += QuirksListing.rows(quirks, now: Moment.now) }
        for source in status.codes ?? [] {
            let detail = source.detail.map { ", \($0)" } ?? ""
            rows.append(["codes", TerminalText.escaped("\(source.name): \(source.state)\(detail)")])
        }
        for provider in status.providers {
            let count = provider.identities.map { ", \($0) identities" } ?? ""
            let name = TerminalText.escaped("\(provider.name) (\(provider.identifier))")
            rows.append(["provider", "\(name), \(provider.running ? "running" : "not running")\(count)"])
        }
        return rows
    }
}
