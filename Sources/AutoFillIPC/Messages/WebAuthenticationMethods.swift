// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Signing in on web pages, in a window of the user's browser (sections 5 and 9).
public enum WebAuthentication {
    /// The callback that ends a sign-in: either a URL scheme, or a host and path over https.
    public struct Callback: Codable, Sendable, Equatable {
        public var scheme: String?
        public var host: String?
        public var path: String?

        public init(scheme: String) {
            self.scheme = scheme
        }

        public init(host: String, path: String) {
            self.host = host
            self.path = path
        }
    }

    /// An app asks the user to sign in on a page.
    public enum Request: WireMethod {
        public static let name = "webAuthentication.request"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var url: String
            public var callback: Callback
            /// Whether the browser should forget the session, if it can.
            public var ephemeral: Bool?

            public init(url: String, callback: Callback, ephemeral: Bool? = nil) {
                self.url = url
                self.callback = callback
                self.ephemeral = ephemeral
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// The callback address at which the window closed.
            public var url: String

            public init(url: String) {
                self.url = url
            }
        }
    }

    /// The daemon asks the browser to open a window on a page, and to wait for the callback.
    public enum Open: WireMethod {
        public static let name = "browser.authenticate"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// The name that `browser.dismiss` uses.
            public var prompt: String
            public var url: String
            public var callback: Callback
            /// Whether the callback is a form post, whose fields are requested.
            public var post: Bool
            public var ephemeral: Bool

            public init(prompt: String, url: String, callback: Callback, post: Bool, ephemeral: Bool) {
                self.prompt = prompt
                self.url = url
                self.callback = callback
                self.post = post
                self.ephemeral = ephemeral
            }
        }

        /// The result: the callback's address, or the posted fields.
        public struct Answer: Codable, Sendable, Equatable {
            public var url: String?
            public var fields: [String: String]?

            public init(url: String? = nil, fields: [String: String]? = nil) {
                self.url = url
                self.fields = fields
            }
        }
    }
}
