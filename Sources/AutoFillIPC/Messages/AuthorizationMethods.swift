// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Methods for apps that ask for a credential (section 9).
public enum Authorization {
    /// Where `latchkey choose --for-app` finds its ticket.
    public static let ticketVariable = "LATCHKEY_TICKET"

    /// An app asks for one credential.
    public enum Request: WireMethod {
        public static let name = "authorization.request"
        public typealias Answer = CredentialAnswer

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// Of credentials: `password`.
            public var types: [String]
            /// `window`, `terminal`: where the system may ask, the preferred one first.
            public var surfaces: [String]
            public var immediate: Bool?

            public init(types: [String], surfaces: [String], immediate: Bool? = nil) {
                self.types = types
                self.surfaces = surfaces
                self.immediate = immediate
            }
        }
    }

    /// An app has a password saved; what becomes of that it does not learn.
    public enum Save: WireMethod {
        public static let name = "authorization.savePassword"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// Of the site that the password is for: https, the default port.
            public var url: String
            public var user: String
            public var password: WireSecret
            public var title: String?
            /// As those of a request.
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

    /// The app does not want it any more.
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
            /// Which program draws.
            public var program: String

            public init(ticket: String, program: String) {
                self.ticket = ticket
                self.program = program
            }
        }
    }

    /// The renderer takes its seat; answered when the request has ended.
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
