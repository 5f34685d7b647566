// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Recommendations about saved passwords (sections 6 and 7: `recommendations.` and the capability `recommend`).
///
/// They never contain a password or any part of one.
public enum Recommendations {
    /// All recommendations for the settings, most urgent first.
    public enum List: WireMethod {
        public static let name = "recommendations.list"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// Whether to query known leaks over the network now, if the user's preference allows it.
            public var online: Bool?
            public var cursor: Int?

            public init(online: Bool? = nil, cursor: Int? = nil) {
                self.online = online
                self.cursor = cursor
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var recommendations: [RecommendationStatement]
            /// The cursor of the next page; null at the end.
            public var cursor: Int?
            /// The number of accounts examined.
            public var judged: Int
            /// Why known leaks were not searched, in a sentence.
            public var problem: String?

            public init(
                recommendations: [RecommendationStatement], cursor: Int? = nil, judged: Int, problem: String? = nil
            ) {
                self.recommendations = recommendations
                self.cursor = cursor
                self.judged = judged
                self.problem = problem
            }
        }
    }

    /// Hides the recommendations about an account, or shows them again.
    public enum Hide: WireMethod {
        public static let name = "recommendations.hide"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var id: String
            public var hidden: Bool

            public init(id: String, hidden: Bool) {
                self.id = id
                self.hidden = hidden
            }
        }
    }

    /// Requests recommendations from a provider with the capability `recommend`.
    public enum Judge: WireMethod {
        public static let name = "manage.recommendations"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// Groups of domains that share their accounts.
            public var groups: [[String]]?
            /// A list of leaked passwords on this machine: an absolute path that the provider can read.
            public var breaches: String?
            /// Whether the answer includes the ranges to query over the network.
            public var ranges: Bool?
            /// The requested account; absent for all.
            public var id: String?
            public var cursor: Int?

            public init(
                groups: [[String]]? = nil, breaches: String? = nil, ranges: Bool? = nil, id: String? = nil,
                cursor: Int? = nil
            ) {
                self.groups = groups
                self.breaches = breaches
                self.ranges = ranges
                self.id = id
                self.cursor = cursor
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var recommendations: [RecommendationStatement]
            public var cursor: Int?
            public var judged: Int
            public var problem: String?
            /// The first five hexadecimal digits of hashes whose ranges are still unknown. They do not reveal the account.
            public var ranges: [String]?

            public init(
                recommendations: [RecommendationStatement], cursor: Int? = nil, judged: Int, problem: String? = nil,
                ranges: [String]? = nil
            ) {
                self.recommendations = recommendations
                self.cursor = cursor
                self.judged = judged
                self.problem = problem
                self.ranges = ranges
            }
        }
    }

    /// Passes a range to a provider.
    public enum TakeRange: WireMethod {
        public static let name = "manage.takeRange"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// Five hexadecimal digits.
            public var prefix: String
            /// `SUFFIX:COUNT` lines.
            public var lines: String

            public init(prefix: String, lines: String) {
                self.prefix = prefix
                self.lines = lines
            }
        }
    }

    /// Hides the recommendations about an account in the provider that keeps it.
    public enum HideAccount: WireMethod {
        public static let name = "manage.hideRecommendation"
        public typealias Params = Hide.Params
        public typealias Answer = Empty
    }
}

/// The recommendations about one account.
public struct RecommendationStatement: Codable, Sendable, Equatable {
    /// The account's key, services and user, as in an item.
    public var id: String
    public var services: [String]
    public var user: String
    /// Higher is more urgent.
    public var urgency: Int
    /// Whether the user has hidden it.
    public var hidden: Bool
    /// The findings, most urgent first.
    public var findings: [FindingStatement]

    public init(
        id: String, services: [String], user: String, urgency: Int, hidden: Bool, findings: [FindingStatement]
    ) {
        self.id = id
        self.services = services
        self.user = user
        self.urgency = urgency
        self.hidden = hidden
        self.findings = findings
    }
}

/// One weakness that was found.
public struct FindingStatement: Codable, Sendable, Equatable {
    /// `breached`, `default`, `weak`, `reused`, `short`, `old`, or another word.
    public var kind: String
    /// The number of leaks, of other accounts with the same password, zxcvbn's score, or the length; 0 for other kinds.
    public var number: Int
    /// The keys of accounts with the same password, at most 20.
    public var accounts: [String]
    /// The reason, as a sentence for users.
    public var reason: String
    /// What the user should do about it.
    public var advice: String

    public init(kind: String, number: Int, accounts: [String], reason: String, advice: String) {
        self.kind = kind
        self.number = number
        self.accounts = accounts
        self.reason = reason
        self.advice = advice
    }
}

/// The request to `latchkey-fetch` for a range of leaked passwords, and its answer.
public enum RangeFetch {
    /// The member `job` of the request.
    public static let job = "breach-range"

    /// The request. It has room for five digits only, so it cannot reveal more.
    public struct Request: Codable, Sendable, Equatable {
        public var prefix: String

        public init(prefix: String) {
            self.prefix = prefix
        }
    }

    /// The result.
    public struct Answer: Codable, Sendable, Equatable {
        /// The parsed lines, without padding; absent on failure.
        public var lines: String?
        /// Why there are none, in a sentence.
        public var trouble: String?

        public init(lines: String? = nil, trouble: String? = nil) {
            self.lines = lines
            self.trouble = trouble
        }
    }
}
