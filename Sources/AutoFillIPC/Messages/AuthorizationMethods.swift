// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Methods for apps that ask for a credential (section 9).
public enum Authorization {
    /// The environment variable from which `latchkey choose --for-app` reads its ticket.
    public static let ticketVariable = "LATCHKEY_TICKET"

    /// An app asks for one credential.
    public enum Request: WireMethod {
        public static let name = "authorization.request"
        public typealias Answer = CredentialAnswer

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// The types of credentials: `password`.
            public var types: [String]
            /// Where the system may ask, in order of preference: `window`, `terminal`.
            public var surfaces: [String]
            public var immediate: Bool?

            public init(types: [String], surfaces: [String], immediate: Bool? = nil) {
                self.types = types
                self.surfaces = surfaces
                self.immediate = immediate
            }
        }
    }

    /// An app asks to save a password. It does not learn the outcome.
    public enum Save: WireMethod {
        public static let name = "authorization.savePassword"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// The URL of the site that the password is for: https, on the default port.
            public var url: String
            public var user: String
            public var password: WireSecret
            public var title: String?
            /// As for `authorization.request`.
            public var surfaces: [String]

            public init(url: String, user: String, password: WireSecret, title: String? = nil, surfaces: [String]) {
                self.url = url
                self.user = user
                self.password = password
                self.title = title
                self.surfaces = surfaces
            }
        }
    }

    /// The app withdraws its request.
    public enum Cancel: WireMethod {
        public static let name = "authorization.cancel"
        public typealias Params = Empty
        public typealias Answer = Empty
    }

    /// The daemon asks the app to start the renderer on its terminal.
    public enum Present: WireMethod {
        public static let name = "authorization.present"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var ticket: String
            /// The program that draws.
            public var program: String

            public init(ticket: String, program: String) {
                self.ticket = ticket
                self.program = program
            }
        }
    }

    /// The renderer reports that it is ready. Answered when the request has ended.
    public enum Render: WireMethod {
        public static let name = "authorization.render"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var ticket: String

            public init(ticket: String) {
                self.ticket = ticket
            }
        }
    }
}
