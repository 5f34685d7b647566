// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Methods about security codes, for the role settings (section 6).
public enum Codes {
    /// A message that may hold a code.
    public enum Offer: WireMethod {
        public static let name = "codes.offer"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// The whole text. It is read and forgotten.
            public var message: WireSecret

            public init(message: WireSecret) {
                self.message = message
            }
        }

        /// The result. Never the code.
        public struct Answer: Codable, Sendable, Equatable {
            /// Whether the message has a code.
            public var found: Bool
            /// Whether it is offered from now on; not one that was used already.
            public var offered: Bool
            /// Why it is read so, for people.
            public var reason: String
            /// The host that the code is bound to.
            public var boundTo: String?
            /// The host of frames that it is bound to.
            public var embedded: String?
            /// For how many seconds it is offered; nothing where it is not.
            public var seconds: Int?

            public init(
                found: Bool,
                offered: Bool = false,
                reason: String,
                boundTo: String? = nil,
                embedded: String? = nil,
                seconds: Int? = nil
            ) {
                self.found = found
                self.offered = offered
                self.reason = reason
                self.boundTo = boundTo
                self.embedded = embedded
                self.seconds = seconds
            }
        }
    }
}

/// What a row says of a code, which itself is never in it.
public struct CodeStatement: Codable, Sendable, Equatable {
    /// Names one that came in a message, and is made of nothing in it.
    public var id: String?
    /// Where it came from, in words: `messages (ModemManager)`; absent for one that an authenticator makes.
    public var source: String?
    /// How many seconds ago it came; absent for one that an authenticator makes.
    public var age: Int?
    /// The host that it is bound to; absent where it is bound to none.
    public var boundTo: String?
    /// For how many seconds it is good from now on; absent where nobody says.
    public var secondsLeft: Int?

    public init(
        id: String? = nil,
        source: String? = nil,
        age: Int? = nil,
        boundTo: String? = nil,
        secondsLeft: Int? = nil
    ) {
        self.id = id
        self.source = source
        self.age = age
        self.boundTo = boundTo
        self.secondsLeft = secondsLeft
    }
}

/// A place that codes may come from.
public struct CodeSourceStatement: Codable, Sendable, Equatable {
    /// `modem`, `kdeconnect`, `gsconnect`, `maildir` or `command`.
    public var name: String
    /// `ready`, `waiting` (what it listens to is not there now) or `off`.
    public var state: String
    /// Why, in words.
    public var detail: String?

    public init(name: String, state: String, detail: String? = nil) {
        self.name = name
        self.state = state
        self.detail = detail
    }
}

/// A code that is kept, and what becomes of it at the place in question.
public struct ExplainedCode: Codable, Sendable, Equatable {
    public var source: String
    /// How many seconds ago it came.
    public var age: Int
    public var boundTo: String?
    public var embedded: String?
    public var offered: Bool
    /// The chain of reasons; the last one concludes.
    public var reasons: [String]

    public init(
        source: String,
        age: Int,
        boundTo: String? = nil,
        embedded: String? = nil,
        offered: Bool,
        reasons: [String]
    ) {
        self.source = source
        self.age = age
        self.boundTo = boundTo
        self.embedded = embedded
        self.offered = offered
        self.reasons = reasons
    }
}
