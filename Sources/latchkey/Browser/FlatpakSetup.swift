// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import FoundationEssentials
import Glibc
import TerminalRendering

/// What lets a browser in a Flatpak reach Latchkey: its sandbox sees a folder with the daemon's socket for it and one with the host program
/// and the extension, both read-only; and the manifest of the host stands in the browser's own folder.
struct FlatpakSetup {
    let browser: Browser
    private let places: BrowserPlaces

    init(_ browser: Browser, _ places: BrowserPlaces) {
        self.browser = browser
        self.places = places
    }

    private var identifier: String { browser.flatpak.rawValue }
    /// The app's folder in the home, which the sandbox sees at the same path and can write.
    private var home: String { places.home + "/.var/app/" + identifier }
    /// What the sandboxes see read-only.
    private var folder: String { places.data + "/latchkey/flatpak" }

    var title: String { "\(browser.title) (Flatpak)" }
    var relay: String { folder + "/latchkey-browser-relay" }
    var extensionFolder: String { folder + (browser.family == .firefox ? "/FirefoxExtension" : "/BrowserExtension") }
    /// The folders from the app's own to the manifest's, which the sandbox may have put something else in place of.
    private var manifestFolders: [String] {
        let inside = BrowserPlaces(home: "", config: "/config")
        let path = HostManifest.path(in: browser.folder(inside), family: browser.family)
        return path.split(separator: "/").dropLast().map(String.init)
    }
    var manifest: String { home + "/" + (manifestFolders + [HostManifest.fileName]).joined(separator: "/") }

    private var isForAll: Bool { FilePath.isFolder(places.root + "/var/lib/flatpak/app/" + identifier) }
    private var isOfUser: Bool { FilePath.isFolder(places.data + "/flatpak/app/" + identifier) }

    /// Whether the browser is installed, or was used.
    var isFound: Bool { isForAll || isOfUser || FilePath.isFolder(home) }

    /// Why Latchkey would not believe this browser; `nil` if it would.
    var refusal: String? {
        guard isOfUser else { return nil }
        return "\(browser.title) is installed as a Flatpak for you alone, so any program of yours can change it, "
            + "and Latchkey does not believe it. Have one for all users instead: "
            + "`flatpak uninstall --user \(identifier)`, then `flatpak install --system \(identifier)`."
    }

    /// What `install` changes, for the user to read before.
    var plan: [String] {
        [
            "\(title), \(identifier):",
            "  Its sandbox will see two more folders, read-only:",
            "    \(FlatpakBrowser.filesystems[0]), with a socket at which it can ask what pages are filled with;",
            "    \(FlatpakBrowser.filesystems[1]), with a program and the extension.",
            "  A program that runs in that sandbox and takes over the browser can ask the same.",
            "  This will be written into its own folder: \(manifest)",
        ].map { TerminalText.escaped($0) }
    }

    /// - Parameters:
    ///   - program: Latchkey's own `latchkey-browser-relay`.
    ///   - extension: the extension, of which the sandbox gets a copy: it does not see the folders of the system.
    func install(program: String, extension source: ExtensionFolder) throws(CommandFailure) {
        guard let bytes = FileManager.default.contents(atPath: program) else {
            throw CommandFailure(.notFound, "\(program) cannot be read.")
        }
        guard try flatpak(["info", "--system", identifier]) == 0 else {
            throw CommandFailure(.notFound, "\(browser.title) is not installed as a Flatpak for all users.")
        }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try AtomicFile.write([UInt8](bytes), to: relay, mode: 0o700)
            if FilePath.isFolder(extensionFolder) { try FileManager.default.removeItem(atPath: extensionFolder) }
            if let original = original(of: source) {
                try FileManager.default.copyItem(atPath: original, toPath: extensionFolder)
            }
        } catch {
            throw CommandFailure(.storage, "\(folder) cannot be written.")
        }
        let own = try SandboxFolder(manifestFolders, below: home, isMade: true)
        try own?.write(hostManifest(source.identifier).bytes, to: HostManifest.fileName)
        // Last: what the sandbox sees then is whole.
        let folders = FlatpakBrowser.filesystems.map { "--filesystem=" + $0 }
        guard try flatpak(["override", "--user"] + folders + [identifier]) == 0 else {
            throw CommandFailure(.malfunction, "`flatpak override` failed.")
        }
    }

    /// Takes back what `install` did, and nothing else.
    ///
    /// - Parameter removed: Called with what is gone.
    func uninstall(_ removed: (String) -> Void) throws(CommandFailure) {
        let overrides = FlatpakOverrides(identifier, places)
        // First: nothing that the sandbox does can keep this from being taken back.
        if try overrides.remove(FlatpakBrowser.filesystems) {
            removed("Latchkey's folders of \(overrides.path)")
        }
        let others = FlatpakBrowser.allCases.map { FlatpakOverrides($0.rawValue, places) }
        if FilePath.isFolder(folder), !others.contains(where: { $0.holdsAny(of: FlatpakBrowser.filesystems) }) {
            do { try FileManager.default.removeItem(atPath: folder) } catch {
                throw CommandFailure(.storage, "\(folder) cannot be removed.")
            }
            removed(folder)
        }
        let own = try SandboxFolder(manifestFolders, below: home, isMade: false)
        if let own, let bytes = own.read(HostManifest.fileName, atMost: Self.sizeLimit), HostManifest.isOurs(bytes) {
            try own.remove(HostManifest.fileName)
            removed(manifest)
        }
    }

    /// What is wrong with the setup; `nil` when all is as it should be.
    func fault(program: String, extension source: ExtensionFolder) -> String? {
        if let refusal { return refusal }
        if !FlatpakOverrides(identifier, places).holdsAll(of: FlatpakBrowser.filesystems) {
            return "its sandbox does not see Latchkey's folders"
        }
        let files = FileManager.default
        if files.contents(atPath: relay) != files.contents(atPath: program) {
            return "\(relay) is not this Latchkey's"
        }
        let copied = files.contents(atPath: extensionFolder + "/manifest.json")
        if copied == nil || copied != original(of: source).flatMap({ files.contents(atPath: $0 + "/manifest.json") }) {
            return "\(extensionFolder) is not this Latchkey's extension"
        }
        let own = try? SandboxFolder(manifestFolders, below: home, isMade: false)
        return hostManifest(source.identifier).fault(of: own?.read(HostManifest.fileName, atMost: Self.sizeLimit))
    }

    /// The extension's own folder; packages have a link there. In a checkout the one for Firefox may not have been made yet.
    private func original(of source: ExtensionFolder) -> String? {
        let folder = browser.family == .firefox ? source.firefox : source.path
        return folder.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
    }

    private func hostManifest(_ identifier: String) -> HostManifest {
        HostManifest(program: relay, extensionIdentifier: identifier, family: browser.family)
    }

    /// Of a manifest, in bytes.
    private static let sizeLimit = 1 << 16

    /// The exit status of a command of flatpak's.
    private func flatpak(_ arguments: [String]) throws(CommandFailure) -> Int32? {
        guard let flatpak = OtherProgram.find("flatpak", path: ProcessInfo.processInfo.environment["PATH"]) else {
            throw CommandFailure(.notFound, "The program flatpak is not there.")
        }
        return OtherProgram.run(flatpak, arguments, isOutputRead: false)?.status
    }
}
