// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
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

    /// A copy in a sandbox of its own, which cannot start a program outside it.
    func sandboxed(_ places: BrowserPlaces) -> String? {
        let names: [String] =
            switch self {
            case .chromium: [".var/app/org.chromium.Chromium", "snap/chromium"]
            case .chrome: [".var/app/com.google.Chrome"]
            case .brave: [".var/app/com.brave.Browser", "snap/brave"]
            case .vivaldi: [".var/app/com.vivaldi.Vivaldi", "snap/vivaldi"]
            case .edge: [".var/app/com.microsoft.Edge"]
            case .firefox: [".var/app/org.mozilla.firefox", "snap/firefox"]
            }
        return names.map { places.home + "/" + $0 }.first { FileManager.default.fileExists(atPath: $0) }
    }
}

/// The folders that matter to browsers; a test has others.
struct BrowserPlaces {
    let home: String
    /// `$XDG_CONFIG_HOME`, which Chromium heeds too.
    let config: String
    /// In front of the paths of programs; empty outside tests.
    var root = ""

    init(home: String, config: String, root: String = "") {
        self.home = home
        self.config = config
        self.root = root
    }

    init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(CommandFailure) {
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw CommandFailure(.malfunction, "There is no home folder to work in.", hint: "Set HOME.")
        }
        let config = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        self.init(home: home, config: config ?? home + "/.config")
    }
}
