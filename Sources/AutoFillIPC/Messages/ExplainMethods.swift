// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Explains why something is offered and something else is not (section 6). The answer contains no secrets.
public enum Explain: WireMethod {
    public static let name = "explain"

    /// The parameters: a page, or the hosts that an app is associated with.
    public struct Params: Codable, Sendable, Equatable {
        /// The top document's URL.
        public var url: String?
        /// The URLs of the frames, from the one in the top document down to the one that contains the form.
        public var frames: [String]?
        /// `host` or `*.host`.
        public var hosts: [String]?

        public init(url: String? = nil, frames: [String]? = nil, hosts: [String]? = nil) {
            self.url = url
            self.frames = frames
            self.hosts = hosts
        }
    }

    /// The result.
    public struct Answer: Codable, Sendable, Equatable {
        /// `ready`, `locked` or `uninitialized`.
        public var state: String
        public var preferences: Preferences
        /// The public suffix list in force.
        public var suffixes: SuffixesStatement
        /// The number of known groups of sites that share accounts.
        public var sharedGroups: Int
        public var quirksFolder: String?
        public var providers: [ExplainedProvider]
        /// Why nothing at all is offered.
        public var refusal: String?
        /// The saved host that the page's host resembles without being the same.
        public var lookalike: String?
        /// Candidates that share a word of the index, or look similar; best first.
        public var candidates: [ExplainedCandidate]
        /// Whether there are more candidates than the answer contains.
        public var truncated: Bool
        /// What happened to each code held at present, newest first. Never contains a code.
        public var codes: [ExplainedCode]?

        public init(
            state: String,
            preferences: Preferences,
            suffixes: SuffixesStatement,
            sharedGroups: Int,
            quirksFolder: String? = nil,
            providers: [ExplainedProvider] = [],
            refusal: String? = nil,
            lookalike: String? = nil,
            candidates: [ExplainedCandidate] = [],
            truncated: Bool = false
        ) {
            self.state = state
            self.preferences = preferences
            self.suffixes = suffixes
            self.sharedGroups = sharedGroups
            self.quirksFolder = quirksFolder
            self.providers = providers
            self.refusal = refusal
            self.lookalike = lookalike
            self.candidates = candidates
            self.truncated = truncated
        }
    }
}

/// A public suffix list.
public struct SuffixesStatement: Codable, Sendable, Equatable {
    public var source: String
    /// In seconds since 1970; 0 if unknown.
    public var date: Int64

    public init(source: String, date: Int64) {
        self.source = source
        self.date = date
    }
}

/// A provider, as far as it affects what is offered.
public struct ExplainedProvider: Codable, Sendable, Equatable {
    public var identifier: String
    public var name: String
    public var enabled: Bool
    /// The number of identities it offers; absent if its store cannot be read.
    public var identities: Int?

    public init(identifier: String, name: String, enabled: Bool, identities: Int? = nil) {
        self.identifier = identifier
        self.name = name
        self.enabled = enabled
        self.identities = identities
    }
}

/// A saved identity, and what happens to it here.
public struct ExplainedCandidate: Codable, Sendable, Equatable {
    public var provider: String
    public var service: String
    public var user: String
    public var type: String
    /// Whether it is a row of the bar.
    public var offered: Bool
    /// `exact`, `sameSite`, `shared`, `associated` or `refused`.
    public var decision: String
    /// The questions that the user is asked first, one sentence each.
    public var consent: [String]
    /// The chain of reasons. The last one is the conclusion.
    public var reasons: [String]
    /// Whether it was released here before, so that a tap in the page suffices.
    public var releasedBefore: Bool?
    /// When a server last rejected it, in seconds since 1970.
    public var rejected: Int64?

    public init(
        provider: String,
        service: String,
        user: String,
        type: String,
        offered: Bool,
        decision: String,
        consent: [String],
        reasons: [String],
        releasedBefore: Bool? = nil,
        rejected: Int64? = nil
    ) {
        self.provider = provider
        self.service = service
        self.user = user
        self.type = type
        self.offered = offered
        self.decision = decision
        self.consent = consent
        self.reasons = reasons
        self.releasedBefore = releasedBefore
        self.rejected = rejected
    }
}
