// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a browser shows about a password that was filled, outside the page (section 5).
public enum Advice {
    /// A notification to the browser: a password that was filled had better be changed.
    public enum Show: WireMethod {
        public static let name = "browser.recommendation"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var tab: Int
            /// For the requests about it; random, and good for this connection.
            public var handle: String
            /// The host that it was filled at.
            public var site: String
            public var reason: String
            public var advice: String
            /// The name of the extension that would change it at one act; absent where there is none for it.
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

    /// Where the site lets its users change a password.
    public enum ChangePassword: WireMethod {
        public static let name = "renderer.changePassword"
        public typealias Params = Handle
        public typealias Answer = ChangePasswordPlace
    }

    /// The user does not want to see it any more.
    public enum Hide: WireMethod {
        public static let name = "renderer.hideRecommendation"
        public typealias Params = Handle
        public typealias Answer = Empty
    }

    /// The parameters of two of them.
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

/// What `latchkey-fetch` is asked about a site's `/.well-known/change-password`, and what it answers.
public enum ChangePasswordFetch {
    /// The member `job` of the request.
    public static let job = "change-password"

    /// The request.
    public struct Request: Codable, Sendable, Equatable {
        /// An https address of the site; its path does not matter.
        public var address: String

        public init(address: String) {
            self.address = address
        }
    }

    /// The result.
    public struct Answer: Codable, Sendable, Equatable {
        /// Whether the site's own address leads to where a password is changed.
        public var isUsable: Bool
        /// Why it does not; a sentence.
        public var reason: String?

        public init(isUsable: Bool, reason: String? = nil) {
            self.isUsable = isUsable
            self.reason = reason
        }
    }
}
