// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The request to `latchkey-fetch` for a site's `apple-app-site-association`, and its answer.
///
/// The answer is built anew, in bounded size, from the parsed file. None of the server's bytes are passed on unchanged.
public enum AssociationFetch {
    /// The member `job` of the request.
    public static let job = "association"

    /// The request.
    public struct Request: Codable, Sendable, Equatable {
        public var host: String
        /// The modes of the entry: none, or any of `developer` and `managed`.
        public var mode: [String]
        /// `direct`, or the base of a content network.
        public var source: String

        public init(host: String, mode: [String], source: String) {
            self.host = host
            self.mode = mode
            self.source = source
        }
    }

    /// One request to a server, and its outcome.
    public struct Step: Codable, Sendable, Equatable {
        public var url: String
        public var outcome: String
        /// `delivered`, `denied` or `failed`.
        public var kind: String

        public init(url: String, outcome: String, kind: String) {
            self.url = url
            self.outcome = outcome
            self.kind = kind
        }
    }

    /// The answer. Exactly one of `apps`, `denied` and `trouble` is present.
    public struct Answer: Codable, Sendable, Equatable {
        public var steps: [Step]
        /// The identifiers that the file names.
        public var apps: [String]?
        /// Why the site does not confirm the association.
        public var denied: String?
        /// Why there is no lasting answer.
        public var trouble: String?

        public init(steps: [Step], apps: [String]? = nil, denied: String? = nil, trouble: String? = nil) {
            self.steps = steps
            self.apps = apps
            self.denied = denied
            self.trouble = trouble
        }
    }
}
