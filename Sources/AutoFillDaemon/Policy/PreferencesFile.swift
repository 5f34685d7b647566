// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation

/// The user's preferences, in `$XDG_CONFIG_HOME/latchkey/preferences.json`.
struct PreferencesFile: Sendable {
    /// The range of seconds for which a code may be offered, by preference.
    static let codeLifetimes = 30...600

    private let path: String
    private(set) var preferences: Preferences

    /// The file as it is written. It is read member by member.
    private struct Content: Encodable {
        var autoFill: Bool?
        var authentication: String?
        var authenticationMinutes: Int?
        var fills: String?
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
        var fingerprint: Bool?
        var shellSearch: Bool?
    }

    static let defaults = Preferences(
        autoFill: true, authentication: "after", authenticationMinutes: 5, idleMinutes: 15, lockOnSuspend: true,
        lockOnScreenLock: true, providerSeconds: 5, gitSave: "ask", gitMinutes: 1440, codeSeconds: 180)

    /// The strictest settings. One replaces a setting with an invalid value; all of them apply if the file cannot be read.
    static let strictest = Preferences(
        autoFill: false, authentication: "always", authenticationMinutes: 1, fills: "always", idleMinutes: 1,
        lockOnSuspend: true, lockOnScreenLock: true, providerSeconds: 1, gitSave: "never", gitMinutes: 0,
        codeSeconds: 30,
        breachRanges: false, fingerprint: false, shellSearch: false)

    /// Size limit in bytes.
    private static let sizeLimit = 1 << 16

    /// The problems found in the file, one sentence each, for the user.
    private(set) var problems: [String] = []

    /// Whether the whole file could not be read.
    private(set) var isDamaged = false

    static func path(in directories: Directories) -> String { directories.config + "/preferences.json" }

