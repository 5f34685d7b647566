// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import FoundationEssentials
import Glibc
import TerminalRendering

/// `latchkey browser install|uninstall|status|trust|untrust`
struct BrowserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browser",
        abstract: "Connect browsers to Latchkey.",
        subcommands: [
            BrowserInstallCommand.self, BrowserUninstallCommand.self, BrowserStatusCommand.self,
            BrowserTrustCommand.self, BrowserUntrustCommand.self,
        ]
    )
}

/// Which browsers a command is about.
struct BrowserSelection: ParsableArguments {
    @Option(help: "Only this browser; without it, every one that is found.") var browser: Browser?
    @Option(
        help: "A user data folder (--user-data-dir) of a browser of the Chromium family, instead of the usual ones.",
        completion: .directory)
    var profile: String?
    @Flag(help: "Browsers in a Flatpak, instead of those outside of a sandbox.") var flatpak = false

    /// A place for a manifest.
    struct Place {
        let browser: Browser?
        let title: String
        /// The user's own.
        let manifest: String
        /// The one of all users, where this browser is known to look for it.
        var ofAllUsers: String?

        var family: BrowserFamily { browser?.family ?? .chromium }

        /// The manifest that counts: the user's own if it is there, because browsers look for it first.
        var effective: String {
            let files = FileManager.default
            guard !files.fileExists(atPath: manifest), let ofAllUsers, files.fileExists(atPath: ofAllUsers) else {
                return manifest
            }
            return ofAllUsers
        }
    }

    func validate() throws {
        if browser == .firefox, profile != nil {
            throw ValidationError("Firefox looks for manifests in ~/.mozilla alone, so --profile is not for it.")
        }
        if flatpak, profile != nil {
            throw ValidationError("A Flatpak has its folders at places of their own, so --profile is not for it.")
        }
    }

    static func manifest(of browser: Browser, _ places: BrowserPlaces) -> String {
        HostManifest.path(in: browser.folder(places), family: browser.family)
    }

    /// Says what the user has to know of the browsers that Latchkey cannot set up.
    func noteLimits(_ places: BrowserPlaces) {
        for browser in browser.map({ [$0] }) ?? Browser.allCases {
            for limit in browser.limits(places) { Output.note(limit) }
        }
        guard browser == nil else { return }
        for other in UnservedBrowser.found(places) { Output.note(other.limit(places)) }
    }

    /// The Flatpaks of every browser found, or of the one that is named, found or not.
    func flatpaks(_ places: BrowserPlaces) throws(CommandFailure) -> [FlatpakSetup] {
        if let browser { return [FlatpakSetup(browser, places)] }
        let found = Browser.allCases.map { FlatpakSetup($0, places) }.filter(\.isFound)
        guard !found.isEmpty else {
            throw CommandFailure(
                .notFound, "No browser was found that is a Flatpak.", hint: "Name one with --browser.")
        }
        return found
    }

    /// The places of every browser found, or of the one that is named, found or not.
    func places(_ places: BrowserPlaces) -> [Place] {
        if let profile {
            let folder = FilePath.absolute(profile)
            return [
                Place(
                    browser: browser, title: browser?.title ?? folder, manifest: HostManifest.path(in: folder),
                    ofAllUsers: browser?.manifestOfAllUsers(places))
            ]
        }
        return Self.places(of: browser, places)
    }

    /// Those of one browser, found or not, or of every one that is found; and of their channels that are found.
    static func places(of named: Browser?, _ places: BrowserPlaces) -> [Place] {
        (named.map { [$0] } ?? Browser.allCases).flatMap { browser in
            let channels = browser.channels(places).filter { $0.isFound(places) }.map { channel in
                Place(
                    browser: browser, title: channel.title,
                    manifest: HostManifest.path(in: channel.folder, family: browser.family),
                    ofAllUsers: browser.manifestOfAllUsers(places))
            }
            guard named != nil || browser.isFound(places) else { return channels }
            let own = Place(
                browser: browser, title: browser.title, manifest: manifest(of: browser, places),
                ofAllUsers: browser.manifestOfAllUsers(places))
            return [own] + channels
        }
    }
}

