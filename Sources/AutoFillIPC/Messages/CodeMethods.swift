// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Methods about security codes, for the role settings (section 6).
public enum Codes {
    /// Passes on a message that may contain a code.
    public enum Offer: WireMethod {
        public static let name = "codes.offer"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// The whole text of the message. It is read and then forgotten.
            public var message: WireSecret

            public init(message: WireSecret) {
                self.message = message
            }
        }

        /// The result, which never contains the code.
        public struct Answer: Codable, Sendable, Equatable {
            /// Whether the message has a code.
            public var found: Bool
            /// Whether the code is offered from now on. A code that was already used is not.
            public var offered: Bool
            /// The reasons for this reading, for users.
            public var reason: String
            /// The host that the code is bound to.
            public var boundTo: String?
            /// The host of embedded frames to which the code is bound.
            public var embedded: String?
            /// Number of seconds for which the code is offered; absent if it is not.
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

/// A row's description of a code, without the code itself.
public struct CodeStatement: Codable, Sendable, Equatable {
    /// Names a code from a message. The name reveals nothing about the code.
    public var id: String?
    /// The source, in words: `messages (ModemManager)`; absent for a code of an authenticator.
    public var source: String?
    /// Number of seconds since it arrived; absent for a code of an authenticator.
    public var age: Int?
    /// The host to which it is bound; absent if there is none.
    public var boundTo: String?
    /// Number of seconds for which it remains valid; absent if that is unknown.
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

/// A source of codes.
public struct CodeSourceStatement: Codable, Sendable, Equatable {
    /// `modem`, `kdeconnect`, `gsconnect`, `maildir` or `command`.
    public var name: String
    /// `ready`, `waiting` (its service is not available at present) or `off`.
    public var state: String
    /// The reason for the state, in words.
    public var detail: String?

    public init(name: String, state: String, detail: String? = nil) {
        self.name = name
        self.state = state
        self.detail = detail
    }
}

/// A code held at present, and what happens to it at the place in question.
public struct ExplainedCode: Codable, Sendable, Equatable {
    public var source: String
    /// Number of seconds since it arrived.
    public var age: Int
    public var boundTo: String?
    public var embedded: String?
    public var offered: Bool
    /// The chain of reasons. The last one is the conclusion.
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
