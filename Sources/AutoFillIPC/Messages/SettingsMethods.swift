// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Methods for the role settings (section 6), beside those of items.
public enum Settings {
    /// The state of Latchkey.
    public enum Status: WireMethod {
        public static let name = "status"
        public typealias Params = Empty

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var initialized: Bool
            public var locked: Bool
            public var autoFill: Bool
            public var version: String
            public var processIdentifier: Int32
            public var providers: [ProviderStatus]
            public var preferences: Preferences
            /// `missing`, `ready` or `locked`.
            public var store: String
            /// Whether secrets are kept out of swap.
            public var memoryLocked: Bool
            /// Whether providers are isolated from one another and from the home.
            public var isolation: IsolationStatement?
            /// The daemon's knowledge of sites, and its age.
            public var quirks: QuirksStatement?
            /// The sources of codes, and their state.
            public var codes: [CodeSourceStatement]?
            /// Problems of the preferences file, one sentence each; absent if there are none.
            public var preferencesProblems: [String]?
            /// Whether a PIN is set for this session.
            public var pin: Bool?
            /// Whether a login unlocks: `off`, `on`, `changed` (the last login was with another password) or `damaged`.
            public var login: String?
            /// Whether the daemon is seen to run in a sandbox of its own; absent where it is not, or the kernel does not show it.
            public var sandboxed: Bool?
            /// What the registry lacks, if it is an older copy about which the user has not decided.
            public var older: OlderRegistry?
            /// The installations that restores have replaced, oldest first; absent where there is none.
            public var replaced: [ReplacedInstallation]?
            /// What is to be said where data are here without the keyring that opens them; `initialized` is false then.
            public var missingKeyring: MissingKeyring?
            /// Whether it is not known which keyring the disk holds; absent otherwise.
            public var keyringUnsettled: Bool?
            /// The files that are damaged or cannot be written; absent if there are none.
            public var files: [FileProblem]?
            /// The paths of files that were moved out of the way and are kept; absent if there are none.
            public var setAside: [String]?

