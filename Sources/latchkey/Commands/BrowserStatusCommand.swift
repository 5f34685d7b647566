// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import FoundationEssentials
import TerminalRendering

/// `latchkey browser status`
struct BrowserStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Check what connects browsers to Latchkey.",
        discussion: """
            Checked are the manifests, the host program and the daemon. Whether the browser has the extension loaded \
            cannot be seen from outside: latchkeyd speaks only to a host that a browser started. What the browser \
            itself has to say stands in the extension's popup. A manifest of the user's own counts before the one that a \
            package sets up for all users.
            """
    )

    @OptionGroup var selection: BrowserSelection
    @Flag(help: "Print {extension, daemon, browsers} as JSON.") var json = false

    /// What was found out about one browser.
    struct Finding {
        let title: String
        let manifest: String
        /// Nothing when all is well.
        let fault: String?
        /// Whether the manifest is the one of all users, which a package brings.
        let isOfAllUsers: Bool
        /// The folder from which the browser loads the extension by itself; `nil` where the user loads it.
        let loaded: String?

        var text: String {
            if let fault { return fault }
            let by = isOfAllUsers ? ", set up for all users" : ""
            let loading = loaded.map { "; loads the extension from \($0)" } ?? ""
            return "ready\(by); \(manifest)\(loading)"
        }
    }

    func run() async throws {
        let folder = try ExtensionFolder.find(programFolder: DaemonConnector.programFolder)
        let places = try BrowserPlaces()
        let findings =
            selection.flatpak
            ? try selection.flatpaks(places).map { inFlatpak($0, folder) } : outside(places, folder)
        let daemon = try await DaemonConnection.openIfRunning()
        var state = Self.state(daemon?.hello)
        if selection.flatpak, daemon == nil {
            state = "not running; a sandboxed browser cannot start it, but systemd's socket or any command does"
        }
        if json {
            Output.json(Self.json(folder, state, findings, UnservedBrowser.found(places)))
        } else {
            var rows = [["extension", TerminalText.escaped("\(folder.identifier) in \(folder.path)")]]
            rows.append(["daemon", state])
            for finding in findings {
                rows.append([finding.title, TerminalText.escaped(finding.text)])
            }
            for line in TextTable(rows: rows).lines(forTerminal: true) { Output.line(line) }
            selection.noteLimits(places)
        }
        guard !findings.isEmpty else {
            throw CommandFailure(
                .notFound, "Neither a browser of the Chromium family nor Firefox was found.",
                hint: "Name one with --browser, or a user data folder with --profile.")
        }
        let faulty = findings.filter { $0.fault != nil }
        guard faulty.isEmpty else {
            throw CommandFailure(
                .notFound, "\(faulty.map(\.title).joined(separator: ", ")): not connected to this Latchkey.",
                hint: selection.flatpak
                    ? "`latchkey browser install --flatpak` sets up those that are installed for all users."
                    : "Run `latchkey browser install`.")
        }
    }

    private func outside(_ places: BrowserPlaces, _ folder: ExtensionFolder) -> [Finding] {
        selection.places(places).map { place in
            let path = place.effective
            let manifest = HostManifest(
                program: DaemonConnector.programFolder + "/latchkey-browser-host",
                extensionIdentifier: folder.identifier,
                family: place.family)
            return Finding(
                title: place.title, manifest: path, fault: manifest.fault(at: path),
                isOfAllUsers: path != place.manifest, loaded: place.browser?.extensionOfAllUsers(places))
        }
    }

    private func inFlatpak(_ setup: FlatpakSetup, _ folder: ExtensionFolder) -> Finding {
        let program = DaemonConnector.programFolder + "/latchkey-browser-relay"
        return Finding(
            title: setup.title, manifest: setup.manifest,
            fault: setup.fault(program: program, extension: folder), isOfAllUsers: false, loaded: nil)
    }

    static func state(_ hello: Session.Hello.Answer?) -> String {
        guard let hello else { return "not running; the browser starts it" }
        if !hello.initialized { return "running, not set up" }
        return hello.locked ? "running, locked" : "running, unlocked"
    }

    static func json(
        _ folder: ExtensionFolder, _ state: String, _ findings: [Finding], _ unserved: [UnservedBrowser]
    ) -> JSONText {
        .object([
            ("extension", .object([("id", .string(folder.identifier)), ("path", .string(folder.path))])),
            ("daemon", .string(state)),
            (
                "browsers",
                .array(
                    findings.map { finding in
                        .object([
                            ("name", .string(finding.title)), ("manifest", .string(finding.manifest)),
                            ("ready", .bool(finding.fault == nil)), ("fault", .optional(finding.fault)),
                        ])
                    }
                )
            ),
            ("unserved", .strings(unserved.map(\.rawValue))),
        ])
    }
}
