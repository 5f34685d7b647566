// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import FoundationEssentials
import TerminalRendering

/// A browser: what it is called and where its user's native messaging host manifests are.
enum Browser: String, CaseIterable, ExpressibleByArgument {
    case chromium, chrome, brave, vivaldi, edge, firefox

    var family: BrowserFamily { self == .firefox ? .firefox : .chromium }

    var title: String {
        switch self {
        case .chromium: "Chromium"
        case .chrome: "Google Chrome"
        case .brave: "Brave"
        case .vivaldi: "Vivaldi"
        case .edge: "Microsoft Edge"
        case .firefox: "Firefox"
        }
    }

    /// Where it keeps the user's profiles and looks for manifests. Firefox looks for them in `~/.mozilla`, wherever its profiles are.
    func folder(_ places: BrowserPlaces) -> String {
        switch self {
        case .chromium: places.config + "/chromium"
        case .chrome: places.config + "/google-chrome"
        case .brave: places.config + "/BraveSoftware/Brave-Browser"
        case .vivaldi: places.config + "/vivaldi"
        case .edge: places.config + "/microsoft-edge"
        case .firefox: places.home + "/.mozilla"
        }
    }

    /// Where its packages put it.
    private var executables: [String] {
        switch self {
        case .chromium: ["/usr/bin/chromium", "/usr/bin/chromium-browser"]
        case .chrome: ["/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"]
        case .brave: ["/usr/bin/brave-browser", "/usr/bin/brave"]
        case .vivaldi: ["/usr/bin/vivaldi", "/usr/bin/vivaldi-stable"]
        case .edge: ["/usr/bin/microsoft-edge", "/usr/bin/microsoft-edge-stable"]
        case .firefox: ["/usr/bin/firefox", "/usr/bin/firefox-esr"]
        }
    }

    /// The page to load an unpacked extension on.
    var extensionsPage: String {
        switch self {
        case .chromium: "chrome://extensions"
        case .firefox: "about:debugging#/runtime/this-firefox"
        default: "\(rawValue)://extensions"
        }
    }

    func isFound(_ places: BrowserPlaces) -> Bool {
        // Other programs of Mozilla's have folders in `~/.mozilla`, and Firefox may have its profiles elsewhere.
        let profiles =
            self == .firefox
            ? [places.home + "/.mozilla/firefox", places.config + "/mozilla/firefox"] : [folder(places)]
        return (profiles + executables.map { places.root + $0 }).contains {
            FileManager.default.fileExists(atPath: $0)
        }
    }

    /// The same browser as a Flatpak.
    var flatpak: FlatpakBrowser {
        switch self {
        case .chromium: .chromium
        case .chrome: .chrome
        case .brave: .brave
        case .vivaldi: .vivaldi
        case .edge: .edge
        case .firefox: .firefox
        }
    }

    /// The folder of a copy of it that is a snap, which cannot start a program outside its sandbox by itself.
    func snap(_ places: BrowserPlaces) -> String? {
        let name: String? =
            switch self {
            case .chromium, .brave, .firefox: rawValue
            case .chrome, .vivaldi, .edge: nil
            }
        return name.map { places.home + "/snap/" + $0 }.flatMap { FilePath.isFolder($0) ? $0 : nil }
    }
}

/// The folders that matter to browsers; a test has others.
struct BrowserPlaces {
    let home: String
    /// `$XDG_CONFIG_HOME`, which Chromium heeds too.
    let config: String
    /// `$XDG_DATA_HOME`, where flatpak keeps what is the user's own.
    let data: String
    /// In front of the paths of programs; empty outside tests.
    var root = ""

    init(home: String, config: String, data: String? = nil, root: String = "") {
        self.home = home
        self.config = config
        self.data = data ?? home + "/.local/share"
        self.root = root
    }

    init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(CommandFailure) {
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw CommandFailure(.malfunction, "There is no home folder to work in.", hint: "Set HOME.")
        }
        func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        self.init(
            home: home, config: absolute("XDG_CONFIG_HOME") ?? home + "/.config", data: absolute("XDG_DATA_HOME"))
    }
}
