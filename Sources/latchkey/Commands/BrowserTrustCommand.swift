// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey browser trust PATH`
struct BrowserTrustCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Trust a browser that Latchkey does not know, by its executable.",
        discussion: """
            latchkeyd believes what a browser says about the page that asks. It knows the browsers of distributions \
            and vendors where they belong to root; any other one is believed only when it stands in peers.json.
            """
    )

    @Argument(help: "The browser's own executable, not a script that starts it.", completion: .file())
    var path: String

    func run() async throws {
        let executable = try PeersList.browserExecutable(path)
        var peers = try PeersList(path: DaemonConnection.directories().config + "/peers.json")
        guard peers.addBrowser(executable.path) else { return Output.note("\(executable.path) is trusted already.") }
        try peers.write()
        Output.note("latchkeyd believes \(executable.path) from its next start on.")
        // The daemon reads the file when it starts, so that nobody can widen its trust while it is unlocked.
        if try await DaemonConnection.openIfRunning() != nil {
            Output.note("It runs at the moment; `latchkey daemon stop` ends it, and the next command starts it again.")
        }
        if !executable.isRootOwned {
            Output.note("It does not belong to root alone: whoever can replace that file is believed too.")
        }
    }
}

/// `latchkey browser untrust PATH`
struct BrowserUntrustCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "untrust", abstract: "No longer trust a browser that was added with `trust`.")

    @Argument(help: "The executable, as it was added.", completion: .file()) var path: String

    func run() async throws {
        var peers = try PeersList(path: DaemonConnection.directories().config + "/peers.json")
        // The file may be gone by now, so the path as written counts too.
        let names = [(try? PeersList.browserExecutable(path).path) ?? path, FilePath.absolute(path)]
        guard let name = names.first(where: { peers.browsers.contains($0) }), peers.removeBrowser(name) else {
            let known = peers.browsers.joined(separator: ", ")
            throw CommandFailure(
                .notFound, "\(path) was not added.", hint: known.isEmpty ? "None was." : "Added: \(known).")
        }
        try peers.write()
        Output.note("latchkeyd no longer believes \(name) from its next start on.")
        if try await DaemonConnection.openIfRunning() != nil {
            Output.note("latchkeyd believes it until it ends: `latchkey daemon stop`.")
        }
    }
}
