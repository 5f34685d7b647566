// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

/// The user's preferences, in `$XDG_CONFIG_HOME/latchkey/preferences.json`.
struct PreferencesFile: Sendable {
    private let path: String
    private(set) var preferences: Preferences

    private struct Content: Codable {
        var autoFill: Bool?
        var authentication: String?
        var authenticationMinutes: Int?
        var idleMinutes: Int?
        var lockOnSuspend: Bool?
        var lockOnScreenLock: Bool?
        var providerSeconds: Int?
        var gitSave: String?
        var gitMinutes: Int?
        var codeSeconds: Int?
        var codeMaildir: String?
        var breachList: String?
        var breachRanges: Bool?
    }

    static let defaults = Preferences(
        autoFill: true, authentication: "after", authenticationMinutes: 5, idleMinutes: 15, lockOnSuspend: true,
        lockOnScreenLock: true, providerSeconds: 5, gitSave: "ask", gitMinutes: 0, codeSeconds: 180)

    /// Reads the file. One that cannot be read gives the defaults, which are the safe ones.
    init(path: String) {
        self.path = path
        preferences = Self.defaults
        guard let bytes = FileManager.default.contents(atPath: path),
            let content = try? JSONDecoder().decode(Content.self, from: bytes)
        else { return }
        let changes = PreferenceChanges(
            autoFill: content.autoFill, authentication: content.authentication,
            authenticationMinutes: content.authenticationMinutes, idleMinutes: content.idleMinutes,
            lockOnSuspend: content.lockOnSuspend, lockOnScreenLock: content.lockOnScreenLock,
            providerSeconds: content.providerSeconds, gitSave: content.gitSave, gitMinutes: content.gitMinutes,
            codeSeconds: content.codeSeconds, codeMaildir: content.codeMaildir, breachList: content.breachList,
            breachRanges: content.breachRanges)
        if let read = try? Self.applying(changes, to: preferences) { preferences = read }
    }

    /// Changes preferences and keeps them; throws `invalidParams`, or `storageFailed` with nothing changed.
    mutating func apply(_ changes: PreferenceChanges) throws {
        let changed = try Self.applying(changes, to: preferences)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let bytes = try encoder.encode(
            Content(
                autoFill: changed.autoFill, authentication: changed.authentication,
                authenticationMinutes: changed.authenticationMinutes, idleMinutes: changed.idleMinutes,
                lockOnSuspend: changed.lockOnSuspend, lockOnScreenLock: changed.lockOnScreenLock,
                providerSeconds: changed.providerSeconds, gitSave: changed.gitSave, gitMinutes: changed.gitMinutes,
                codeSeconds: changed.codeSeconds, codeMaildir: changed.codeMaildir, breachList: changed.breachList,
                breachRanges: changed.breachRanges))
        try AtomicFile.write(Array(bytes) + [0x0A], to: path)
        preferences = changed
    }

    private static func applying(_ changes: PreferenceChanges, to old: Preferences) throws(WireError) -> Preferences {
        var new = old
        if let authentication = changes.authentication {
            guard ["always", "after", "never"].contains(authentication) else {
                throw WireError(.invalidParams, "Authentication is always, after or never.")
            }
            new.authentication = authentication
        }
        if let minutes = changes.authenticationMinutes {
            guard (1...1440).contains(minutes) else {
                throw WireError(.invalidParams, "Authentication lasts 1 to 1440 minutes.")
            }
            new.authenticationMinutes = minutes
        }
        if let minutes = changes.idleMinutes {
            guard (0...10_080).contains(minutes) else {
                throw WireError(.invalidParams, "The idle time is 0 (never) to 10080 minutes.")
            }
            new.idleMinutes = minutes
        }
        if let seconds = changes.providerSeconds {
            guard (1...60).contains(seconds) else {
                throw WireError(.invalidParams, "A provider has 1 to 60 seconds.")
            }
            new.providerSeconds = seconds
        }
        if let save = changes.gitSave {
            guard ["ask", "always", "never"].contains(save) else {
                throw WireError(.invalidParams, "Logins of git are saved ask, always or never.")
            }
            new.gitSave = save
        }
        if let minutes = changes.gitMinutes {
            guard (0...1440).contains(minutes) else {
                throw WireError(.invalidParams, "An agreement for git holds 0 to 1440 minutes.")
            }
            new.gitMinutes = minutes
        }
        if let seconds = changes.codeSeconds {
            guard CodeShelf.lifetimes.contains(seconds) else {
                throw WireError(.invalidParams, "A code is offered for 30 to 600 seconds.")
            }
            new.codeSeconds = seconds
        }
        if let path = changes.codeMaildir {
            guard path.isEmpty || path.hasPrefix("/") && path.utf8.count <= 1_024 && !path.utf8.contains(0) else {
                throw WireError(.invalidParams, "A maildir is named by an absolute path.")
            }
            new.codeMaildir = path.isEmpty ? nil : path
        }
        if let path = changes.breachList {
            guard path.isEmpty || path.hasPrefix("/") && path.utf8.count <= 1_024 && !path.utf8.contains(0) else {
                throw WireError(.invalidParams, "A list of leaked passwords is named by an absolute path.")
            }
            new.breachList = path.isEmpty ? nil : path
        }
        new.breachRanges = changes.breachRanges ?? new.breachRanges
        new.autoFill = changes.autoFill ?? new.autoFill
        new.lockOnSuspend = changes.lockOnSuspend ?? new.lockOnSuspend
        new.lockOnScreenLock = changes.lockOnScreenLock ?? new.lockOnScreenLock
        return new
    }
}

extension Preferences {
    var authenticationPreference: AuthenticationPolicy.Preference {
        switch authentication {
        case "always": .always
        case "never": .never
        default: .after(.seconds(authenticationMinutes * 60))
        }
    }

    /// How long a provider may take without the user's interaction.
    var providerTimeLimit: Duration { .seconds(providerSeconds ?? 5) }

    /// How long a code from a message is offered.
    var codeSpan: Duration { .seconds(codeSeconds ?? 180) }

    var idleSpan: Duration? {
        idleMinutes == 0 ? nil : .seconds(idleMinutes * 60)
    }
}
