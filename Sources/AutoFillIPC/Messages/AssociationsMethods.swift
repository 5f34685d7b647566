// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Methods that settings have for apps and their domains (section 6).
public enum Associations {
    /// The state of all associations.
    public enum List: WireMethod {
        public static let name = "associations.list"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// Lists the associations of this app only.
            public var app: String?

            public init(app: String? = nil) {
                self.app = app
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var associations: [AssociationStatement]
            public var developerMode: Bool
            /// `direct`, or the base of a content network.
            public var source: String

            public init(associations: [AssociationStatement], developerMode: Bool, source: String) {
                self.associations = associations
                self.developerMode = developerMode
                self.source = source
            }
        }
    }

    /// Asks the site immediately.
    public enum Check: WireMethod {
        public static let name = "associations.check"
        public typealias Answer = AssociationReport

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var host: String
            public var app: String?

            public init(host: String, app: String? = nil) {
                self.host = host
                self.app = app
            }
        }
    }

    /// Adds a domain to an app by hand, and asks the site at once.
    public enum Add: WireMethod {
        public static let name = "associations.add"
        public typealias Params = AssociationReference
        public typealias Answer = AssociationReport
    }

    /// Removes domains from an app.
    public enum Remove: WireMethod {
        public static let name = "associations.remove"
        public typealias Params = AssociationReference

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// The number of removed domains.
            public var removed: Int

            public init(removed: Int) {
                self.removed = removed
            }
        }
    }

    /// Recent events.
    public enum Log: WireMethod {
        public static let name = "associations.log"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// The number of the last line that the client already has.
            public var above: Int?

            public init(above: Int? = nil) {
                self.above = above
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var lines: [AssociationLogLine]

            public init(lines: [AssociationLogLine]) {
                self.lines = lines
            }
        }
    }

    /// Lets apps under development have their sites asked regardless of the certificate.
    public enum SetDeveloperMode: WireMethod {
        public static let name = "associations.developerMode"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var on: Bool

            public init(on: Bool) {
                self.on = on
            }
        }
    }

    /// Sets the source of sites' files.
    public enum SetSource: WireMethod {
        public static let name = "associations.source"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var source: String

            public init(source: String) {
                self.source = source
            }
        }
    }
}

/// Names an app and a domain.
public struct AssociationReference: Codable, Sendable, Equatable {
    public var app: String
    /// A host, `*.host`, or a whole entry; absent for all of the app's, where that is possible.
    public var domain: String?

    public init(app: String, domain: String?) {
        self.app = app
        self.domain = domain
    }
}

/// The state of the association between an app and a domain.
public struct AssociationStatement: Codable, Sendable, Equatable {
    public var app: String
    /// `shiny.example.com` or `*.example.com`.
    public var domain: String
    /// The whole entry of the entitlement.
    public var entry: String
    /// `Pending`, `SiteApproved`, `SiteDenied`, `Retrying`, `Unreachable`, `ModeNotAllowed`, `UserRemoved`.
    public var verdict: String
    /// The reason for the verdict, in a sentence.
    public var detail: String?
    /// Whether the domain's credentials may currently be used by the app.
    public var verified: Bool
    /// Whether the app's own entitlement states the domain; otherwise the user added it.
    public var statedByApp: Bool
    /// When the site last said yes, when it was last asked, and when it is asked next: seconds since 1970.
    public var approved: Int64?
    public var checked: Int64?
    public var next: Int64

    public init(
        app: String, domain: String, entry: String, verdict: String, detail: String?, verified: Bool,
        statedByApp: Bool, approved: Int64?, checked: Int64?, next: Int64
    ) {
        self.app = app
        self.domain = domain
        self.entry = entry
        self.verdict = verdict
        self.detail = detail
        self.verified = verified
        self.statedByApp = statedByApp
        self.approved = approved
        self.checked = checked
        self.next = next
    }
}

/// The result of asking a site.
public struct AssociationReport: Codable, Sendable, Equatable {
    /// The requests and answers, one line each.
    public var lines: [String]
    /// The apps named by the site's file; absent if there is no file.
    public var apps: [String]?
    /// Why the site could not be asked.
    public var trouble: String?
    public var associations: [AssociationStatement]

    public init(lines: [String], apps: [String]?, trouble: String?, associations: [AssociationStatement]) {
        self.lines = lines
        self.apps = apps
        self.trouble = trouble
        self.associations = associations
    }
}

/// A line of the associations' log.
public struct AssociationLogLine: Codable, Sendable, Equatable {
    /// The number of the line, which always increases.
    public var number: Int
    /// In seconds since 1970.
    public var time: Int64
    public var text: String

    public init(number: Int, time: Int64, text: String) {
        self.number = number
        self.time = time
        self.text = text
    }
}
