// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import AutoFillQuirks
import FoundationEssentials
import TerminalRendering

/// `latchkey quirks update|list|status|remove`
struct QuirksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quirks",
        abstract: "Update the quirks of sites: shared accounts, password rules, public suffixes.",
        discussion: """
            None of it needs the daemon, or Latchkey to be unlocked. docs/quirks.md says what the files are, and how they \
            are checked.
            """,
        subcommands: [QuirksUpdateCommand.self, QuirksList.self, QuirksStatus.self, QuirksRemove.self],
        defaultSubcommand: QuirksStatus.self)

    static func store() throws -> QuirksStore {
        QuirksStore(data: try DaemonConnection.directories().data)
    }

    /// Lets a daemon that runs read the set anew. The set on disk is right either way.
    static func tellDaemon() async {
        do {
            guard let daemon = try await DaemonConnection.openIfRunning() else { return }
            _ = try await daemon.call(Settings.ReloadQuirks.self)
        } catch {
            let message = (error as? WireError)?.message ?? (error as? CommandFailure)?.message ?? "\(error)"
            Output.note("Note: latchkeyd still uses the files it read at its start: \(message)")
        }
    }
}

/// `latchkey quirks update`
struct QuirksUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Fetch the files anew, check them, and use them.",
        discussion: """
            Without --from they come from Apple's password-manager-resources and from publicsuffix.org. When one of them is \
            not right, nothing is changed. What a source does not have stays as it is.
            """)

    @Option(
        help: ArgumentHelp("Where the files are: an https address or a folder.", valueName: "url or folder"),
        completion: .directory)
    var from: String?
    @Flag(help: "Accept a public suffix list older than the present one.") var force = false
    @Flag(help: "Print the resulting files as JSON.") var json = false

    func run() async throws {
        let origin = try QuirksOrigin(from)
        let environment = ProcessInfo.processInfo.environment
        let directories = try DaemonConnection.directories()
        let store = try QuirksCommand.store()
        let bubblewrap = Bubblewrap(environment: environment)
        if let reason = bubblewrap.reason {
            Output.note("Note: the downloaded files are read without a sandbox: \(reason).")
        }
        let update = QuirksUpdate(
            origin: origin, isForced: force,
            fetching: FetchProcess(
                programFolder: DaemonConnector.programFolder, bubblewrap: bubblewrap,
                configurationFolder: directories.config), store: store, now: Moment.now)
        let report = try await store.locked { try await update.run() }
        await QuirksCommand.tellDaemon()
        for file in report.missing {
            let consequence = report.kept.contains(file) ? "the previous one is kept" : "there is none"
            Output.note("Note: \(file.rawValue) is not at the source; \(consequence).")
        }
        if json { return Output.json(QuirksListing.json(report.set, store: store)) }
        for line in TextTable(rows: QuirksListing.rows(report.set, store: store)).lines(forTerminal: Output.isTerminal)
        {
            Output.line(line)
        }
    }
}

/// `latchkey quirks list`
struct QuirksList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the files that are there.")

    @Flag(help: "Print one object as JSON.") var json = false

    func run() async throws {
        let store = try QuirksCommand.store()
        let set = try store.current()
        if json { return Output.json(QuirksListing.json(set, store: store)) }
        let rows = set.map { QuirksListing.rows($0, store: store) } ?? []
        for line in TextTable(rows: rows).lines(forTerminal: Output.isTerminal) { Output.line(line) }
        if rows.isEmpty && Output.isErrorTerminal { Output.note("You have no quirks of your own.") }
    }
}

/// `latchkey quirks status`
struct QuirksStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "status", abstract: "Show how old they are.")

    @Flag(help: "Print one object as JSON.") var json = false

    func run() async throws {
        let store = try QuirksCommand.store()
        let set = try store.current()
        if json { return Output.json(QuirksListing.json(set, store: store)) }
        let rows = QuirksListing.summary(set, store: store, now: Moment.now)
        for line in TextTable(rows: rows).lines(forTerminal: true) { Output.line(line) }
    }
}

/// `latchkey quirks remove`
struct QuirksRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove the files again; those of the system are used then.")

    func run() async throws {
        let store = try QuirksCommand.store()
        guard try await store.locked({ try store.remove() }) else {
            throw CommandFailure(.notFound, "There are no quirks of your own.")
        }
        Output.note("Removed your quirks; those of the system are used.")
        await QuirksCommand.tellDaemon()
    }
}
