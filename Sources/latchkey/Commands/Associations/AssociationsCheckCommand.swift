// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillAssociations
import AutoFillIPC
import FoundationEssentials
import TerminalRendering

/// `latchkey associations check HOST`
struct AssociationsCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Ask a site now, and print the requests and its answers.",
        discussion: """
            If latchkeyd is running and unlocked, it asks the site and stores the result. Otherwise, and with --without-daemon, --mode \
            or --source, this command asks by itself and nothing is changed: that needs no set-up and is what a site's own \
            tests can run.

            Ends with status 0 when the site's file is in order and, with --app, names the app; with 6 when the site says no, \
            and with 11 when it could not be asked.
            """)

    /// `?mode=` of an entry.
    enum Mode: String, ExpressibleByArgument, CaseIterable {
        case developer, managed
    }

    @Argument(help: "The site: shiny.example.com, or '*.example.com'.") var host: String
    @Option(help: "Whether the file names this app: E5336VM85F.com.example.Shiny") var app: String?
    @Option(help: "Ask as an entry with ?mode= does: the site itself, .well-known only; developer: any certificate.")
    var mode: Mode?
    @Option(help: "Whom to ask: direct, or the base of a content network.") var source: String?
    @Flag(help: "Do it without latchkeyd, and change nothing.") var withoutDaemon = false
    @Flag(help: "Print {host, lines, apps, approved, associations} as JSON.") var json = false

    func run() async throws {
        let domain = try Self.domain(host)
        let identifier = try app.map(Self.app)
        let source = try self.source.map(Self.source)
        var outcome: CheckOutcome?
        if !withoutDaemon && mode == nil && source == nil { outcome = try await askDaemon(domain) }
        if outcome == nil { outcome = try await askByMyself(domain, source ?? .direct) }
        guard let outcome else { return }
        outcome.show(domain, identifier, json: json)
        try outcome.conclude(domain, identifier)
    }

    /// Nothing where no daemon can do it.
    private func askDaemon(_ domain: AssociatedDomain) async throws -> CheckOutcome? {
        guard let daemon = try await DaemonConnection.openIfRunning(), daemon.hello.initialized, !daemon.hello.locked
        else { return nil }
        let report = try await daemon.call(Associations.Check.self, .init(host: domain.domain, app: app))
        return CheckOutcome(report)
    }

    private func askByMyself(_ domain: AssociatedDomain, _ source: AssociationSource) async throws -> CheckOutcome {
        let environment = ProcessInfo.processInfo.environment
        let process = FetchProcess(
            programFolder: DaemonConnector.programFolder, bubblewrap: Bubblewrap(environment: environment),
            configurationFolder: try DaemonConnection.directories().config)
        let mode: AssociatedDomain.Mode =
            switch mode {
            case .developer: .developer
            case .managed: .managed
            case nil: []
            }
        return CheckOutcome(
            await FetchedAssociations(process).ask(
                AssociationQuestion(host: domain.host, mode: mode, source: mode.isEmpty ? source : .direct)))
    }

    private static func domain(_ text: String) throws(CommandFailure) -> AssociatedDomain {
        do throws(AssociatedDomain.EntryRefusal) {
            return try AssociatedDomain(written: text)
        } catch {
            throw CommandFailure(
                .invalidInput, "This is not an associated domain: \(error.rawValue).",
                hint: "Write the host only: shiny.example.com")
        }
    }

    private static func app(_ text: String) throws(CommandFailure) -> AppIdentifier {
        guard let app = AppIdentifier(text) else {
            throw CommandFailure(
                .invalidInput, "This is not an app identifier.",
                hint: "Ten letters and digits, a dot, the bundle identifier: E5336VM85F.com.example.Shiny")
        }
        return app
    }

    private static func source(_ text: String) throws(CommandFailure) -> AssociationSource {
        guard let source = AssociationSource(text) else {
            throw CommandFailure(
                .invalidInput, "The source is neither direct nor an address.",
                hint: "Write direct, or https:// and a host.")
        }
        return source
    }
}
