// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A passphrase.
public struct PassphraseParams: Codable, Sendable, Equatable {
    public var passphrase: WireSecret

    public init(passphrase: WireSecret) {
        self.passphrase = passphrase
    }
}

/// A file or folder of Latchkey's that is damaged or cannot be written, as `status` names it.
public struct FileProblem: Codable, Sendable, Equatable {
    public var path: String
    /// What is wrong, and what does not work meanwhile: sentences for the user.
    public var problem: String
    /// The way back, a sentence for the user.
    public var hint: String

    public init(path: String, problem: String, hint: String) {
        self.path = path
        self.problem = problem
        self.hint = hint
    }
}

/// A provider, as `status` shows it.
public struct ProviderStatus: Codable, Sendable, Equatable {
    public var identifier: String
    public var name: String
    public var running: Bool
    /// The number of identities it offers; absent while locked.
    public var identities: Int?

    public init(identifier: String, name: String, running: Bool, identities: Int? = nil) {
        self.identifier = identifier
        self.name = name
        self.running = running
        self.identities = identities
    }
}

/// The user's preferences.
public struct Preferences: Codable, Sendable, Equatable {
    public var autoFill: Bool
    /// `always`, `after` or `never`.
    public var authentication: String
    public var authenticationMinutes: Int
    /// The same before a fill, with the same minutes; absent where it is as `authentication` says.
    public var fills: String?
    /// Minutes without use before locking; 0 means never.
    public var idleMinutes: Int
    public var lockOnSuspend: Bool
    public var lockOnScreenLock: Bool
    /// The time limit of a provider for requests without user interaction, in seconds.
    public var providerSeconds: Int?
    /// Whether logins that git has used are saved: `ask`, `always` or `never`.
    public var gitSave: String?
    /// The number of minutes for which an agreement for git is valid; 0 means once.
    public var gitMinutes: Int?
    /// The number of seconds for which a code from a message is offered.
    public var codeSeconds: Int?
    /// The maildir watched for codes; absent for none.
    public var codeMaildir: String?
    /// A list of leaked passwords on this machine; absent for none.
    public var breachList: String?
    /// Whether ranges of leaked passwords may be queried over the network.
    public var breachRanges: Bool?
    /// Whether a fingerprint is taken in place of the passphrase for routine questions in a browser's windows.
    public var fingerprint: Bool?
    /// Whether the search of GNOME Shell finds accounts while Latchkey is unlocked.
    public var shellSearch: Bool?

    public init(
        autoFill: Bool,
        authentication: String,
        authenticationMinutes: Int,
        fills: String? = nil,
        idleMinutes: Int,
        lockOnSuspend: Bool,
        lockOnScreenLock: Bool,
        providerSeconds: Int? = nil,
        gitSave: String? = nil,
        gitMinutes: Int? = nil,
        codeSeconds: Int? = nil,
        codeMaildir: String? = nil,
        breachList: String? = nil,
        breachRanges: Bool? = nil,
        fingerprint: Bool? = nil,
        shellSearch: Bool? = nil
    ) {
        self.shellSearch = shellSearch
        self.fingerprint = fingerprint
        self.breachList = breachList
        self.breachRanges = breachRanges
        self.codeSeconds = codeSeconds
        self.codeMaildir = codeMaildir
        self.gitSave = gitSave
        self.gitMinutes = gitMinutes
        self.providerSeconds = providerSeconds
        self.autoFill = autoFill
        self.authentication = authentication
        self.authenticationMinutes = authenticationMinutes
        self.fills = fills
        self.idleMinutes = idleMinutes
        self.lockOnSuspend = lockOnSuspend
        self.lockOnScreenLock = lockOnScreenLock
    }
}

