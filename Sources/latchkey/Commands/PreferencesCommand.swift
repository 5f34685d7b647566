// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey autofill on|off`
struct AutoFillCommand: AsyncParsableCommand {
    /// What to turn it to.
    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    static let configuration = CommandConfiguration(
        commandName: "autofill", abstract: "Turn AutoFill in browsers and apps on or off.")

    @Argument(help: "on or off; without it, the state is shown.") var state: Switch?

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        guard let state else {
            return Output.line(try await daemon.call(Settings.Status.self).autoFill ? "on" : "off")
        }
        _ = try await daemon.call(Settings.SetPreferences.self, PreferenceChanges(autoFill: state == .on))
        Output.note("AutoFill is \(state.rawValue).")
    }
}

/// `latchkey preferences show|set`
struct PreferencesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences", abstract: "Show or change preferences.", subcommands: [Show.self, Set.self],
        defaultSubcommand: Show.self)

    /// `latchkey preferences show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the preferences.")

        @Flag(help: "Print one object as JSON.") var json = false

        func run() async throws {
            let preferences = try await DaemonConnection.open().call(Settings.Status.self).preferences
            PreferencesCommand.show(preferences, json: json)
        }
    }

    /// `latchkey preferences set`
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change preferences.",
            discussion: "Only what you name is changed. The resulting preferences are printed. "
                + "A change that weakens a protection takes the passphrase and is written to the audit log.")

        /// When the passphrase is asked for again while Latchkey is unlocked.
        enum Authentication: String, ExpressibleByArgument, CaseIterable {
            case always, after, never
        }

        @Option(
            help: "Ask for the passphrase before a password is shown or copied: always, after some minutes, or never.")
        var authentication: Authentication?
        @Option(help: "The minutes of `after`.") var authenticationMinutes: Int?
        @Option(help: "The same before a fill in a browser or an app.") var fills: Authentication?
        @Option(help: "Lock after this many minutes without use; 0 means never.") var idleMinutes: Int?
        @Flag(inversion: .prefixedNo, help: "Lock when the computer goes to sleep.") var lockOnSuspend: Bool?
        @Flag(inversion: .prefixedNo, help: "Lock when the screen is locked.") var lockOnScreenLock: Bool?
        @Option(help: "Time limit in seconds for a provider to answer without an interface, 1 to 60.")
        var providerSeconds: Int?
        /// Whether a login that git has used is saved.
        enum GitSave: String, ExpressibleByArgument, CaseIterable {
            case ask, always, never
        }

        @Option(help: "Save logins that git has used: ask, always, or never.") var gitSave: GitSave?
        @Option(
            help:
                "Minutes in which git is given a login again without asking, until the lock at most; 0 asks each time.")
        var gitMinutes: Int?
        @Option(help: "Seconds for which a code from a message is offered, 30 to 600.") var codeSeconds: Int?
        @Option(help: "Watch this maildir for codes; an empty path for none.") var codeMaildir: String?
        @Option(help: "Look for saved passwords in this list of leaked ones; an empty path for none.")
        var breachList: String?
        @Flag(
            inversion: .prefixedNo,
            help: "Let `latchkey recommendations --online` ask haveibeenpwned, telling five digits of a hash.")
        var breachRanges: Bool?
        @Flag(
            inversion: .prefixedNo,
            help: "Take a fingerprint where Latchkey asks because time has passed.")
        var fingerprint: Bool?
        @Flag(
            inversion: .prefixedNo,
            help: "Let the search of GNOME Shell find accounts by site and user name while Latchkey is unlocked.")
        var shellSearch: Bool?
        @Flag(help: "Print one object as JSON.") var json = false
        @OptionGroup var passphrase: PassphraseOptions

        func validate() throws {
            for minutes in [authenticationMinutes, idleMinutes, gitMinutes].compactMap({ $0 }) where minutes < 0 {
                throw ValidationError("--authentication-minutes, --idle-minutes and --git-minutes cannot be negative.")
            }
            guard changes != PreferenceChanges() else { throw ValidationError("Name at least one preference.") }
        }

        var changes: PreferenceChanges {
            PreferenceChanges(
                authentication: authentication?.rawValue, authenticationMinutes: authenticationMinutes,
                fills: fills?.rawValue, idleMinutes: idleMinutes, lockOnSuspend: lockOnSuspend,
                lockOnScreenLock: lockOnScreenLock,
                providerSeconds: providerSeconds, gitSave: gitSave?.rawValue, gitMinutes: gitMinutes,
                codeSeconds: codeSeconds,
                codeMaildir: codeMaildir.map { $0.isEmpty ? "" : FilePath.absolute($0) },
                breachList: breachList.map { $0.isEmpty ? "" : FilePath.absolute($0) }, breachRanges: breachRanges,
                fingerprint: fingerprint, shellSearch: shellSearch)
        }

        func run() async throws {
            let answer = try await DaemonConnection.open().authenticated(
                Settings.SetPreferences.self, changes, passphrase)
            PreferencesCommand.show(answer.preferences, json: json)
        }
    }

    private static func show(_ preferences: Preferences, json: Bool) {
        if json { return Output.json(PreferencesListing.json(preferences)) }
        func yes(_ value: Bool) -> String { value ? "yes" : "no" }
        let minutes = preferences.authenticationMinutes
        func asked(_ word: String) -> String {
            word == "after" ? "after \(minutes) minutes" : TerminalText.escaped(word)
        }
        let rows = [
            ["autofill", preferences.autoFill ? "on" : "off"],
            ["authentication", asked(preferences.authentication)],
            ["before a fill", preferences.fills.map(asked) ?? "as authentication"],
            ["lock when idle", preferences.idleMinutes == 0 ? "never" : "after \(preferences.idleMinutes) minutes"],
            ["lock on suspend", yes(preferences.lockOnSuspend)],
            ["lock on screen lock", yes(preferences.lockOnScreenLock)],
            ["providers answer within", "\(preferences.providerSeconds ?? 5) seconds"],
            ["save logins of git", TerminalText.escaped(preferences.gitSave ?? "ask")],
            ["git gets a login again", PreferencesListing.gitAgreement(minutes: preferences.gitMinutes ?? 0)],
            ["codes are offered for", "\(preferences.codeSeconds ?? 180) seconds"],
            ["maildir watched for codes", preferences.codeMaildir.map { TerminalText.escaped($0) } ?? "none"],
            ["list of leaked passwords", preferences.breachList.map { TerminalText.escaped($0) } ?? "none"],
            ["leaks are asked for online", yes(preferences.breachRanges ?? false)],
            ["fingerprints are taken", yes(preferences.fingerprint ?? false)],
            ["found by the desktop", yes(preferences.shellSearch ?? false)],
        ]
        for line in TextTable(rows: rows).lines(forTerminal: true) { Output.line(line) }
    }
}
