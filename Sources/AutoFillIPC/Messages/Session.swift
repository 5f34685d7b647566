// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The greeting of every client.
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

/// The browser's arguments to its native messaging host.
public struct BrowserStatement: Codable, Sendable, Equatable {
    /// The extension's name in its browser: its origin in the Chromium family, its identifier in Firefox.
    public var `extension`: String

    public init(`extension`: String) {
        self.`extension` = `extension`
    }

    /// Reads the arguments that a browser passes to the host. Returns `nil` for any other command line.
    ///
    /// The Chromium family passes the extension's origin; Firefox passes the path of the host manifest and the
    /// extension's identifier. A Firefox identifier cannot be an origin, so an extension of one family cannot be
    /// mistaken for one of the other.
    public init?(hostArguments arguments: [String]) {
        guard arguments.count >= 2 else { return nil }
        if arguments[1].hasPrefix(Self.originPrefix) {
            self.init(extension: arguments[1])
        } else if arguments.count >= 3, arguments[1].hasPrefix("/"), !arguments[2].hasPrefix(Self.originPrefix) {
            self.init(extension: arguments[2])
        } else {
            return nil
        }
    }

    private static let originPrefix = "chrome-extension://"
}
