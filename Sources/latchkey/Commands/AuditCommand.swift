// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC

/// `latchkey audit`
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Show who was given what, and who was refused.",
        discussion: "Ends with status 10 when lines of the log are missing or were changed.")

    @Option(help: "Only what happened since: 90m, 24h, 7d, 2026-11-21, or seconds since 1970.") var since: String?
    @Option(help: "Only what concerns this service.") var service: String?
    @Flag(help: "Print {intact, lines} as JSON.") var json = false

    func validate() throws {
        guard let since else { return }
        guard Moment.seconds(since, now: Moment.now) != nil else {
            throw ValidationError("--since takes 90m, 24h, 7d, 2026-11-21, or seconds since 1970.")
        }
    }

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let (lines, isIntact) = try await read(daemon)
        if json {
            Output.json(.object([("intact", .bool(isIntact)), ("lines", .array(lines.map(Self.json)))]))
        } else {
            let rows = lines.map(Self.row)
            for line in TextTable(rows: rows).lines(forTerminal: Output.isTerminal) { Output.line(line) }
        }
        guard isIntact else {
            throw CommandFailure(
                .storage, "Lines of the audit log are missing or were changed.",
                hint: "Somebody or something other than Latchkey wrote to it; see docs/threat-model.md.")
        }
    }

    private func read(_ daemon: DaemonConnection) async throws -> ([AuditLine], Bool) {
        let start = since.flatMap { Moment.seconds($0, now: Moment.now) }
        var lines: [AuditLine] = []
        var isIntact = true
        var cursor: Int?
        repeat {
            let page = try await daemon.call(Settings.Audit.self, .init(since: start, service: service, cursor: cursor))
            lines += page.lines
            isIntact = isIntact && page.intact
            guard page.cursor != cursor || page.cursor == nil else {
                throw CommandFailure(.malfunction, "The daemon sends the same page again.")
            }
            cursor = page.cursor
        } while cursor != nil
        return (lines, isIntact)
    }

    static func json(_ line: AuditLine) -> JSONText {
        .object([
            ("time", .integer(line.time)), ("event", .string(line.event)), ("provider", .optional(line.provider)),
            ("service", .optional(line.service)), ("user", .optional(line.user)),
            ("requester", .string(line.requester)), ("act", .optional(line.act)),
            ("authentication", .optional(line.authentication)), ("reason", .optional(line.reason)),
        ])
    }

    static func row(_ line: AuditLine) -> [String] {
        let details = [line.act, line.authentication, line.reason].compactMap { $0 }.joined(separator: ", ")
        let texts = [
            Moment.text(line.time), line.event, line.service ?? "-", line.user ?? "-", line.requester, details,
        ]
        return texts.map(TerminalText.escaped)
    }
}
