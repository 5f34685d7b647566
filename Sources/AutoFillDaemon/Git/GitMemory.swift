// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation

/// The user's agreements for git, and the releases to git. A lock removes both.
struct GitMemory: Sendable {
    /// One release to git, to which git's later report is compared.
    private struct Release {
        let request: GitRequest
        let provider: BundleIdentifier
        let identity: CredentialIdentity
        let fingerprint: Data
        /// Number of other passwords that were reported for it.
        var guesses = 0
    }

    /// The result of comparing the password that git reports with those that git was given, and with no others.
    enum Comparison: Sendable {
        /// It is what git was given.
        case same(provider: BundleIdentifier, identity: CredentialIdentity)
        /// Git was given another password for this request.
        case other(provider: BundleIdentifier, identity: CredentialIdentity)
        /// Git was given no password for this request, or too many others have been reported since.
        case unknown
    }

    /// Number of other passwords that may be reported after one release. Git reports the one that it used, once or twice.
    static let guessLimit = 3

    private static let limit = 64

    /// The user's agreements.
    var agreements = GitAgreements()
    private var releases: [Release] = []
    /// A key of this process alone, so that fingerprints of passwords are useless elsewhere.
    let fingerprintKey = SecretBytes.random(count: 32)

    init() {}

    mutating func released(
        _ identity: CredentialIdentity, of provider: BundleIdentifier, for request: GitRequest, fingerprint: Data
    ) {
        releases.append(
            Release(request: request.withoutUser, provider: provider, identity: identity, fingerprint: fingerprint))
        if releases.count > Self.limit { releases.removeFirst() }
    }

    /// Compares the password that git reports for a request with those that git was given. Another password counts as a guess; after
    /// `guessLimit` guesses the release is removed, and nothing more can be learned from it.
    ///
    /// - Parameter fingerprint: The fingerprint of the reported password; `nil` if git reports none.
    mutating func compare(_ request: GitRequest, fingerprint: Data?) -> Comparison {
        let about = releases.indices.filter { index in
            releases[index].request == request.withoutUser
                && (request.user == nil || request.user == releases[index].identity.user)
        }
        guard let last = about.last else { return .unknown }
        if let same = about.last(where: { fingerprint == nil || fingerprint == releases[$0].fingerprint }) {
            return .same(provider: releases[same].provider, identity: releases[same].identity)
        }
        let named = releases[last]
        for index in about { releases[index].guesses += 1 }
        releases.removeAll { $0.guesses >= Self.guessLimit }
        return .other(provider: named.provider, identity: named.identity)
    }
}
