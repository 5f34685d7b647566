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
    /// The extension as its browser names it: its origin in the Chromium family, its identifier in Firefox.
    public var `extension`: String

    public init(`extension`: String) {
        self.`extension` = `extension`
    }

    /// Reads the command line that a browser gives the host: the extension's origin in the Chromium family, the path of the host's
    /// manifest and the extension's identifier in Firefox. `nil` for any other command line.
    ///
    /// An identifier of Firefox can be no origin, so an extension of one family cannot pass for one of the other.
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
