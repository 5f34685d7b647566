// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import ShownText

/// The methods of git's credential helper.
public enum Git {
    /// Git requests a credential.
    public enum Get: WireMethod {
        public static let name = "git.get"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var target: GitTarget
            /// Whether the helper has a terminal on which the user may be asked.
            public var terminal: Bool

            public init(target: GitTarget, terminal: Bool) {
                self.target = target
                self.terminal = terminal
            }
        }

        /// The result. Without a password, git gets no credential.
        public struct Answer: Codable, Sendable, Equatable {
            public var user: String?
            public var password: WireSecret?
            /// When the password expires, in seconds since 1970.
            public var expires: Int64?
            /// Whether the user wants git to stop.
            public var quit: Bool?

            public init(
                user: String? = nil,
                password: WireSecret? = nil,
                expires: Int64? = nil,
                quit: Bool? = nil
            ) {
                self.user = user
                self.password = password
                self.expires = expires
                self.quit = quit
            }
        }
    }

    /// A credential worked.
    public enum Store: WireMethod {
        public static let name = "git.store"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var target: GitTarget
            public var password: WireSecret
            public var expires: Int64?
            public var terminal: Bool

            public init(target: GitTarget, password: WireSecret, expires: Int64? = nil, terminal: Bool) {
                self.target = target
                self.password = password
                self.expires = expires
                self.terminal = terminal
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// `saved`, `updated`, `known` or `ignored`.
            public var outcome: String

            public init(outcome: String) {
                self.outcome = outcome
            }
        }
    }

    /// A credential did not work. Its item is marked, and kept.
    public enum Erase: WireMethod {
        public static let name = "git.erase"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var target: GitTarget
            /// The password that did not work. An item with another password is not marked.
            public var password: WireSecret?

            public init(target: GitTarget, password: WireSecret? = nil) {
                self.target = target
                self.password = password
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// The number of marked items.
            public var marked: Int

            public init(marked: Int) {
                self.marked = marked
            }
        }
    }

    /// The daemon has the helper ask the user on the terminal.
    public enum Ask: WireMethod {
        public static let name = "git.ask"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// `use`, `save`, `update`, `unlock` or `authenticate`.
            public var kind: String
            /// The program that started git.
            public var requester: DisplayText
            /// The origin, and the path if git names one.
            public var site: DisplayText?
            public var accounts: [GitAccount]
            /// The error of the last attempt.
            public var message: String?
            /// For `unlock`: whether the PIN unlocks, too.
            public var takesPIN: Bool?

            public init(
                kind: String,
                requester: DisplayText,
                site: DisplayText? = nil,
                accounts: [GitAccount] = [],
                message: String? = nil,
                takesPIN: Bool? = nil
            ) {
                self.takesPIN = takesPIN
                self.kind = kind
                self.requester = requester
                self.site = site
                self.accounts = accounts
                self.message = message
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// The chosen account, counted from 0; absent if the user refused.
            public var choice: Int?
            public var passphrase: WireSecret?
            public var quit: Bool?

            public init(choice: Int? = nil, passphrase: WireSecret? = nil, quit: Bool? = nil) {
                self.choice = choice
                self.passphrase = passphrase
                self.quit = quit
            }
        }
    }
}

/// The target that git names: a server, optionally an account, and a repository if `credential.useHttpPath` is set.
public struct GitTarget: Codable, Sendable, Equatable {
    /// `https` or `http`.
    public var scheme: String
    /// The host, with the port if there is one.
    public var host: String
    public var path: String?
    public var user: String?

    public init(scheme: String, host: String, path: String? = nil, user: String? = nil) {
        self.scheme = scheme
        self.host = host
        self.path = path
        self.user = user
    }
}

/// An account that the user may choose.
public struct GitAccount: Codable, Sendable, Equatable {
    public var user: DisplayText
    /// The service it was saved for.
    public var service: DisplayText
    /// The reason for its lower place in the list.
    public var note: DisplayText?

    public init(user: DisplayText, service: DisplayText, note: DisplayText? = nil) {
        self.user = user
        self.service = service
        self.note = note
    }
}
