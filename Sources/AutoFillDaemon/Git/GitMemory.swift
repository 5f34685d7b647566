// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation

/// What the user agreed to for git, for some minutes, and what git was given. It ends with a lock.
struct GitMemory: Sendable {
    /// One release, so that git's word on it can be understood.
    private struct Release {
        let request: GitRequest
        let provider: BundleIdentifier
        let identity: CredentialIdentity
        let fingerprint: Data
        /// How many other passwords were named for it.
        var guesses = 0
    }

    /// What git's word on a password comes to, compared with what git was given and with nothing else.
    enum Comparison: Sendable {
        /// It is what git was given.
        case same(provider: BundleIdentifier, identity: CredentialIdentity)
        /// Git was given another one for this.
        case other(provider: BundleIdentifier, identity: CredentialIdentity)
        /// Git was given nothing for this, or too many others have been named since.
        case unknown
    }

    /// Other passwords that may be named after one release: git names the one that it used, once or twice.
    static let guessLimit = 3

    private static let limit = 64

    /// What the user agreed to.
    var agreements = GitAgreements()
    private var releases: [Release] = []
    /// A key of this process alone, so that fingerprints of passwords are good for nothing else.
    let fingerprintKey = SecretBytes.random(count: 32)

    init() {}

    mutating func released(
        _ identity: CredentialIdentity, of provider: BundleIdentifier, for request: GitRequest, fingerprint: Data
    ) {
        releases.append(
            Release(request: request.withoutUser, provider: provider, identity: identity, fingerprint: fingerprint))
        if releases.count > Self.limit { releases.removeFirst() }
    }

    /// What git was given for a request and names now. A password that was not given counts as a guess; after `guessLimit` of
    /// them the release is forgotten, and nothing more can be learned from it.
    ///
    /// - Parameter fingerprint: Of the password that git names; `nil` where it names none.
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