/// Changes to preferences. Absent members leave their value unchanged.
public struct PreferenceChanges: Codable, Sendable, Equatable {
    public var autoFill: Bool?
    public var authentication: String?
    public var authenticationMinutes: Int?
    public var fills: String?
    public var idleMinutes: Int?
    public var lockOnSuspend: Bool?
    public var lockOnScreenLock: Bool?
    public var providerSeconds: Int?
    /// Whether logins that git has used are saved: `ask`, `always` or `never`.
    public var gitSave: String?
    /// The number of minutes for which an agreement for git is valid; 0 means once.
    public var gitMinutes: Int?
    /// The number of seconds for which a code from a message is offered.
    public var codeSeconds: Int?
    /// The absolute path of the maildir to watch for codes; empty for none.
    public var codeMaildir: String?
    /// The absolute path of a list of leaked passwords on this machine; empty for none.
    public var breachList: String?
    /// Whether ranges of leaked passwords may be queried over the network.
    public var breachRanges: Bool?
    /// Whether a fingerprint is taken in place of the passphrase for routine questions in a browser's windows.
    public var fingerprint: Bool?
    /// Whether the search of GNOME Shell finds accounts while Latchkey is unlocked.
    public var shellSearch: Bool?

    public init(
        autoFill: Bool? = nil,
        authentication: String? = nil,
        authenticationMinutes: Int? = nil,
        fills: String? = nil,
        idleMinutes: Int? = nil,
        lockOnSuspend: Bool? = nil,
        lockOnScreenLock: Bool? = nil,
        providerSeconds: Int? = nil,
        gitSave: String? = nil,
        gitMinutes: Int? = nil,
        codeSeconds: Int? = nil,
        codeMaildir: String? = nil,
        breachList: String? = nil,
        breachRanges: Bool? = nil,
        fingerprint: Bool? = nil,
        shellSearch: Bool? = nil
    ) {
        self.shellSearch = shellSearch
        self.fingerprint = fingerprint
        self.breachList = breachList
        self.breachRanges = breachRanges
        self.codeSeconds = codeSeconds
        self.codeMaildir = codeMaildir
        self.gitSave = gitSave
        self.gitMinutes = gitMinutes
        self.providerSeconds = providerSeconds
        self.autoFill = autoFill
        self.authentication = authentication
        self.authenticationMinutes = authenticationMinutes
        self.fills = fills
        self.idleMinutes = idleMinutes
        self.lockOnSuspend = lockOnSuspend
        self.lockOnScreenLock = lockOnScreenLock
    }
}

/// One suggestion, as scripts see it.
public struct Suggestion: Codable, Sendable, Equatable {
    public var provider: String
    public var service: String
    public var user: String
    public var recordIdentifier: String?
    public var type: String
    public var rank: Int

    public init(
        provider: String,
        service: String,
        user: String,
        recordIdentifier: String? = nil,
        type: String,
        rank: Int
    ) {
        self.provider = provider
        self.service = service
        self.user = user
        self.recordIdentifier = recordIdentifier
        self.type = type
        self.rank = rank
    }
}

/// One line of the audit log.
public struct AuditLine: Codable, Sendable, Equatable {
    /// In seconds since 1970.
    public var time: Int64
    /// `released`, `refused`, or an event that concerns a key.
    public var event: String
    public var provider: String?
    public var service: String?
    public var user: String?
    /// The requesting origin or program.
    public var requester: String
    /// The browser that stated the origin.
    public var client: String?
    /// The user's act.
    public var act: String?
    /// How the user was authenticated.
    public var authentication: String?
    public var reason: String?
    /// The use of the secret, in the words of section 6 of `docs/protocol.md`.
    public var purpose: String?
    /// The number of the line in the log, counted from 1. Present in answers only.
    public var number: Int?

    public init(
        time: Int64,
        event: String,
        provider: String? = nil,
        service: String? = nil,
        user: String? = nil,
        requester: String,
        client: String? = nil,
        act: String? = nil,
        authentication: String? = nil,
        reason: String? = nil,
        purpose: String? = nil
    ) {
        self.client = client
        self.purpose = purpose
        self.time = time
        self.event = event
        self.provider = provider
        self.service = service
        self.user = user
        self.requester = requester
        self.act = act
        self.authentication = authentication
        self.reason = reason
    }
}

/// A fault of the audit log.
public struct AuditFinding: Codable, Sendable, Hashable {
    /// `deleted`, `rewritten`, `added`, `exchanged`, `reordered`, `repeated`, `cut`, `key-file` or `replaced`.
    public var kind: String
    /// The first line concerned, counted from 1; absent if no line is concerned.
    public var first: Int?
    public var last: Int?
    /// A sentence for people.
    public var message: String

    public init(kind: String, first: Int?, last: Int?, message: String) {
        self.kind = kind
        self.first = first
        self.last = last
        self.message = message
    }
}
