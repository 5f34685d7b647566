// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What every client says first.
public enum Session {
    /// The first request of a connection.
    public enum Hello: WireMethod {
        public static let name = "hello"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var `protocol`: Int
            public var client: Program
            public var browser: BrowserStatement?

            public init(`protocol`: Int, client: Program, browser: BrowserStatement? = nil) {
                self.`protocol` = `protocol`
                self.client = client
                self.browser = browser
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var `protocol`: Int
            public var role: String
            public var version: String
            public var initialized: Bool
            public var locked: Bool

            public init(`protocol`: Int, role: String, version: String, initialized: Bool, locked: Bool) {
                self.`protocol` = `protocol`
                self.role = role
                self.version = version
                self.initialized = initialized
                self.locked = locked
            }
        }
    }
}

/// A program and its version, for the journal only.
public struct Program: Codable, Sendable, Equatable {
    public var name: String
    public var version: String

    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }
}

/// What the browser told its native messaging host.
public struct BrowserStatement: Codable, Sendable, Equatable {
    /// The origin of the extension.
    public var `extension`: String

    public init(`extension`: String) {
        self.`extension` = `extension`
    }
}
