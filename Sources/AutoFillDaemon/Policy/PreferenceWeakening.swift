// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// Which changes of preferences make anything weaker (the table in section 6 of `docs/protocol.md`).
enum PreferenceWeakening {
    /// The settings that become weaker, in the words of the audit log; empty if all stay as strict or become stricter.
    ///
    /// `autoFill` is neutral: off fills nothing, on fills by the same rules as ever.
    static func weakened(from old: Preferences, to new: Preferences) -> [String] {
        changes(from: old, to: new).map { "\($0.name): \($0.old) to \($0.new)" }
    }

    /// The same as sentences for a question, in the words of the settings page.
    static func sentences(from old: Preferences, to new: Preferences) -> [String] {
        changes(from: old, to: new).map { change in
            "\(labels[change.name] ?? change.name): now \(words[change.old] ?? change.old), afterwards \(words[change.new] ?? change.new)."
        }
    }

    /// The default of each setting that can protect less than that, as a change of its own.
    static let strengthening: [PreferenceChanges] = {
        let defaults = PreferencesFile.defaults
        return [
            .init(
                authentication: defaults.authentication, authenticationMinutes: defaults.authenticationMinutes),
            .init(idleMinutes: defaults.idleMinutes), .init(lockOnSuspend: true), .init(lockOnScreenLock: true),
            .init(providerSeconds: defaults.providerSeconds), .init(gitSave: defaults.gitSave),
            .init(gitMinutes: defaults.gitMinutes), .init(codeSeconds: defaults.codeSeconds),
            .init(codeMaildir: ""), .init(breachRanges: false), .init(fingerprint: false), .init(shellSearch: false),
        ]
    }()

    /// Whether some preferences protect more than others, and nowhere less.
    static func isStronger(_ new: Preferences, than old: Preferences) -> Bool {
        changes(from: old, to: new).isEmpty && !changes(from: new, to: old).isEmpty
    }

    /// What the settings page calls what the audit log names.
    private static let labels = [
        "authentication": "Ask again before showing or copying",
        "fills": "Ask again before filling",
        "minutes of authentication": "The passphrase counts for",
        "idle lock": "Lock after inactivity of",
        "lock on suspend": "Lock before the computer sleeps",
        "lock on screen lock": "Lock with the screen",
        "time limit of providers": "Time for a provider to answer",
        "saving for git": "Save logins that git has used",
        "agreements for git": "Give git the same login again without asking for",
        "codes": "Offer a code from a message for",
        "ranges of leaked passwords": "Look for leaked passwords at haveibeenpwned.com",
        "fingerprints": "Confirm with a fingerprint",
        "search of the desktop": "Let the desktop's search find accounts",
    ]
    private static let words = [
        "finds nothing": "off", "finds accounts": "on", "not asked for": "off", "asked for over the network": "on",
        "not taken": "off", "taken": "on",
    ]

    private static func changes(
        from old: Preferences, to new: Preferences
    ) -> [(name: String, old: String, new: String)] {
        var weakened: [(name: String, old: String, new: String)] = []
        func note(_ name: String, _ isWeaker: Bool, _ old: String, _ new: String) {
            if isWeaker { weakened.append((name, old, new)) }
        }
        func note(_ name: String, from old: Int, to new: Int, _ unit: String) {
            note(name, new > old, "\(old) \(unit)", "\(new) \(unit)")
        }
        func note(_ name: String, from old: Bool, to new: Bool) {
            note(name, old && !new, "on", "off")
        }
        note("authentication", span(new) > span(old), text(old), text(new))
        // The minutes are a setting by themselves: while another one hides them they would become weaker unseen. `never` is weaker than
        // any number of them.
        if span(new) <= span(old), !(old.authentication == "never" && new.authentication == "after") {
            note("minutes of authentication", from: old.authenticationMinutes, to: new.authenticationMinutes, "minutes")
        }
        // Where there is none, `authentication` says what becomes of fills.
        note(
            "fills", new.fills != nil && span(new, of: new.fills) > span(old, of: old.fills), text(old, of: old.fills),
            text(new, of: new.fills))
        // 0 is never.
        let (oldIdle, newIdle) = (old.idleMinutes, new.idleMinutes)
        note(
            "idle lock", newIdle != oldIdle && oldIdle != 0 && (newIdle == 0 || newIdle > oldIdle),
            "\(oldIdle) minutes", newIdle == 0 ? "never" : "\(newIdle) minutes")
        note("lock on suspend", from: old.lockOnSuspend, to: new.lockOnSuspend)
        note("lock on screen lock", from: old.lockOnScreenLock, to: new.lockOnScreenLock)
        let defaults = PreferencesFile.defaults
        note(
            "time limit of providers", from: old.providerSeconds ?? defaults.providerSeconds ?? 5,
            to: new.providerSeconds ?? defaults.providerSeconds ?? 5, "seconds")
        let order = ["never", "ask", "always"]
        func rank(_ word: String?) -> Int { order.firstIndex(of: word ?? "ask") ?? 0 }
        note(
            "saving for git", rank(new.gitSave) > rank(old.gitSave), old.gitSave ?? "ask", new.gitSave ?? "ask")
        note("agreements for git", from: old.gitMinutes ?? 0, to: new.gitMinutes ?? 0, "minutes")
        note("codes", from: old.codeSeconds ?? 180, to: new.codeSeconds ?? 180, "seconds")
        // Codes in mails of another folder would be offered, and the list of leaked passwords is visible in the provider's sandbox.
        note(
            "maildir of codes", new.codeMaildir != nil && new.codeMaildir != old.codeMaildir,
            old.codeMaildir ?? "none", new.codeMaildir ?? "none")
        note(
            "list of leaked passwords", new.breachList != old.breachList, old.breachList ?? "none",
            new.breachList ?? "none")
        note(
            "ranges of leaked passwords", new.breachRanges == true && old.breachRanges != true, "not asked for",
            "asked for over the network")
        note("fingerprints", new.fingerprint == true && old.fingerprint != true, "not taken", "taken")
        note(
            "search of the desktop", new.shellSearch == true && old.shellSearch != true, "finds nothing",
            "finds accounts")
        return weakened
    }

    /// Number of minutes for which a passphrase counts; more is weaker.
    private static func span(_ preferences: Preferences, of word: String? = nil) -> Int {
        switch word ?? preferences.authentication {
        case "after": preferences.authenticationMinutes
        case "never": .max
        default: 0
        }
    }

    private static func text(_ preferences: Preferences, of word: String? = nil) -> String {
        let word = word ?? preferences.authentication
        return word == "after" ? "after \(preferences.authenticationMinutes) minutes" : word
    }
}
