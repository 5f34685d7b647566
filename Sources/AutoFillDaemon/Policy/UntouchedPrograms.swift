// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets

/// Native programs in whose windows nothing is ever offered, with the reasons.
///
/// A name is enough to be refused, and never enough to be admitted, so a program gains nothing by taking one of these names.
enum UntouchedPrograms {
    /// The reason why nothing is offered in a program, or `nil` if it is on no list.
    ///
    /// - Parameter folder: The folder of the daemon and of the programs that belong to it.
    static func reason(_ executable: String, ownFolder folder: String) -> String? {
        if executable.isBelow(folder) { return "it is Latchkey's own" }
        let name = executable.lastPathPart.lowercased()
        return byName[name] ?? prefixes.first { name.hasPrefix($0.prefix) }?.reason
    }

    static let browser = "it is a browser: its extension knows which site asks, a window does not"
    private static let trusted = "it asks for a password of this computer, which no program may fill"
    private static let manager = "it is a password manager: what opens it is for you to type"
    private static let terminal = "it is a terminal: a password typed there may be seen by every program in it"
    private static let content = "it shows pages for another program, and does not say for which"
    private static let drawing = "it draws whatever a file of somebody else says"
    private static let proxy = "it passes on for a program in a sandbox, and does not say for which"

    private static let byName: [String: String] = {
        var reasons: [String: String] = [:]
        let lists: [(String, [String])] = [
            (
                browser,
                [
                    "chromium", "chromium-browser", "chrome", "google-chrome", "brave", "brave-browser", "vivaldi-bin",
                    "vivaldi", "msedge", "opera", "firefox", "firefox-esr", "firefox-bin", "librewolf", "waterfox",
                    "epiphany", "epiphany-browser", "falkon", "konqueror", "midori", "qutebrowser", "seamonkey",
                    "palemoon", "surf", "dillo", "netsurf-gtk3", "tor-browser", "mullvad-browser", "firefox.real",
                    "mullvadbrowser.real", "floorp",
                    "zen", "zen-bin", "icecat", "basilisk", "thorium", "thorium-browser", "yandex_browser",
                    "iridium-browser", "ungoogled-chromium", "luakit", "vimb", "nyxt", "angelfish", "otter-browser",
                    "minibrowser",
                ]
            ),
            (
                trusted,
                [
                    "gcr-prompter", "gcr4-ssh-askpass", "gcr-ssh-askpass", "ssh-askpass", "gnome-ssh-askpass",
                    "gnome-ssh-askpass3", "ksshaskpass", "lxqt-openssh-askpass", "x11-ssh-askpass",
                    "polkit-gnome-authentication-agent-1", "polkit-kde-authentication-agent-1",
                    "polkit-mate-authentication-agent-1", "polkit-agent-helper-1", "lxpolkit", "lxqt-policykit-agent",
                    "xfce-polkit", "mate-polkit", "ukui-polkit", "deepin-polkit-agent", "hyprpolkitagent",
                    "gnome-shell", "gnome-screensaver", "gnome-screensaver-dialog", "mate-screensaver",
                    "mate-screensaver-dialog", "cinnamon-screensaver", "xfce4-screensaver", "xfce4-screensaver-dialog",
                    "xscreensaver", "xscreensaver-auth", "xscreensaver-gfx", "light-locker", "kscreenlocker_greet",
                    "i3lock", "swaylock", "slock", "xlock", "xsecurelock", "gtklock", "hyprlock", "waylock",
                    "lightdm", "lightdm-gtk-greeter", "slick-greeter", "unity-greeter", "sddm-greeter",
                    "sddm-greeter-qt6", "gdm-session-worker", "regreet", "gtkgreet", "lxdm-greeter-gtk", "pkexec",
                    "gksu", "kdesu", "kdesud", "lxqt-sudo", "lxsu", "ktsuss", "cryptkeeper", "gnome-disks",
                    "gnome-control-center", "systemsettings", "gnome-initial-setup",
                    "budgie-polkit-dialog", "io.elementary.desktop.agent-polkit",
                    "phosh", "cosmic-osd", "enlightenment", "plasmashell", "veracrypt", "zulucrypt-gui", "sirikali",
                ]
            ),
            (
                manager,
                [
                    "keepassxc", "keepass", "keepass2", "keepassx", "kpcli", "bitwarden", "1password", "enpass",
                    "lastpass", "dashlane", "proton-pass", "nordpass", "secrets", "gnome-secrets", "passwordsafe",
                    "pwsafe", "revelation", "seahorse", "kwalletd5", "kwalletd6", "kwalletmanager5", "kwalletmanager",
                    "qtpass", "buttercup", "authenticator", "figaro-password-manager2", "gpa", "kleopatra",
                    "bitwarden-app", "keeweb", "authpass", "ksecretd",
                ]
            ),
            (
                terminal,
                [
                    "gnome-terminal", "gnome-terminal-server", "kgx", "gnome-console", "ptyxis", "ptyxis-agent",
                    "konsole", "yakuake", "xterm", "uxterm", "urxvt", "rxvt", "xfce4-terminal", "mate-terminal",
                    "lxterminal", "qterminal", "terminator", "tilix", "tilda", "guake", "kitty", "alacritty", "foot",
                    "footclient", "wezterm", "wezterm-gui", "st", "sakura", "terminology", "deepin-terminal",
                    "cool-retro-term", "ghostty", "emacs", "vim", "gvim", "nvim",
                ]
            ),
            (content, ["WebKitWebProcess", "WebKitNetworkProcess", "QtWebEngineProcess", "WebExtensions"]),
            (proxy, ["xdg-dbus-proxy"]),
            (drawing, ["qml", "qml6", "qmlscene", "gtk-builder-tool", "gtk4-builder-tool"]),
        ]
        for (reason, names) in lists {
            for name in names { reasons[name.lowercased()] = reason }
        }
        return reasons
    }()

    private static let prefixes: [(prefix: String, reason: String)] = [
        ("pinentry", trusted), ("latchkey", "it is Latchkey's own"),
    ]
}
