// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A channel of a browser, such as its beta: a program and a folder of its own, and everything else as the browser has it.
struct BrowserChannel {
    let title: String
    /// The folder of the user's profiles and of its native messaging host manifests.
    let folder: String
    /// The path at which its package installs the program.
    let executable: String

    func isFound(_ places: BrowserPlaces) -> Bool {
        [folder, places.root + executable].contains { FileManager.default.fileExists(atPath: $0) }
    }
}

extension Browser {
    /// The channels that have a folder of their own. `latchkeyd` believes their programs at their packages' paths.
    func channels(_ places: BrowserPlaces) -> [BrowserChannel] {
        func channel(_ name: String, _ folder: String, _ program: String) -> BrowserChannel {
            BrowserChannel(
                title: "\(title) \(name)", folder: places.config + "/" + folder, executable: "/usr/bin/" + program)
        }
        return switch self {
        case .chromium, .firefox: []
        case .chrome:
            [
                channel("Beta", "google-chrome-beta", "google-chrome-beta"),
                channel("Unstable", "google-chrome-unstable", "google-chrome-unstable"),
            ]
        case .brave:
            [
                channel("Beta", "BraveSoftware/Brave-Browser-Beta", "brave-browser-beta"),
                channel("Nightly", "BraveSoftware/Brave-Browser-Nightly", "brave-browser-nightly"),
            ]
        case .vivaldi: [channel("Snapshot", "vivaldi-snapshot", "vivaldi-snapshot")]
        case .edge:
            [
                channel("Beta", "microsoft-edge-beta", "microsoft-edge-beta"),
                channel("Dev", "microsoft-edge-dev", "microsoft-edge-dev"),
            ]
        }
    }
}

/// A browser that is made of Firefox or Chromium and goes by another name. Latchkey has not been tried with it and does not set it up.
enum UnservedBrowser: String, CaseIterable {
    case librewolf = "LibreWolf"
    case floorp = "Floorp"
    case waterfox = "Waterfox"
    case mullvad = "Mullvad Browser"
    case zen = "Zen"
    case ungoogled = "Ungoogled Chromium"
    case opera = "Opera"

    private var isFirefox: Bool { self != .ungoogled && self != .opera }

    /// Its program's usual name, and its folder.
    private var signs: (program: String, folder: (BrowserPlaces) -> String?) {
        switch self {
        case .librewolf: ("librewolf", { $0.home + "/.librewolf" })
        case .floorp: ("floorp", { $0.home + "/.floorp" })
        case .waterfox: ("waterfox", { $0.home + "/.waterfox" })
        case .mullvad: ("mullvad-browser", { $0.home + "/.mullvad-browser" })
        case .zen: ("zen-browser", { $0.home + "/.zen" })
        // Its profiles are in Chromium's folder.
        case .ungoogled: ("ungoogled-chromium", { _ in nil })
        case .opera: ("opera", { $0.config + "/opera" })
        }
    }

    /// The folder or the program by which it was found; `nil` where it is not here.
    private func place(_ places: BrowserPlaces) -> String? {
        let paths = [places.root + "/usr/bin/" + signs.program, signs.folder(places)].compactMap(\.self)
        return paths.first { FileManager.default.fileExists(atPath: $0) }
    }

    /// Those that are here.
    static func found(_ places: BrowserPlaces) -> [UnservedBrowser] { allCases.filter { $0.place(places) != nil } }

    /// Says that the browser is not served, and how the user can try it.
    func limit(_ places: BrowserPlaces) -> String {
        let (relative, option) = isFirefox ? ("Firefox", "firefox") : ("Chromium", "chromium")
        let start =
            "\(rawValue) (\(place(places) ?? signs.program)) is not served: Latchkey has not been tried with it. Use \(relative)"
        guard isFirefox, let folder = signs.folder(places) else {
            return start
                + ", or run `latchkey browser trust PATH` with the path of its own executable, and load the extension as in Chromium."
        }
        return start
            + ", or try it: `latchkey browser install --browser \(option)`, copy the manifest that it writes to "
            + "\(folder)/native-messaging-hosts/, run `latchkey browser trust PATH` with the path of its own executable, "
            + "and load the extension as in Firefox."
    }
}