    /// Reads the file. Whatever is not understood is replaced by the strictest setting and reported in `problems`.
    init(path: String) {
        self.path = path
        preferences = Self.defaults
        guard SmallFile.isThere(path) else { return }
        guard let bytes = SmallFile.read(path, atMost: Self.sizeLimit, followsLinks: true) else {
            refuse("it is not a file, or larger than \(Self.sizeLimit) bytes")
            return
        }
        let value: JSONValue
        do throws(WireError) {
            value = try JSONValue(readingText: bytes)
        } catch {
            refuse(error.message)
            return
        }
        guard case .object(let members) = value else {
            refuse("it is not an object")
            return
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { read(name, value) }
    }

    private mutating func refuse(_ reason: String) {
        preferences = Self.strictest
        isDamaged = true
        problems = [
            "preferences.json cannot be read: \(reason). The strictest settings count until you correct the file."
        ]
    }

    /// Reads one member of the file. If its value is invalid, the strictest one applies.
    private mutating func read(_ name: String, _ value: JSONValue) {
        guard let beStrict = Self.beStrict[name] else {
            // A setting of a newer Latchkey, or a misspelled name.
            problems.append("preferences.json has \(Self.quoted(name)), which is not a setting of this Latchkey.")
            return
        }
        if let changes = Self.changes(name, value), let read = try? Self.applying(changes, to: preferences) {
            preferences = read
            return
        }
        beStrict(&preferences)
        problems.append(
            "preferences.json has a value for \(name) that makes no sense. The strictest value counts until you correct it."
        )
    }

    /// The change that a member asks for; `nil` if its value has another type.
    private static func changes(_ name: String, _ value: JSONValue) -> PreferenceChanges? {
        switch (name, value) {
        case ("autoFill", .bool(let flag)): .init(autoFill: flag)
        case ("authentication", .string(let word)): .init(authentication: word)
        case ("authenticationMinutes", .integer(let number)): .init(authenticationMinutes: Int(number))
        case ("fills", .string(let word)): .init(fills: word)
        case ("idleMinutes", .integer(let number)): .init(idleMinutes: Int(number))
        case ("lockOnSuspend", .bool(let flag)): .init(lockOnSuspend: flag)
        case ("lockOnScreenLock", .bool(let flag)): .init(lockOnScreenLock: flag)
        case ("providerSeconds", .integer(let number)): .init(providerSeconds: Int(number))
        case ("gitSave", .string(let word)): .init(gitSave: word)
        case ("gitMinutes", .integer(let number)): .init(gitMinutes: Int(number))
        case ("codeSeconds", .integer(let number)): .init(codeSeconds: Int(number))
        case ("codeMaildir", .string(let path)): .init(codeMaildir: path)
        case ("breachList", .string(let path)): .init(breachList: path)
        case ("breachRanges", .bool(let flag)): .init(breachRanges: flag)
        case ("fingerprint", .bool(let flag)): .init(fingerprint: flag)
        case ("shellSearch", .bool(let flag)): .init(shellSearch: flag)
        default: nil
        }
    }

    /// Each setting by its name, with the change that makes it as strict as possible.
    private static let beStrict: [String: @Sendable (inout Preferences) -> Void] = [
        "autoFill": { $0.autoFill = strictest.autoFill },
        "authentication": { $0.authentication = strictest.authentication },
        "authenticationMinutes": { $0.authenticationMinutes = strictest.authenticationMinutes },
        "fills": { $0.fills = strictest.fills },
        "idleMinutes": { $0.idleMinutes = strictest.idleMinutes },
        "lockOnSuspend": { $0.lockOnSuspend = strictest.lockOnSuspend },
        "lockOnScreenLock": { $0.lockOnScreenLock = strictest.lockOnScreenLock },
        "providerSeconds": { $0.providerSeconds = strictest.providerSeconds },
        "gitSave": { $0.gitSave = strictest.gitSave },
        "gitMinutes": { $0.gitMinutes = strictest.gitMinutes },
        "codeSeconds": { $0.codeSeconds = strictest.codeSeconds },
        "codeMaildir": { $0.codeMaildir = strictest.codeMaildir },
        "breachList": { $0.breachList = strictest.breachList },
        "breachRanges": { $0.breachRanges = strictest.breachRanges },
        "fingerprint": { $0.fingerprint = strictest.fingerprint },
        "shellSearch": { $0.shellSearch = strictest.shellSearch },
    ]

    /// A name from the file, quoted and without characters that could break a sentence.
    private static func quoted(_ name: String) -> String {
        let plain = name.unicodeScalars.prefix(40).map { ("!"..."~").contains($0) ? Character($0) : "?" }
        return "\"" + String(plain) + "\""
    }

    /// The preferences after some changes, without writing them.
    ///
    /// - Throws: `invalidParams` when a value is out of range.
    func changed(by changes: PreferenceChanges) throws(WireError) -> Preferences {
        try Self.applying(changes, to: preferences)
    }

    /// Changes preferences and writes them.
    ///
    /// - Throws: `invalidParams` when a value is out of range; `storageFailed` when they cannot be written. Nothing changes then.
    mutating func apply(_ changes: PreferenceChanges) throws {
        let changed = try Self.applying(changes, to: preferences)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let bytes = try encoder.encode(
            Content(
                autoFill: changed.autoFill, authentication: changed.authentication,
                authenticationMinutes: changed.authenticationMinutes, fills: changed.fills,
                idleMinutes: changed.idleMinutes,
                lockOnSuspend: changed.lockOnSuspend, lockOnScreenLock: changed.lockOnScreenLock,
                providerSeconds: changed.providerSeconds, gitSave: changed.gitSave, gitMinutes: changed.gitMinutes,
                codeSeconds: changed.codeSeconds, codeMaildir: changed.codeMaildir, breachList: changed.breachList,
                breachRanges: changed.breachRanges, fingerprint: changed.fingerprint,
                shellSearch: changed.shellSearch))
        try AtomicFile.write(Array(bytes) + [0x0A], to: path)
        preferences = changed
        problems = []
        isDamaged = false
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
        if let fills = changes.fills {
            guard ["always", "after", "never"].contains(fills) else {
                throw WireError(.invalidParams, "Fills are always, after or never.")
            }
            new.fills = fills
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
            guard Self.codeLifetimes.contains(seconds) else {
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
        new.fingerprint = changes.fingerprint ?? new.fingerprint
        new.shellSearch = changes.shellSearch ?? new.shellSearch
        new.autoFill = changes.autoFill ?? new.autoFill
        new.lockOnSuspend = changes.lockOnSuspend ?? new.lockOnSuspend
        new.lockOnScreenLock = changes.lockOnScreenLock ?? new.lockOnScreenLock
        return new
    }
}

extension Preferences {
    var authenticationPreference: AuthenticationPolicy.Preference { preference(authentication) }

    /// An installation from before this setting keeps what it had, until its owner chooses.
    var fillPreference: AuthenticationPolicy.Preference { preference(fills ?? authentication) }

    private func preference(_ word: String) -> AuthenticationPolicy.Preference {
        switch word {
        case "always": .always
        case "never": .never
        case "after": .after(.seconds(authenticationMinutes * 60))
        // No other word is ever written; an unknown one must not be weaker.
        default: .always
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
