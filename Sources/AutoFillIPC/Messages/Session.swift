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
            /// The display of the browser's windows; absent for other clients.
            public var display: DisplayStatement?

            public init(
                `protocol`: Int, client: Program, browser: BrowserStatement? = nil, display: DisplayStatement? = nil
            ) {
                self.display = display
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

/// The display of a program, as its environment names it. The daemon may have been started where there was none.
public struct DisplayStatement: Codable, Sendable, Equatable {
    /// `DISPLAY`.
    public var x11: String?
    /// `WAYLAND_DISPLAY`.
    public var wayland: String?
    /// `XAUTHORITY`.
    public var authority: String?

    /// Returns `nil` where the environment names no display.
    public init?(environment: [String: String]) {
        x11 = environment["DISPLAY"]
        wayland = environment["WAYLAND_DISPLAY"]
        authority = environment["XAUTHORITY"]
        if x11 == nil && wayland == nil { return nil }
    }

    /// An environment with this display in the place of its own.
    public func replacing(in environment: [String: String]) -> [String: String] {
        var environment = environment
        environment["DISPLAY"] = x11
        environment["WAYLAND_DISPLAY"] = wayland
        environment["XAUTHORITY"] = authority
        return environment
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
