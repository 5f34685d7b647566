// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What is wrong with saved passwords (sections 6 and 7: `recommendations.` and the capability `recommend`). Never a password, nor
/// anything of one.
public enum Recommendations {
    /// All of them, the most urgent first, to the settings.
    public enum List: WireMethod {
        public static let name = "recommendations.list"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// Whether known leaks are asked for over the network now, where the user's preference allows it.
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
            /// Null at the end.
            public var cursor: Int?
            /// How many accounts were looked at.
            public var judged: Int
            /// Why known leaks were not looked through; a sentence.
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

    /// Hides what there is to say about an account, or shows it again.
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

    /// The same question to a provider with the capability `recommend`.
    public enum Judge: WireMethod {
        public static let name = "manage.recommendations"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// Domains that share their accounts, by group.
            public var groups: [[String]]?
            /// A list of leaked passwords on this machine: an absolute path that the provider can read.
            public var breaches: String?
            /// Whether the answer is to say which ranges the network could be asked about.
            public var ranges: Bool?
            /// The account that is wanted; absent for all.
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
            /// The first five hexadecimal digits of hashes whose ranges are not known yet; never which account they are of.
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

    /// Hands a range to a provider.
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

    /// Hides, in the provider that keeps the account.
    public enum HideAccount: WireMethod {
        public static let name = "manage.hideRecommendation"
        public typealias Params = Hide.Params
        public typealias Answer = Empty
    }
}

/// What is wrong with one account.
public struct RecommendationStatement: Codable, Sendable, Equatable {
    /// The account's key, services and user, as in an item.
    public var id: String
    public var services: [String]
    public var user: String
    /// Higher is more urgent.
    public var urgency: Int
    /// Whether the user does not want to see it.
    public var hidden: Bool
    /// The most urgent first.
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

/// One thing that is wrong.
public struct FindingStatement: Codable, Sendable, Equatable {
    /// `breached`, `default`, `weak`, `reused`, `short`, `old`, or another word.
    public var kind: String
    /// How often it leaked, how many other accounts have it, zxcvbn's score, how many characters; 0 for the others.
    public var number: Int
    /// The keys of accounts that have the same password, at most 20.
    public var accounts: [String]
    /// A sentence for people.
    public var reason: String
    /// What to do about it.
    public var advice: String

    public init(kind: String, number: Int, accounts: [String], reason: String, advice: String) {
        self.kind = kind
        self.number = number
        self.accounts = accounts
        self.reason = reason
        self.advice = advice
    }
}

/// What `latchkey-fetch` is asked about a range of leaked passwords, and what it answers.
public enum RangeFetch {
    /// The member `job` of the request.
    public static let job = "breach-range"

    /// The request. It has room for five digits and for nothing else.
    public struct Request: Codable, Sendable, Equatable {
        public var prefix: String

        public init(prefix: String) {
            self.prefix = prefix
        }
    }

    /// The result.
    public struct Answer: Codable, Sendable, Equatable {
        /// The lines as they were understood, without padding; absent where there are none.
        public var lines: String?
        /// Why there are none; a sentence.
        public var trouble: String?

        public init(lines: String? = nil, trouble: String? = nil) {
            self.lines = lines
            self.trouble = trouble
        }
    }
}
