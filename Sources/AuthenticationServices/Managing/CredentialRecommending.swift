// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Tells which of the passwords that a provider keeps had better be changed: the capability `recommend`, an addition of ours.
///
/// A provider whose `CredentialManaging` is one of these too offers it. Passwords are judged inside the provider; what it answers holds
/// nothing of them.
public protocol CredentialRecommending: CredentialManaging {
    /// A page of what is wrong, the most urgent first.
    func recommendations(_ question: RecommendationQuestion) async throws -> CredentialRecommendationPage

    /// Takes what the network says of the hashes that begin with five digits: `SUFFIX:COUNT` lines.
    func takeRange(_ prefix: String, lines: String) async throws

    /// Hides what there is to say about an account now, or shows it again.
    func hideRecommendation(of id: String, isHidden: Bool) async throws
}

/// What is asked of `CredentialRecommending`.
public struct RecommendationQuestion: Sendable, Equatable {
    /// Domains that share their accounts, by group.
    public var groups: [[String]]
    /// A list of leaked passwords on this machine; `nil` where there is none.
    public var breachList: String?
    /// Whether the answer is to say which ranges the network could be asked about.
    public var wantsRanges: Bool
    /// The account that is asked about; `nil` for all.
    public var id: String?
    /// As the page before said; `nil` for the first one.
    public var cursor: Int?

    /// A question with all its members.
    public init(
        groups: [[String]] = [], breachList: String? = nil, wantsRanges: Bool = false, id: String? = nil,
        cursor: Int? = nil
    ) {
        self.groups = groups
        self.breachList = breachList
        self.wantsRanges = wantsRanges
        self.id = id
        self.cursor = cursor
    }
}

/// A part of the recommendations.
public struct CredentialRecommendationPage: Sendable, Equatable {
    /// The most urgent first.
    public var recommendations: [CredentialRecommendation]
    /// What to ask for the next page with; `nil` at the end.
    public var cursor: Int?
    /// How many accounts were looked at.
    public var judged: Int
    /// Why known leaks were not looked through; a sentence.
    public var problem: String?
    /// Ranges that are not known yet, each by five hexadecimal digits.
    public var ranges: [String]

    /// A page with all its members.
    public init(
        recommendations: [CredentialRecommendation], cursor: Int? = nil, judged: Int, problem: String? = nil,
        ranges: [String] = []
    ) {
        self.recommendations = recommendations
        self.cursor = cursor
        self.judged = judged
        self.problem = problem
        self.ranges = ranges
    }
}

/// What is wrong with one account.
public struct CredentialRecommendation: Sendable, Equatable {
    /// One thing that is wrong.
    public struct Finding: Sendable, Equatable {
        /// `breached`, `default`, `weak`, `reused`, `short`, `old`, or another word.
        public var kind: String
        /// What the kind counts; 0 where it counts nothing.
        public var number: Int
        /// The keys of accounts that have the same password.
        public var accounts: [String]
        /// A sentence for people.
        public var reason: String
        /// What to do about it.
        public var advice: String

        /// A finding with all its members.
        public init(kind: String, number: Int, accounts: [String], reason: String, advice: String) {
            self.kind = kind
            self.number = number
            self.accounts = accounts
            self.reason = reason
            self.advice = advice
        }
    }

    /// The provider's own key for the account.
    public var id: String
    /// Hosts, or URLs with a scheme.
    public var services: [String]
    /// Whom the password belongs to.
    public var user: String
    /// Higher is more urgent.
    public var urgency: Int
    /// Whether the user does not want to see it.
    public var isHidden: Bool
    /// The most urgent first.
    public var findings: [Finding]

    /// A recommendation with all its members.
    public init(id: String, services: [String], user: String, urgency: Int, isHidden: Bool, findings: [Finding]) {
        self.id = id
        self.services = services
        self.user = user
        self.urgency = urgency
        self.isHidden = isHidden
        self.findings = findings
    }
}