            public init(
                initialized: Bool,
                locked: Bool,
                autoFill: Bool,
                version: String,
                processIdentifier: Int32,
                providers: [ProviderStatus],
                preferences: Preferences,
                store: String,
                memoryLocked: Bool,
                isolation: IsolationStatement? = nil,
                quirks: QuirksStatement? = nil,
                codes: [CodeSourceStatement]? = nil,
                preferencesProblems: [String]? = nil,
                pin: Bool? = nil,
                login: String? = nil,
                sandboxed: Bool? = nil,
                older: OlderRegistry? = nil,
                replaced: [ReplacedInstallation]? = nil,
                missingKeyring: MissingKeyring? = nil,
                keyringUnsettled: Bool? = nil,
                files: [FileProblem]? = nil,
                setAside: [String]? = nil
            ) {
                self.replaced = replaced
                self.missingKeyring = missingKeyring
                self.keyringUnsettled = keyringUnsettled
                self.files = files
                self.setAside = setAside
                self.sandboxed = sandboxed
                self.older = older
                self.login = login
                self.pin = pin
                self.preferencesProblems = preferencesProblems
                self.codes = codes
                self.isolation = isolation
                self.quirks = quirks
                self.initialized = initialized
                self.locked = locked
                self.autoFill = autoFill
                self.version = version
                self.processIdentifier = processIdentifier
                self.providers = providers
                self.preferences = preferences
                self.store = store
                self.memoryLocked = memoryLocked
            }
        }
    }

    /// Moves damaged files out of the way and makes new ones, where nothing more is lost by that.
    public enum Repair: WireMethod {
        public static let name = "files.repair"
        public typealias Params = Empty

        /// A file that was made anew.
        public struct File: Codable, Sendable, Equatable {
            public var path: String
            /// What was lost: a sentence for the user.
            public var outcome: String

            public init(path: String, outcome: String) {
                self.path = path
                self.outcome = outcome
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var repaired: [File]
            /// What is left.
            public var files: [FileProblem]
            /// The paths of files that were moved out of the way, now or earlier.
            public var setAside: [String]
            /// Whether Latchkey is locked, so that sealed files were not looked at.
            public var locked: Bool

            public init(repaired: [File], files: [FileProblem], setAside: [String], locked: Bool) {
                self.repaired = repaired
                self.files = files
                self.setAside = setAside
                self.locked = locked
            }
        }
    }

    /// Prepares the first keyring.
    public enum Initialize: WireMethod {
        public static let name = "initialize"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var passphrase: WireSecret

            public init(passphrase: WireSecret) {
                self.passphrase = passphrase
            }
        }

        public typealias Answer = RecoveryCodeAnswer
    }

    /// A new recovery code. Show it, and say so by `RecoveryCodeShown`; before that nothing is written.
    public struct RecoveryCodeAnswer: Codable, Sendable, Equatable {
        public var recoveryCode: WireSecret

        public init(recoveryCode: WireSecret) {
            self.recoveryCode = recoveryCode
        }
    }

    /// Says that the recovery code of this connection's last request was shown: what was asked for by it is carried out.
    public enum RecoveryCodeShown: WireMethod {
        public static let name = "recoveryCode.shown"
        public typealias Params = Empty
        public typealias Answer = Empty
    }

    /// Makes a new recovery code in place of the one that counts.
    public enum RenewRecoveryCode: WireMethod {
        public static let name = "recoveryCode.renew"
        public typealias Params = PassphraseParams
        public typealias Answer = RecoveryCodeAnswer
    }

    /// Unlocks the keyring.
    public enum Unlock: WireMethod {
        public static let name = "unlock"
        public typealias Params = PassphraseParams

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// What the registry lacks, if it is an older copy about which the user has not decided.
            public var older: OlderRegistry?

            public init(older: OlderRegistry? = nil) {
                self.older = older
            }
        }
    }

    /// Wipes the keys and ends every provider.
    public enum Lock: WireMethod {
        public static let name = "lock"
        public typealias Params = Empty
        public typealias Answer = Empty
    }

    /// Proves by the passphrase that the user is present.
    public enum Authenticate: WireMethod {
        public static let name = "authenticate"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var passphrase: WireSecret
            /// The method that the passphrase is for; absent means the next one that needs it.
            public var method: String?
            /// Whether it may be the PIN; what insists on the passphrase does not take that.
            public var takesPIN: Bool?

            public init(passphrase: WireSecret, method: String? = nil, takesPIN: Bool? = nil) {
                self.passphrase = passphrase
                self.method = method
                self.takesPIN = takesPIN
            }
        }
    }

    /// Sets a PIN for this session. It unlocks in place of the passphrase, and answers routine questions.
    public enum SetPIN: WireMethod {
        public static let name = "pin.set"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var pin: WireSecret

            public init(pin: WireSecret) {
                self.pin = pin
            }
        }
    }

    /// Takes the PIN of this session away.
    public enum ForgetPIN: WireMethod {
        public static let name = "pin.forget"
        public typealias Params = Empty
        public typealias Answer = Empty
    }

    /// Lets the login to the computer unlock Latchkey. The daemon gets a key that was derived from the login password, never the password.
    public enum EnableLogin: WireMethod {
        public static let name = "login.enable"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// Argon2id of the login password, 64 hexadecimal digits.
            public var key: WireSecret
            /// Argon2id's salt, 32 hexadecimal digits.
            public var salt: String
            public var memoryKiB: UInt32
            public var iterations: UInt32
            public var parallelism: UInt32

            public init(key: WireSecret, salt: String, memoryKiB: UInt32, iterations: UInt32, parallelism: UInt32) {
                self.key = key
                self.salt = salt
                self.memoryKiB = memoryKiB
                self.iterations = iterations
                self.parallelism = parallelism
            }
        }
    }

    /// Ends unlocking at login.
    public enum DisableLogin: WireMethod {
        public static let name = "login.disable"
        public typealias Params = Empty
        public typealias Answer = Empty
    }

    /// Wraps the device key again, with a new passphrase.
    public enum ChangePassphrase: WireMethod {
        public static let name = "passphrase.change"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var passphrase: WireSecret
            public var newPassphrase: WireSecret

            public init(passphrase: WireSecret, newPassphrase: WireSecret) {
                self.passphrase = passphrase
                self.newPassphrase = newPassphrase
            }
        }
    }

    /// Prepares a new passphrase by means of the recovery code, which becomes invalid.
    public enum Recover: WireMethod {
        public static let name = "recover"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var recoveryCode: WireSecret
            public var newPassphrase: WireSecret

            public init(recoveryCode: WireSecret, newPassphrase: WireSecret) {
                self.recoveryCode = recoveryCode
                self.newPassphrase = newPassphrase
            }
        }

        public typealias Answer = RecoveryCodeAnswer
    }

    /// Changes preferences.
    public enum SetPreferences: WireMethod {
        public static let name = "preferences.set"
        public typealias Params = PreferenceChanges

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var preferences: Preferences

            public init(preferences: Preferences) {
                self.preferences = preferences
            }
        }
    }

    /// The suggestions for a URL.
    public enum Suggestions: WireMethod {
        public static let name = "suggestions.list"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var url: String

            public init(url: String) {
                self.url = url
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var suggestions: [Suggestion]

            public init(suggestions: [Suggestion]) {
                self.suggestions = suggestions
            }
        }
    }

    /// The audit log.
    public enum Audit: WireMethod {
        public static let name = "audit.list"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// In seconds since 1970.
            public var since: Int64?
            public var service: String?
            /// The number of the first requested line, counted from 1.
            public var cursor: Int?
            /// Whether to notify this connection of further lines, by `audit.changed`.
            public var follow: Bool?

            public init(since: Int64? = nil, service: String? = nil, cursor: Int? = nil, follow: Bool? = nil) {
                self.since = since
                self.service = service
                self.cursor = cursor
                self.follow = follow
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var lines: [AuditLine]
            /// Whether no line is missing or was changed.
            public var intact: Bool
            /// The cursor of the next page; absent at the end.
            public var cursor: Int?
            /// The number of the line after the last one.
            public var next: Int?

            public init(lines: [AuditLine], intact: Bool, cursor: Int? = nil, next: Int? = nil) {
                self.lines = lines
                self.intact = intact
                self.cursor = cursor
                self.next = next
            }
        }
    }

    /// A notification of the daemon: the audit log has another line, or can no longer be read.
    public enum AuditChanged {
        public static let name = "audit.changed"
    }

    /// Verifies the audit log, and lists its faults.
    public enum VerifyAudit: WireMethod {
        public static let name = "audit.verify"
        public typealias Params = Empty

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var intact: Bool
            /// The number of the first line that was kept, counted from 1.
            public var first: Int
            /// The number of the line after the last one.
            public var next: Int
            public var findings: [AuditFinding]

            public init(intact: Bool, first: Int, next: Int, findings: [AuditFinding]) {
                self.intact = intact
                self.first = first
                self.next = next
                self.findings = findings
            }
        }
    }

    /// Writes a backup file.
    public enum WriteBackup: WireMethod {
        public static let name = "backup.write"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var path: String

            public init(path: String) {
                self.path = path
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var bytes: Int

            public init(bytes: Int) {
                self.bytes = bytes
            }
        }
    }

    /// Replaces the present data by a backup, or by data that an earlier restore replaced.
    public enum RestoreBackup: WireMethod {
        public static let name = "backup.restore"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// The backup; `nil` with `replaced`.
            public var path: String?
            /// The number of replaced data, as `status` names them.
            public var replaced: Int?
            /// The passphrase of what is restored.
            public var passphrase: WireSecret
            public var replace: Bool?
            /// The passphrase of the data being replaced, if it differs from that of what is restored.
            public var current: WireSecret?

            public init(
                path: String? = nil, replaced: Int? = nil, passphrase: WireSecret, replace: Bool? = nil,
                current: WireSecret? = nil
            ) {
                self.path = path
                self.replaced = replaced
                self.passphrase = passphrase
                self.replace = replace
                self.current = current
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var items: Int

            /// Whether Latchkey is locked afterwards; absent where it is unlocked, as it should be.
            public var locked: Bool?

            public init(items: Int, locked: Bool? = nil) {
                self.items = items
                self.locked = locked
            }
        }
    }

    /// Ends the daemon.
    public enum Stop: WireMethod {
        public static let name = "stop"
        public typealias Params = Empty
        public typealias Answer = Empty
    }
}

/// An installation that a restore has put aside.
public struct ReplacedInstallation: Codable, Sendable, Equatable {
    public var number: Int
    /// Its folder.
    public var path: String
    /// When it was replaced, in seconds since 1970.
    public var date: Int64

    public init(number: Int, path: String, date: Int64) {
        self.number = number
        self.path = path
        self.date = date
    }
}

/// What is to be said where the keyring is missing that opens what is saved.
public struct MissingKeyring: Codable, Sendable, Equatable {
    /// What is there and what is missing.
    public var message: String
    /// What the user can do.
    public var hint: String

    public init(message: String, hint: String) {
        self.message = message
        self.hint = hint
    }
}

extension WireError {
    /// Why nothing can be opened where no keyring is: data are there without it, or Latchkey was never set up.
    public static func notInitialized(_ missing: MissingKeyring?) -> WireError {
        WireError(
            .notInitialized, missing?.message ?? "Latchkey is not set up yet.",
            hint: missing?.hint ?? "Begin with `latchkey init`.")
    }
}
