// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// What a package of the distribution sets up for all users.
extension Browser {
    /// Where this browser looks for native messaging host manifests of all users, after the user's own; `nil` if that is not known.
    ///
    /// Brave and Vivaldi are made of Chromium, but whether they kept its folder has not been tried.
    func manifestOfAllUsers(_ places: BrowserPlaces) -> String? {
        let folder: String? =
            switch self {
            case .chromium: "/etc/chromium/native-messaging-hosts/"
            case .chrome: "/etc/opt/chrome/native-messaging-hosts/"
            case .edge: "/etc/opt/edge/native-messaging-hosts/"
            case .firefox: "/usr/lib/mozilla/native-messaging-hosts/"
            case .brave, .vivaldi: nil
            }
        return folder.map { places.root + $0 + HostManifest.fileName }
    }

    /// The folder from which this browser loads the extension by itself for all users, or `nil` if the user has to load it.
    ///
    /// Debian's Chromium loads each folder below `/usr/share/chromium/extensions`, because its file `/etc/chromium.d/extensions` says so.
    /// Debian's Firefox takes extensions without Mozilla's signature in the folder of the system; Mozilla's own builds do not.
    func extensionOfAllUsers(_ places: BrowserPlaces) -> String? {
        let (condition, folder): (String, String)
        switch self {
        case .chromium:
            (condition, folder) = ("/etc/chromium.d/extensions", "/usr/share/chromium/extensions/latchkey")
        case .firefox:
            (condition, folder) = (
                "/usr/bin/firefox-esr",
                "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/"
                    + ExtensionFolder.firefoxIdentifier
            )
        case .chrome, .brave, .vivaldi, .edge: return nil
        }
        let isThere = [condition, folder + "/manifest.json"].allSatisfy {
            FileManager.default.fileExists(atPath: places.root + $0)
        }
        return isThere ? folder : nil
    }

    /// What the user has to know of copies of this browser that Latchkey does not reach, and of the signature that stores give.
    func limits(_ places: BrowserPlaces) -> [String] {
        var limits: [String] = []
        if let snap = snap(places) {
            limits.append(
                "\(title) in \(snap) is a snap. It reaches Latchkey only where the desktop starts programs for it, as Ubuntu's does. "
                    + "Elsewhere use a \(title) from a package of the distribution or of its vendor, or its Flatpak.")
        }
        let flatpak = FlatpakSetup(self, places)
        if flatpak.isFound {
            limits.append(
                flatpak.refusal
                    ?? "For \(flatpak.title) see `latchkey browser status --flatpak --browser \(rawValue)`; "
                    + "`install` instead of `status` sets it up, and says first what it changes.")
        }
        if self == .firefox, isFound(places), extensionOfAllUsers(places) == nil {
            limits.append(
                "Firefox as Mozilla builds it, also as a snap, keeps only extensions with Mozilla's signature, which this one does not have. "
                    + "Use Debian's firefox-esr with the package webext-latchkey, "
                    + "or load the extension again after each start: `latchkey browser install --browser firefox` says how."
            )
        }
        return limits
    }
}
