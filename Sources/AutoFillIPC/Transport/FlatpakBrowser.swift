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

    /// The browser's own executable, by its path below the app's files, which are `/app` inside. A program that starts
    /// native messaging hosts runs it.
    public var executable: String {
        switch self {
        case .chromium: "chromium/chrome"
        case .chrome: "extra/chrome"
        case .brave: "brave/brave"
        case .vivaldi: "vivaldi/vivaldi-bin"
        case .edge: "extra/msedge"
        case .firefox: "lib/firefox/firefox"
        }
    }

    /// The folder of the socket that the daemon has for it, as `flatpak override --filesystem` names it. It can be read
    /// only: a socket in it can be connected to, and nothing else put there.
    public static let filesystem = "xdg-run/latchkey/browser:ro"
}
