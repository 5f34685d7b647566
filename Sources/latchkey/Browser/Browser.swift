// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials

/// A browser of the Chromium family: what it is called and where its user's native messaging host manifests are.
enum Browser: String, CaseIterable, ExpressibleByArgument {
    case chromium, chrome, brave, vivaldi, edge

    var title: String {
        switch self {
        case .chromium: "Chromium"
        case .chrome: "Google Chrome"
        case .brave: "Brave"
        case .vivaldi: "Vivaldi"
        case .edge: "Microsoft Edge"
        }
    }

    /// Below the configuration folder of the user.
    private var folderName: String {
        switch self {
        case .chromium: "chromium"
        case .chrome: "google-chrome"
        case .brave: "BraveSoftware/Brave-Browser"
        case .vivaldi: "vivaldi"
        case .edge: "microsoft-edge"
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
        }
    }

    /// Where it keeps the user's profiles.
    func folder(_ places: BrowserPlaces) -> String { places.config + "/" + folderName }

    /// The page to load an unpacked extension on.
    var extensionsPage: String { "\(self == .chromium ? "chrome" : rawValue)://extensions" }

    func isFound(_ places: BrowserPlaces) -> Bool {
        ([folder(places)] + executables.map { places.root + $0 }).contains {
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
