// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// The browsers that are trusted to state origins. They are root-owned ones at the paths of distributions and vendors, and those that the
/// user added.
struct BrowserList: Sendable {
    /// The paths at which packages of Debian, Fedora, Arch, openSUSE and the vendors install the browser's own executable.
    private static let builtIn: Set<String> = [
        "/usr/lib/chromium/chromium", "/usr/lib64/chromium-browser/chromium-browser",
        "/usr/lib/chromium-browser/chromium-browser", "/usr/lib64/chromium/chromium",
        "/opt/google/chrome/chrome", "/opt/google/chrome-beta/chrome", "/opt/google/chrome-unstable/chrome",
        "/opt/brave.com/brave/brave", "/opt/brave.com/brave-beta/brave", "/opt/brave.com/brave-nightly/brave",
        "/opt/vivaldi/vivaldi-bin", "/opt/vivaldi-snapshot/vivaldi-bin",
        "/opt/microsoft/msedge/msedge", "/opt/microsoft/msedge-beta/msedge", "/opt/microsoft/msedge-dev/msedge",
        "/usr/lib/firefox/firefox", "/usr/lib/firefox-esr/firefox-esr", "/usr/lib64/firefox/firefox",
    ]

    private let added: [PeerProcess.Executable]
    private let known: Set<String>

    init(added paths: [String], known: Set<String> = Self.builtIn) {
        added = paths.compactMap { .init(path: $0) }
        self.known = known
    }

    /// Whether an executable is one of these browsers. A path alone proves nothing: a process with its own mounts can have any program of
    /// root's at any path. So a browser of the built-in list must be root's and be the very file at that path here.
    func knows(_ executable: PeerProcess.Executable) -> Bool {
        if added.contains(where: executable.isSameFile) { return true }
        return executable.isRootOwned && known.contains(executable.path)
            && PeerProcess.Executable(path: executable.path)?.isSameFile(as: executable) == true
    }
}
