// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Methods about apps, for the role settings (section 9).
public enum Apps {
    /// All known apps, and the user's decisions about others.
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

    /// The identity and the statements of a program, before any decision about it.
    public enum Look: WireMethod {
        public static let name = "apps.look"
        public typealias Params = AppReference
        public typealias Answer = AppAnswer
    }

    /// The user confirms that a program is an app.
    public enum Grant: WireMethod {
        public static let name = "apps.grant"
        public typealias Answer = AppAnswer

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var path: String
            /// The digest of the program that the user was shown.
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

    /// The user refuses a program, for as long as it stays unchanged.
    public enum Revoke: WireMethod {
        public static let name = "apps.revoke"
        public typealias Params = AppReference
        public typealias Answer = AppAnswer
    }

    /// Forgets the user's decision.
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
    /// `known`, `refused`, `changed`, `conflict`, `broken`, or `unknown` if the user has not decided yet.
    public var state: String
    /// The domain entries that the app states.
    public var domains: [String]
    /// The domains whose sites have confirmed the app.
    public var hosts: [String]
    public var problem: String?
    /// The path of the app's entitlement file.
    public var file: String?
    /// The time of the user's decision, in seconds since 1970.
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
