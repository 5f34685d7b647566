// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// One GET over HTTPS, and the bounds within which its answer is accepted.
public struct Download: Sendable, Equatable {
    /// What becomes of an answer that points elsewhere.
    public enum Redirects: Sendable, Equatable {
        /// It is reported as `DownloadOutcome.redirected`, and nobody goes there.
        case refused
        /// It is followed, to https addresses only, at most so many times.
        case followed(maximum: Int, onSameHostOnly: Bool)
    }

    /// Whose certificates are believed.
    public enum Trust: Sendable, Equatable {
        /// The system's roots, and those of the user's `fetch.json`.
        case system
        /// These roots (PEM) as well.
        case additional(rootsPEM: [UInt8])
        /// Anybody's: neither the chain nor the host name is checked. For an association's developer mode only.
        case any
    }

    /// How a body may be compressed on its way.
    public enum ContentEncoding: String, Sendable, Hashable, CaseIterable {
        case gzip
        case deflate
    }

    /// An absolute address with the scheme https; any other is `DownloadOutcome.unreachable`.
    public var address: String
    /// The most bytes of the body, uncompressed.
    public var limit: Int
    /// How long all of it may take: finding the host, connecting, redirects and the last byte.
    public var deadline: Duration
    public var redirects = Redirects.refused
    public var contentEncodings: Set<ContentEncoding> = []
    public var trust = Trust.system
    /// Whether the server is asked to hide the size of its answer by lines that mean nothing (haveibeenpwned's `Add-Padding`).
    public var asksForPadding = false

    /// A download that follows no redirect, accepts no compression and trusts the system's roots.
    public init(
        _ address: String, limit: Int, deadline: Duration, redirects: Redirects = .refused,
        contentEncodings: Set<ContentEncoding> = [], trust: Trust = .system
    ) {
        self.address = address
        self.limit = limit
        self.deadline = deadline
        self.redirects = redirects
        self.contentEncodings = contentEncodings
        self.trust = trust
    }
}
