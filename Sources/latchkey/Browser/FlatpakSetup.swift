// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import FoundationEssentials
import Glibc
import TerminalRendering

/// What lets a browser in a Flatpak reach Latchkey: one folder that its sandbox sees, with one socket in it; and in the browser's own
/// folder the host program, its manifest and the extension.
struct FlatpakSetup {
    let browser: Browser
    private let places: BrowserPlaces

    init(_ browser: Browser, _ places: BrowserPlaces) {
        self.browser = browser
        self.places = places
    }

    private var identifier: String { browser.flatpak.rawValue }
    /// The app's folder in the home, which the sandbox sees at the same path.
    private var home: String { places.home + "/.var/app/" + identifier }
    private var folder: String { home + "/data/latchkey" }
    /// Where the user's own settings of this app's sandbox stand (flatpak-override(1)).
    private var overrides: String { places.data + "/flatpak/overrides/" + identifier }

    var title: String { "\(browser.title) (Flatpak)" }
    var relay: String { folder + "/latchkey-browser-relay" }
    var extensionFolder: String { folder + "/BrowserExtension" }
    var manifest: String {
        let inside = BrowserPlaces(home: home, config: home + "/config")
        return HostManifest.path(in: browser.folder(inside), family: browser.family)
    }

    private var isForAll: Bool { FilePath.isFolder(places.root + "/var/lib/flatpak/app/" + identifier) }
    private var isOfUser: Bool { FilePath.isFolder(places.data + "/flatpak/app/" + identifier) }

    /// Whether the browser is installed, or was used.
    var isFound: Bool { isForAll || isOfUser || FilePath.isFolder(home) }

    /// Why Latchkey would not believe this browser; `nil` if it would.
    var refusal: String? {
        guard isOfUser, !isForAll else { return nil }
        return "\(browser.title) is installed as a Flatpak for you alone, so any program of yours can change it, "
            + "and Latchkey does not believe it. Install it for all users: `flatpak install --system \(identifier)`."
    }

    /// What `install` changes, for the user to read before.
    var plan: [String] {
        [
            "\(title), \(identifier):",
            "  Its sandbox will see one more folder, \(FlatpakBrowser.filesystem), with one socket of latchkeyd's.",
            "  There the browser can ask for what a page may be filled with, and other programs for nothing.",
            "  These will be written into the browser's own folder:", "    \(relay)", "    \(manifest)",
            "    \(extensionFolder)",
        ].map { TerminalText.escaped($0) }
    }

    /// - Parameters:
    ///   - program: Latchkey's own `latchkey-browser-relay`.
    ///   - extension: the extension, of which the sandbox gets a copy: it does not see the folders of the system.
    func install(program: String, extension source: ExtensionFolder) throws(CommandFailure) {
        try run(["override", "--user", "--filesystem=" + FlatpakBrowser.filesystem, identifier])
        guard let bytes = FileManager.default.contents(atPath: program) else {
            throw CommandFailure(.notFound, "\(program) cannot be read.")
        }
        let original = browser.family == .firefox ? source.firefox : source.path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try AtomicFile.write([UInt8](bytes), to: relay, mode: 0o700)
            try? FileManager.default.removeItem(atPath: extensionFolder)
            if let original { try FileManager.default.copyItem(atPath: original, toPath: extensionFolder) }
        } catch {
            throw CommandFailure(.storage, "\(folder) cannot be written.")
        }
        try hostManifest(source.identifier).write(to: manifest)
    }

    /// Takes back what `install` did, and nothing else. Returns what is gone.
    func uninstall() throws(CommandFailure) -> [String] {
        var removed: [String] = []
        if HostManifest.isOurs(at: manifest) { removed.append(manifest) }
        if FilePath.isFolder(folder) { removed.append(folder) }
        do {
            for path in removed { try FileManager.default.removeItem(atPath: path) }
            if let text = try? String(contentsOfFile: overrides, encoding: .utf8),
                let rest = Self.without(FlatpakBrowser.filesystem, in: text)
            {
                if rest.isEmpty {
                    try FileManager.default.removeItem(atPath: overrides)
                } else {
                    try AtomicFile.write(Array(rest.utf8), to: overrides, mode: 0o644)
                }
                removed.append("\(FlatpakBrowser.filesystem) of \(overrides)")
            }
        } catch {
            throw CommandFailure(.storage, "Something of \(title) cannot be removed.")
        }
        return removed
    }

    /// What is wrong with the setup; `nil` when all is as it should be.
    func fault(program: String, identifier: String) -> String? {
        if let refusal { return refusal }
        let text = (try? String(contentsOfFile: overrides, encoding: .utf8)) ?? ""
        if Self.without(FlatpakBrowser.filesystem, in: text) == nil {
            return "its sandbox does not see Latchkey's socket"
        }
        if FileManager.default.contents(atPath: relay) != FileManager.default.contents(atPath: program) {
            return "\(relay) is not this Latchkey's"
        }
        return hostManifest(identifier).fault(at: manifest)
    }

    private func hostManifest(_ identifier: String) -> HostManifest {
        HostManifest(program: relay, extensionIdentifier: identifier, family: browser.family)
    }

    /// A file of overrides without one folder in its list of `filesystems`; empty if nothing else is in it, `nil` if the folder is not.
    static func without(_ filesystem: String, in overrides: String) -> String? {
        var isContext = false
        var isChanged = false
        let all = overrides.split(separator: "\n", omittingEmptySubsequences: false)
        let lines = all.compactMap { line -> Substring? in
            if line.hasPrefix("[") { isContext = line == "[Context]" }
            guard isContext, line.hasPrefix("filesystems=") else { return line }
            let folders = line.dropFirst(12).split(separator: ";")
            let others = folders.filter { $0 != filesystem }
            guard others.count < folders.count else { return line }
            isChanged = true
            return others.isEmpty ? nil : Substring("filesystems=" + others.map { $0 + ";" }.joined())
        }
        guard isChanged else { return nil }
        let hasMore = lines.contains { !$0.isEmpty && !$0.hasPrefix("[") && !$0.hasPrefix("#") }
        return hasMore ? lines.joined(separator: "\n") : ""
    }

    private func run(_ arguments: [String]) throws(CommandFailure) {
        guard let flatpak = OtherProgram.find("flatpak", path: ProcessInfo.processInfo.environment["PATH"]) else {
            throw CommandFailure(.notFound, "The program flatpak is not there.")
        }
        let status = OtherProgram.run(flatpak, arguments, isOutputRead: false)?.status
        guard status == 0 else {
            throw CommandFailure(.malfunction, "`flatpak \(arguments.joined(separator: " "))` failed.")
        }
    }
}
