// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Methods that settings have for apps (section 9).
public enum Apps {
    /// All that are known, and what the user said about others.
    public enum List: WireMethod {
        public static let name = "apps.list"
        public typealias Params = Empty

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var apps: [AppStatement]

            public init(apps: [AppStatement]) {
                self.apps = apps
            }
        }
    }

    /// What a program is and states, before anything is said about it.
    public enum Look: WireMethod {
        public static let name = "apps.look"
        public typealias Params = AppReference
        public typealias Answer = AppAnswer
    }

    /// The user says that a program is an app.
    public enum Grant: WireMethod {
        public static let name = "apps.grant"
        public typealias Answer = AppAnswer

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var path: String
            /// Of what the user was shown.
            public var digest: String
            public var identifier: String
            public var domains: [String]

            public init(path: String, digest: String, identifier: String, domains: [String]) {
                self.path = path
                self.digest = digest
                self.identifier = identifier
                self.domains = domains
            }
        }
    }

    /// The user says no, for as long as the program stays as it is.
    public enum Revoke: WireMethod {
        public static let name = "apps.revoke"
        public typealias Params = AppReference
        public typealias Answer = AppAnswer
    }

    /// What the user said is forgotten.
    public enum Forget: WireMethod {
        public static let name = "apps.forget"
        public typealias Params = AppReference
        public typealias Answer = Empty
    }
}

/// Names an app by its program.
public struct AppReference: Codable, Sendable, Equatable {
    public var path: String

    public init(path: String) {
        self.path = path
    }
}

/// One app.
public struct AppAnswer: Codable, Sendable, Equatable {
    public var app: AppStatement

    public init(app: AppStatement) {
        self.app = app
    }
}

/// An app, as settings show it.
public struct AppStatement: Codable, Sendable, Equatable {
    public var identifier: String
    /// The executable, or the deployment of a sandboxed app.
    public var path: String
    public var digest: String?
    /// `system`, `flatpak`, `snap` or `user`.
    public var source: String
    /// `known`, `refused`, `changed`, `conflict`, `broken`, or `unknown` where nobody said anything yet.
    public var state: String
    /// The entries that it states.
    public var domains: [String]
    /// The domains whose sites have confirmed it.
    public var hosts: [String]
    public var problem: String?
    /// Its entitlement file.
    public var file: String?
    /// When the user said so, in seconds since 1970.
    public var date: Int64?

    public init(
        identifier: String,
        path: String,
        digest: String? = nil,
        source: String,
        state: String,
        domains: [String] = [],
        hosts: [String] = [],
        problem: String? = nil,
        file: String? = nil,
        date: Int64? = nil
    ) {
        self.identifier = identifier
        self.path = path
        self.digest = digest
        self.source = source
        self.state = state
        self.domains = domains
        self.hosts = hosts
        self.problem = problem
        self.file = file
        self.date = date
    }
}
