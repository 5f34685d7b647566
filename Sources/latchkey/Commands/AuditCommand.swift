// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey audit`
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Show what was filled, and where.",
        discussion: """
            Ends with status 10 when lines of the log are missing or were changed; --verify says which. --follow goes on \
            until control-C, and ends with status 3 when Latchkey is locked, because lines can only be read while it is not.
            """)

    @Option(help: "Only events since: 90m, 24h, 7d, 2026-11-21, or seconds since 1970.") var since: String?
    @Option(help: "Only events of this service.") var service: String?
    @Flag(help: "Print {intact, lines} as JSON; with --follow one line's object a line; with --verify what is wrong.")
    var json = false
    @Flag(help: "Go on and print lines as they are written.") var follow = false
    @Flag(help: "Only check the log, and name the lines that are missing or were changed.") var verify = false

    func validate() throws {
        guard !(verify && (follow || since != nil || service != nil)) else {
            throw ValidationError("--verify checks the whole log; the only option it can be combined with is --json.")
        }
        guard let since else { return }
        guard Moment.seconds(since, now: Moment.now) != nil else {
            throw ValidationError("--since takes 90m, 24h, 7d, 2026-11-21, or seconds since 1970.")
        }
    }

    func run() async throws {
        if verify { return try await check() }
        if follow { return try await watch() }
        let daemon = try await DaemonConnection.open()
        var cursor: Int?
        var lines: [AuditLine] = []
        let isIntact = try await pages(daemon, &cursor, follow: nil) { lines += $0 }
        if json {
            Output.json(.object([("intact", .bool(isIntact)), ("lines", .array(lines.map(Self.json)))]))
        } else {
            let rows = lines.map(Self.row)
            for line in TextTable(rows: rows).lines(forTerminal: Output.isTerminal) { Output.line(line) }
            if rows.isEmpty && Output.isErrorTerminal { Output.note("There are no such events.") }
        }
        guard isIntact else { throw Self.damaged }
    }

    /// Reads from a line on to the end, and leaves in `cursor` where the next line will be; whether the log is intact.
    private func pages(
        _ daemon: DaemonConnection, _ cursor: inout Int?, follow: Bool?, _ take: ([AuditLine]) -> Void
    ) async throws -> Bool {
        let start = since.flatMap { Moment.seconds($0, now: Moment.now) }
        var isIntact = true
        while true {
            let page = try await daemon.call(
                Settings.Audit.self, .init(since: start, service: service, cursor: cursor, follow: follow))
            take(page.lines)
            isIntact = isIntact && page.intact
            guard let next = page.cursor else {
                cursor = page.next ?? cursor
                return isIntact
            }
            guard next > cursor ?? 0 else {
                throw CommandFailure(.malfunction, "The daemon sends the same page again.")
            }
            cursor = next
        }
    }

    // MARK: Following

    private func watch() async throws {
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let daemon = try await DaemonConnection.open(handler: { method, _ in
            if method == Items.Changed.name { return .object([:]) }
            guard method == Settings.AuditChanged.name || method == AutoFillIPC.Browser.Changed.name else {
                throw WireError(.methodNotFound, "The command line answers no \(method).")
            }
            change.yield()
            return .object([:])
        })
        daemon.peer.onClose { change.finish() }
        var cursor: Int?
        var wasIntact = true
        change.yield()
        for await _ in changes {
            let isIntact = try await pages(daemon, &cursor, follow: true) { lines in
                for line in lines {
                    if json {
                        Output.json(Self.json(line))
                    } else {
                        Output.line(Self.row(line).joined(separator: Output.isTerminal ? "  " : "\t"))
                    }
                }
            }
            if wasIntact, !isIntact { Output.note(Self.damaged.message) }
            wasIntact = isIntact
        }
        throw CommandFailure(.unavailable, "The daemon has ended.")
    }

    // MARK: Checking

    private func check() async throws {
        let daemon = try await DaemonConnection.open()
        let answer = try await daemon.call(Settings.VerifyAudit.self)
        if json {
            Output.json(
                .object([
                    ("intact", .bool(answer.intact)), ("firstLine", .integer(Int64(answer.first))),
                    ("lastLine", .integer(Int64(answer.next - 1))),
                    ("findings", .array(answer.findings.map(Self.json))),
                ]))
        } else if answer.intact {
            Output.line(
                answer.next == answer.first
                    ? "The audit log is intact; it is empty."
                    : "The audit log is intact: lines \(answer.first) to \(answer.next - 1).")
        } else {
            for finding in answer.findings { Output.line(TerminalText.escaped(finding.message)) }
        }
        guard answer.intact else { throw Self.damaged }
    }

    private static let damaged = CommandFailure(
        .storage, "Lines of the audit log are missing or were changed.",
        hint: "`latchkey audit --verify` says which. Something other than Latchkey wrote to its files; "
            + "see docs/threat-model.md.")

    static func json(_ finding: AuditFinding) -> JSONText {
        .object([
            ("kind", .string(finding.kind)), ("first", .optional(finding.first.map(Int64.init))),
            ("last", .optional(finding.last.map(Int64.init))), ("message", .string(finding.message)),
        ])
    }

    static func json(_ line: AuditLine) -> JSONText {
        .object([
            ("time", .integer(line.time)), ("event", .string(line.event)), ("provider", .optional(line.provider)),
            ("service", .optional(line.service)), ("user", .optional(line.user)),
            ("requester", .string(line.requester)), ("client", .optional(line.client)), ("act", .optional(line.act)),
            ("authentication", .optional(line.authentication)), ("reason", .optional(line.reason)),
            ("purpose", .optional(line.purpose)), ("number", .optional(line.number.map(Int64.init))),
        ])
    }

    static func row(_ line: AuditLine) -> [String] {
        let client = line.client.map { "by \($0)" }
        let details = [line.act, client, line.purpose, line.authentication, line.reason].compactMap { $0 }
            .joined(separator: ", ")
        let texts = [
            Moment.text(line.time), line.event, line.service ?? "-", line.user ?? "-", line.requester, details,
        ]
        return texts.map(TerminalText.escaped)
    }
}
