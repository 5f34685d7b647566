// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// The browsers whose word on origins counts: root-owned ones where distributions and vendors install them, and those that
/// the user added.
struct BrowserList: Sendable {
    /// Where the packages of Debian, Fedora, Arch, openSUSE and the vendors put the browser's own executable.
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

    /// A path alone proves nothing: on the built-in list the file has to be root's too, and be the one at that path here. In
    /// mounts of its own a process can have any of root's programs at any path.
    func knows(_ executable: PeerProcess.Executable) -> Bool {
        if added.contains(where: executable.isSameFile) { return true }
        return executable.isRootOwned && known.contains(executable.path)
            && PeerProcess.Executable(path: executable.path)?.isSameFile(as: executable) == true
    }
}
