// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel

/// The preferences as rows. What protects less takes the passphrase, which the daemon demands.
@DesktopActor struct PreferenceRows {
    let groups: [Widget]

    /// - Parameter change: Called with what the user changes.
    init(
        _ preferences: Preferences, _ context: PageContext, redraw: @escaping @DesktopActor () -> Void,
        change: @escaping @DesktopActor (PreferenceChanges) -> Void
    ) {
        let asking = Widgets.group("Asking")
        let words = ["always", "after", "never"]
        let choices = ["Each time", "After some minutes", "Never"]
        let fills = preferences.fills ?? preferences.authentication
        Widgets.add(
            Widgets.choiceRow(
                "Ask for the Passphrase Before a Fill", choices, chosen: words.firstIndex(of: fills) ?? 0
            ) { change(PreferenceChanges(fills: words[$0])) }, to: asking)
        Widgets.add(
            Widgets.choiceRow(
                "Ask for It Before Showing or Copying", choices,
                chosen: words.firstIndex(of: preferences.authentication) ?? 0
            ) { change(PreferenceChanges(authentication: words[$0])) }, to: asking)
        if [preferences.authentication, fills].contains("after") {
            Widgets.add(
                Self.minutes(
                    "The Passphrase Counts For", [1, 5, 15, 60, 240], preferences.authenticationMinutes, never: false
                ) { change(PreferenceChanges(authenticationMinutes: $0)) }, to: asking)
        }
        Widgets.add(
            Widgets.switchRow(
                "Fingerprint", "A finger answers in place of the passphrase", isOn: preferences.fingerprint == true
            ) { change(PreferenceChanges(fingerprint: $0)) }, to: asking)

        let locking = Widgets.group("Locking")
        Widgets.add(
            Self.minutes("Lock When Idle For", [0, 5, 15, 60, 240], preferences.idleMinutes, never: true) {
                change(PreferenceChanges(idleMinutes: $0))
            }, to: locking)
        Widgets.add(
            Widgets.switchRow("Lock When the Computer Sleeps", isOn: preferences.lockOnSuspend) {
                change(PreferenceChanges(lockOnSuspend: $0))
            }, to: locking)
        Widgets.add(
            Widgets.switchRow("Lock With the Screen", isOn: preferences.lockOnScreenLock) {
                change(PreferenceChanges(lockOnScreenLock: $0))
            }, to: locking)

        Widgets.add(
            Widgets.switchRow(
                "Come Back Locked", "At a lock this window is opened anew, and asks for the passphrase.",
                isOn: context.settings.returnsAtLock
            ) { isOn in
                do {
                    try context.settings.setReturnsAtLock(isOn)
                } catch {
                    context.say("It could not be written.")
                    redraw()
                }
            }, to: locking)

        let git = Widgets.group("Git")
        let saving = ["ask", "always", "never"]
        Widgets.add(
            Widgets.choiceRow(
                "Save What Git Signs In With", ["Ask", "Always", "Never"],
                chosen: saving.firstIndex(of: preferences.gitSave ?? "ask") ?? 0
            ) { change(PreferenceChanges(gitSave: saving[$0])) }, to: git)
        let desktop = Widgets.group("Desktop")
        Widgets.add(
            Widgets.switchRow(
                "Show Accounts in the Desktop's Search",
                "GNOME Shell finds sites and user names, never a password, while Latchkey is unlocked. "
                    + "Its extensions see what it finds.",
                isOn: preferences.shellSearch == true
            ) { change(PreferenceChanges(shellSearch: $0)) }, to: desktop)
        groups = [asking, locking, git, desktop]
    }

    /// A choice of minutes; a value that is none of the choices is one more.
    private static func minutes(
        _ title: String, _ usual: [Int], _ now: Int, never: Bool, _ change: @escaping @DesktopActor (Int) -> Void
    ) -> Widget {
        let choices = Set(usual + [now]).sorted()
        let texts = choices.map { minutes in
            if minutes == 0 && never { return "Never" }
            return minutes == 1 ? "1 minute" : "\(minutes) minutes"
        }
        return Widgets.choiceRow(title, texts, chosen: choices.firstIndex(of: now) ?? 0) { change(choices[$0]) }
    }
}
