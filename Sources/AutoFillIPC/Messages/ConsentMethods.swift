// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The user's consents, and how to withdraw them (sections 5 and 6).
public enum Consents {
    /// All consents, newest first.
    public enum List: WireMethod {
        public static let name = "consents.list"
        public typealias Params = Empty

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var consents: [ConsentStatement]

            public init(consents: [ConsentStatement]) {
                self.consents = consents
            }
        }
    }

    /// Withdraws some consents, or all of them.
    public enum Forget: WireMethod {
        public static let name = "consents.forget"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// The consents to withdraw; absent for all.
            public var ids: [String]?

            public init(ids: [String]? = nil) {
                self.ids = ids
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var forgotten: Int

            public init(forgotten: Int) {
                self.forgotten = forgotten
            }
        }
    }
}

extension Consents {
    /// Takes back all that the user has agreed to, and sets preferences that protect less than their defaults to the defaults.
    public enum TakeBack: WireMethod {
        public static let name = "consents.takeBack"
        public typealias Params = Empty
        public typealias Answer = Empty
    }

    /// Lets what an older copy of the registry has count from now on.
    public enum KeepOlder: WireMethod {
        public static let name = "consents.keepOlder"
        public typealias Params = Empty
        public typealias Answer = Empty
    }
}

/// What a registry lacks that is older than what was counted.
public struct OlderRegistry: Codable, Sendable, Equatable {
    /// Number of changes.
    public var changes: Int
    /// When the first of them was made, in seconds since 1970; absent if that is not known.
    public var since: Int64?

    public init(changes: Int, since: Int64? = nil) {
        self.changes = changes
        self.since = since
    }
}

/// A consent to fill one credential at one place that otherwise requires a question.
public struct ConsentStatement: Codable, Sendable, Equatable {
    public var id: String
    /// `frame`, `insecureLocal` or `unstated`.
    public var kind: String
    /// The origin of the top document; absent if it contains the form itself.
    public var top: String?
    /// The origin of the document that holds the form.
    public var origin: String
    public var provider: String
    public var service: String
    public var user: String
    /// In seconds since 1970.
    public var date: Int64

    public init(
        id: String,
        kind: String,
        top: String? = nil,
        origin: String,
        provider: String,
        service: String,
        user: String,
        date: Int64
    ) {
        self.id = id
        self.kind = kind
        self.top = top
        self.origin = origin
        self.provider = provider
        self.service = service
        self.user = user
        self.date = date
    }
}
