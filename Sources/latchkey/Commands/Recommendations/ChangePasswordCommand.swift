// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import AutoFillMatching
import AutoFillQuirks
import FoundationEssentials
import TerminalRendering

/// `latchkey change-password SITE`
struct ChangePasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change-password",
        abstract: "Find the page of a site where a password is changed.",
        discussion: """
            The site's own word counts first (/.well-known/change-password, where the site can be relied on), then the \
            list of known sites. Only https addresses of that site, or of one that shares its accounts, are given.
            """)

    @Argument(help: "The site: a host, or a URL.") var site: String
    @Flag(help: "Open it in the browser.") var open = false
    @Option(help: "Use the files of this folder instead of the installed ones.") var quirks: String?
    @Flag(help: "Print an object {url, source} as JSON.") var json = false

    func run() async throws {
        guard let origin = Origin(written: site) else {
            throw CommandFailure(.invalidInput, "\(TerminalText.escaped(site)) is not a site.")
        }
        let environment = ProcessInfo.processInfo.environment
        let folders: QuirksFolders
        if let quirks {
            let path = FilePath.absolute(quirks)
            guard FilePath.isFolder(path) else { throw CommandFailure(.notFound, "There is no folder \(quirks).") }
            folders = QuirksFolders(named: path)
        } else {
            folders = QuirksFolders(environment: environment)
        }
        let process = FetchProcess(
            programFolder: DaemonConnector.programFolder, bubblewrap: Bubblewrap(environment: environment),
            configurationFolder: try DaemonConnection.directories().config)
        let search = ChangePasswordSearch(
            process: process, quirks: SiteQuirks(folders: folders), sites: folders.load())
        let place = try await search.place(for: origin)
        if open { try Self.show(place.url) }
        if json {
            return Output.json(.object([("url", .string(place.url)), ("source", .string(place.source))]))
        }
        Output.line(TerminalText.escaped(place.url))
    }

    /// Hands an address to the desktop, without a shell between.
    private static func show(_ url: String) throws {
        guard let ended = OtherProgram.run("/usr/bin/xdg-open", [url], isOutputRead: false) else {
            throw CommandFailure(
                .unavailable, "There is no xdg-open here.", hint: "Open it yourself: \(TerminalText.escaped(url))")
        }
        guard ended.status == 0 else {
            throw CommandFailure(
                .unavailable, "xdg-open did not open it.", hint: "Open it yourself: \(TerminalText.escaped(url))")
        }
    }
}
