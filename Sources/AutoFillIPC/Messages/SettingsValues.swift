// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A passphrase.
public struct PassphraseParams: Codable, Sendable, Equatable {
    public var passphrase: WireSecret

    public init(passphrase: WireSecret) {
        self.passphrase = passphrase
    }
}

/// A provider, as `status` shows it.
public struct ProviderStatus: Codable, Sendable, Equatable {
    public var identifier: String
    public var name: String
    public var running: Bool
    /// How many it offers; absent while locked.
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
    /// 0 means never.
    public var idleMinutes: Int
    public var lockOnSuspend: Bool
    public var lockOnScreenLock: Bool
    /// How long a provider may take without the user's interaction, in seconds.
    public var providerSeconds: Int?

    public init(
        autoFill: Bool,
        authentication: String,
        authenticationMinutes: Int,
        idleMinutes: Int,
        lockOnSuspend: Bool,
        lockOnScreenLock: Bool,
        providerSeconds: Int? = nil
    ) {
        self.providerSeconds = providerSeconds
        self.autoFill = autoFill
        self.authentication = authentication
        self.authenticationMinutes = authenticationMinutes
        self.idleMinutes = idleMinutes
        self.lockOnSuspend = lockOnSuspend
        self.lockOnScreenLock = lockOnScreenLock
    }
}

/// The preferences that are to change.
public struct PreferenceChanges: Codable, Sendable, Equatable {
    public var autoFill: Bool?
    public var authentication: String?
    public var authenticationMinutes: Int?
    public var idleMinutes: Int?
    public var lockOnSuspend: Bool?
    public var lockOnScreenLock: Bool?
    public var providerSeconds: Int?

    public init(
        autoFill: Bool? = nil,
        authentication: String? = nil,
        authenticationMinutes: Int? = nil,
        idleMinutes: Int? = nil,
        lockOnSuspend: Bool? = nil,
        lockOnScreenLock: Bool? = nil,
        providerSeconds: Int? = nil
    ) {
        self.providerSeconds = providerSeconds
        self.autoFill = autoFill
        self.authentication = authentication
        self.authenticationMinutes = authenticationMinutes
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
    /// `released`, `refused`, or what happened to a key.
    public var event: String
    public var provider: String?
    public var service: String?
    public var user: String?
    /// Origin, or program, that asked.
    public var requester: String
    /// What the user did.
    public var act: String?
    /// How the user was authenticated.
    public var authentication: String?
    public var reason: String?

    public init(
        time: Int64,
        event: String,
        provider: String? = nil,
        service: String? = nil,
        user: String? = nil,
        requester: String,
        act: String? = nil,
        authentication: String? = nil,
        reason: String? = nil
    ) {
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