/// `latchkey browser install`
struct BrowserInstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Let the browsers found start Latchkey, and say how to load the extension.",
        discussion: """
            A program may register the native messaging host; an extension that is in no store a person has to load. \
            (A file of external extensions helps only for extensions of a store.)

            With --flatpak the sandbox of a browser gets to see two more folders, one with a socket of latchkeyd's. It says what \
            it changes, and asks.
            """
    )

    @OptionGroup var selection: BrowserSelection
    @Flag(help: "Do not ask, with --flatpak; for scripts. What is changed is printed all the same.") var yes = false

    func run() throws {
        if selection.flatpak { return try installInFlatpaks() }
        let places = try BrowserPlaces()
        let folder = try ExtensionFolder.find(programFolder: DaemonConnector.programFolder)
        let program = DaemonConnector.programFolder + "/latchkey-browser-host"
        guard access(program, X_OK) == 0 else {
            throw CommandFailure(
                .notFound, "\(program) is not there or cannot be executed.",
                hint: "It has to be in the same folder as latchkey.")
        }
        let found = selection.places(places)
        if found.isEmpty { selection.noteLimits(places) }
        guard !found.isEmpty else {
            throw CommandFailure(
                .notFound, "Neither a browser of the Chromium family nor Firefox was found.",
                hint: "Name one with --browser, or a user data folder with --profile.")
        }
        for place in found {
            let manifest = HostManifest(
                program: program, extensionIdentifier: folder.identifier, family: place.family)
            if place.effective != place.manifest, manifest.fault(at: place.effective) == nil {
                Output.line("\(place.title): set up for all users by \(TerminalText.escaped(place.effective))")
                continue
            }
            try manifest.write(to: place.manifest)
            Output.line("\(place.title): wrote \(TerminalText.escaped(place.manifest))")
        }
        for place in found {
            guard let loaded = place.browser?.extensionOfAllUsers(places) else { continue }
            Output.line("\(place.title) loads the extension from \(TerminalText.escaped(loaded)) when it starts next.")
        }
        let byHand = found.filter { $0.browser?.extensionOfAllUsers(places) == nil }
        let chromiums = byHand.filter { $0.family == .chromium }
        if !chromiums.isEmpty {
            let page = (chromiums.count == 1 ? chromiums[0].browser : nil)?.extensionsPage ?? "chrome://extensions"
            for line in Self.steps(page: page, folder: folder.path) { Output.line(TerminalText.escaped(line)) }
        }
        if byHand.count > chromiums.count {
            for line in Self.stepsInFirefox(folder: folder.firefox) { Output.line(TerminalText.escaped(line)) }
        }
        selection.noteLimits(places)
    }

    private func installInFlatpaks() throws {
        let folder = try ExtensionFolder.find(programFolder: DaemonConnector.programFolder)
        let all = try selection.flatpaks(BrowserPlaces())
        let found = all.filter { $0.refusal == nil }
        for refusal in all.compactMap(\.refusal) {
            guard !found.isEmpty else { throw CommandFailure(.refused, refusal) }
            Output.note(refusal)
        }
        let lines = found.flatMap(\.plan)
        if yes {
            for line in lines { Output.error(line + "\n") }
        } else {
            let isWanted = try TerminalQuestion.confirm(lines, "Do this?", insteadOfAsking: "--yes")
            guard isWanted else { throw CommandFailure(.canceled, "Nothing was changed.") }
        }
        // Its socket has to be there before the browser starts.
        if let directories = Directories(environment: ProcessInfo.processInfo.environment) {
            try DaemonConnector.connectOrStart(directories).close()
        }
        for setup in found {
            try setup.install(program: DaemonConnector.programFolder + "/latchkey-browser-relay", extension: folder)
            Output.line("\(setup.title): wrote \(TerminalText.escaped(setup.manifest))")
            let copy = setup.extensionFolder
            let steps =
                setup.browser.family == .firefox
                ? Self.stepsInFirefox(folder: folder.firefox == nil ? nil : copy)
                : Self.steps(page: setup.browser.extensionsPage, folder: copy)
            for line in ["", "End the browser and start it again."] + steps { Output.line(TerminalText.escaped(line)) }
        }
    }

    static func steps(page: String, folder: String) -> [String] {
        [
            "", "Now load the extension, once for each browser:",
            "  1. Open \(page)",
            "  2. Turn on \"Developer mode\", at the top right.",
            "  3. Press \"Load unpacked\" and choose the folder",
            "     \(folder)",
            "  4. Open a sign-in page. If nothing appears, `latchkey browser status` says what is missing.",
        ]
    }

    /// - Parameter folder: the extension as Firefox loads it, or `nil` where it has not been made.
    static func stepsInFirefox(folder: String?) -> [String] {
        guard let folder else {
            return [
                "",
                "The extension for Firefox is not beside this program. In a checkout scripts/make-firefox-extension makes it.",
            ]
        }
        return [
            "", "Now load the extension in Firefox, once after each start of it:",
            "  1. Open \(Browser.firefox.extensionsPage)",
            "  2. Press \"Load Temporary Add-on…\" and choose the file",
            "     \(folder)/manifest.json",
            "  3. Open a sign-in page. If nothing appears, `latchkey browser status` says what is missing.",
        ]
    }
}

/// `latchkey browser uninstall`
struct BrowserUninstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Remove the files that `browser install` wrote, and nothing else.")

    @OptionGroup var selection: BrowserSelection

    func run() throws {
        // Also where the browser itself is gone by now.
        let places = try BrowserPlaces()
        if selection.flatpak {
            var failure: CommandFailure?
            // One whose sandbox is in the way does not keep the access of the others.
            for browser in selection.browser.map({ [$0] }) ?? Browser.allCases {
                do throws(CommandFailure) {
                    try FlatpakSetup(browser, places).uninstall { Output.line("Removed \(TerminalText.escaped($0))") }
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
            return Output.note("A browser that runs keeps what it sees until it ends.")
        }
        let all = Browser.allCases.map { BrowserSelection.manifest(of: $0, places) }
        let isNamed = selection.browser != nil || selection.profile != nil
        let paths = isNamed ? selection.places(places).map(\.manifest) : all
        for path in paths where FileManager.default.fileExists(atPath: path) {
            guard HostManifest.isOurs(at: path) else {
                Output.note("\(path) is not Latchkey's and was left alone.")
                continue
            }
            guard unlink(path) == 0 else {
                throw CommandFailure(.storage, "\(path) cannot be removed: \(String(cString: strerror(errno))).")
            }
            Output.line("Removed \(TerminalText.escaped(path))")
        }
        Output.note("The extension itself is removed in the browser, on chrome://extensions or about:addons.")
    }
}
