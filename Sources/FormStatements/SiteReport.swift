// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import FormAnalysis

/// What `latchkey-fetch` is asked about a page and its site, and what it answers: the page's description, not the page.
public enum SiteFetch {
    /// The member `job` of the request.
    public static let job = "site"
    /// The most bytes of an answer.
    public static let maximumAnswer = 16 << 20

    /// The request.
    public struct Request: Codable, Sendable, Equatable {
        /// An https address.
        public var address: String

        public init(address: String) {
            self.address = address
        }
    }

    /// One request to the site, and what became of it.
    public struct Step: Codable, Sendable, Equatable {
        public var address: String
        public var outcome: String

        public init(address: String, outcome: String) {
            self.address = address
            self.outcome = outcome
        }
    }

    /// Why there is no page.
    public struct Refusal: Codable, Sendable, Equatable {
        /// What the command line makes of it.
        public enum Kind: String, Codable, Sendable {
            /// What came is not a page that is read here.
            case refused
            /// The site says that there is none.
            case absent
            /// The site did not say anything.
            case unavailable
        }

        public var kind: Kind
        /// One sentence.
        public var reason: String
        public var hint: String?

        public init(kind: Kind, reason: String, hint: String? = nil) {
            self.kind = kind
            self.reason = reason
            self.hint = hint
        }
    }

    /// The answer: one of `page` and `refusal` is there.
    public struct Answer: Codable, Sendable, Equatable {
        public var page: PageDescription?
        public var refusal: Refusal?
        public var facts: SiteFacts
        public var steps: [Step]

        public init(
            page: PageDescription? = nil, refusal: Refusal? = nil, facts: SiteFacts = SiteFacts(), steps: [Step]
        ) {
            self.page = page
            self.refusal = refusal
            self.facts = facts
            self.steps = steps
        }
    }
}
