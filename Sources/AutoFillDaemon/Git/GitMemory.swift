// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillMatching
internal import AutoFillSecrets
internal import Foundation

/// What the user agreed to for git, for some minutes, and what git was given. It ends with a lock.
struct GitMemory: Sendable {
    /// One agreement: this program, this server or repository, this credential.
    private struct Agreement: Hashable {
        let caller: GitCaller
        let request: GitRequest
        let credential: Data
    }

    /// One release, so that git's word on it can be understood.
    private struct Release {
        let request: GitRequest
        let provider: BundleIdentifier
        let identity: CredentialIdentity
        let fingerprint: Data
    }

    private static let limit = 64

    private var agreements: [Agreement: ContinuousClock.Instant] = [:]
    private var releases: [Release] = []
    /// A key of this process alone, so that fingerprints of passwords are good for nothing else.
    let fingerprintKey = SecretBytes.random(count: 32)

    init() {}

    /// Remembers an agreement until a moment. One with a program that cannot be told is never remembered.
    mutating func agree(
        _ caller: GitCaller, _ request: GitRequest, _ credential: Data, until end: ContinuousClock.Instant
    ) {
        guard caller.isByGit else { return }
        agreements[Agreement(caller: caller, request: request.withoutUser, credential: credential)] = end
        if agreements.count > Self.limit, let oldest = agreements.min(by: { $0.value < $1.value })?.key {
            agreements[oldest] = nil
        }
    }

    func isAgreed(
        _ caller: GitCaller, _ request: GitRequest, _ credential: Data, at now: ContinuousClock.Instant
    ) -> Bool {
        let key = Agreement(caller: caller, request: request.withoutUser, credential: credential)
        return caller.isByGit && (agreements[key].map { now < $0 } ?? false)
    }

    /// Whoever may not have a credential any more has to ask again.
    mutating func forget(_ credential: Data) {
        agreements = agreements.filter { $0.key.credential != credential }
    }

    mutating func released(
        _ identity: CredentialIdentity, of provider: BundleIdentifier, for request: GitRequest, fingerprint: Data
    ) {
        releases.append(
            Release(request: request.withoutUser, provider: provider, identity: identity, fingerprint: fingerprint))
        if releases.count > Self.limit { releases.removeFirst() }
    }

    /// What git was given for a request and names now.
    func release(
        for request: GitRequest, fingerprint: Data?
    ) -> (provider: BundleIdentifier, identity: CredentialIdentity)? {
        releases.last { release in
            release.request == request.withoutUser && (request.user == nil || request.user == release.identity.user)
                && (fingerprint == nil || fingerprint == release.fingerprint)
        }.map { ($0.provider, $0.identity) }
    }
}

extension GitRequest {
    fileprivate var withoutUser: GitRequest { GitRequest(origin: origin, path: path, user: nil) }

    private init(origin: Origin, path: String?, user: String?) {
        self.origin = origin
        self.path = path
        self.user = user
    }
}
