// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Advice that a browser shows outside the page about a password that was filled (section 5).
public enum Advice {
    /// A notification to the browser: a password that was filled should be changed.
    public enum Show: WireMethod {
        public static let name = "browser.recommendation"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var tab: Int
            /// Names the advice in later requests. Random, and valid on this connection only.
            public var handle: String
            /// The host at which the password was filled.
            public var site: String
            public var reason: String
            public var advice: String
            /// The name of the extension that can change the password in one step; absent if there is none.
            public var upgrade: String?

            public init(
                tab: Int, handle: String, site: String, reason: String, advice: String, upgrade: String? = nil
            ) {
                self.upgrade = upgrade
                self.tab = tab
                self.handle = handle
                self.site = site
                self.reason = reason
                self.advice = advice
            }
        }
    }

    /// Asks for the page where the site's users change their passwords.
    public enum ChangePassword: WireMethod {
        public static let name = "renderer.changePassword"
        public typealias Params = Handle
        public typealias Answer = ChangePasswordPlace
    }

    /// The user does not want to see this advice again.
    public enum Hide: WireMethod {
        public static let name = "renderer.hideRecommendation"
        public typealias Params = Handle
        public typealias Answer = Empty
    }

    /// The parameters of `ChangePassword` and `Hide`.
    public struct Handle: Codable, Sendable, Equatable {
        public var handle: String

        public init(handle: String) {
            self.handle = handle
        }
    }
}

/// The page of a site where a password is changed.
public struct ChangePasswordPlace: Codable, Sendable, Equatable {
    /// An https URL of the site.
    public var url: String
    /// `site` (the site's own well-known address), or `quirks`.
    public var source: String

    public init(url: String, source: String) {
        self.url = url
        self.source = source
    }
}

/// The request to `latchkey-fetch` for a site's `/.well-known/change-password`, and its answer.
public enum ChangePasswordFetch {
    /// The member `job` of the request.
    public static let job = "change-password"

    /// The request.
    public struct Request: Codable, Sendable, Equatable {
        /// An https address of the site. Its path is ignored.
        public var address: String

        public init(address: String) {
            self.address = address
        }
    }

    /// The result.
    public struct Answer: Codable, Sendable, Equatable {
        /// Whether the site's well-known address leads to a page for changing a password.
        public var isUsable: Bool
        /// Why it does not, in a sentence.
        public var reason: String?

        public init(isUsable: Bool, reason: String? = nil) {
            self.isUsable = isUsable
            self.reason = reason
        }
    }
}
