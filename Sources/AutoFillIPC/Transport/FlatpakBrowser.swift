// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A browser that Flatpak runs in a sandbox, where it cannot start a program outside; by its application ID.
public enum FlatpakBrowser: String, CaseIterable, Sendable {
    case chromium = "org.chromium.Chromium"
    case chrome = "com.google.Chrome"
    case brave = "com.brave.Browser"
    case vivaldi = "com.vivaldi.Vivaldi"
    case edge = "com.microsoft.Edge"
    case firefox = "org.mozilla.firefox"

    /// The executable that starts native messaging hosts, by its path below the app's files, which are `/app` inside.
    public var executable: String {
        switch self {
        case .chromium: "chromium/chrome"
        case .chrome: "extra/chrome"
        case .brave: "brave/brave"
        case .vivaldi: "vivaldi/vivaldi"
        case .edge: "extra/msedge"
        case .firefox: "lib/firefox/firefox"
        }
    }

    /// What its sandbox gets to see, as `flatpak override --filesystem` names it: the folder of the daemon's socket for
    /// it, and one with the host program and the extension. Both can be read only; that suffices to connect to a socket.
    public static let filesystems = ["xdg-run/latchkey/browser:ro", "xdg-data/latchkey/flatpak:ro"]
}
