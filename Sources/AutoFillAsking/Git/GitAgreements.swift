// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillRelease
package import Foundation

/// The user's agreements for git since the last unlock.
package struct GitAgreements: Sendable {
    /// One agreement: this program, this server or repository, this credential.
    private struct Agreement: Hashable {
        let caller: GitCaller
        let request: GitRequest
        let credential: Data
    }

    private static let limit = 64

    /// Each agreement, with the time of the last one.
    private var agreements: [Agreement: ContinuousClock.Instant] = [:]

    package init() {}

    /// Remembers an agreement, unless the program behind git is unknown.
    package mutating func agree(
        _ caller: GitCaller, _ request: GitRequest, _ credential: Data, at now: ContinuousClock.Instant
    ) {
        guard caller.isByGit else { return }
        agreements[Agreement(caller: caller, request: request.withoutUser, credential: credential)] = now
        if agreements.count > Self.limit, let oldest = agreements.min(by: { $0.value < $1.value })?.key {
            agreements[oldest] = nil
        }
    }

    /// Whether the user has agreed since the last unlock, however long ago.
    package func isKnown(_ caller: GitCaller, _ request: GitRequest, _ credential: Data) -> Bool {
        agreements[Agreement(caller: caller, request: request.withoutUser, credential: credential)] != nil
    }

    /// Whether an agreement still holds.
    ///
    /// - Parameter span: How long agreements hold, by preference.
    package func isAgreed(
        _ caller: GitCaller, _ request: GitRequest, _ credential: Data, for span: Duration,
        at now: ContinuousClock.Instant
    ) -> Bool {
        let key = Agreement(caller: caller, request: request.withoutUser, credential: credential)
        return caller.isByGit && (agreements[key].map { now < $0 + span } ?? false)
    }

    /// Forgets a credential's agreements, so that its use has to be agreed to again.
    package mutating func forget(_ credential: Data) {
        agreements = agreements.filter { $0.key.credential != credential }
    }
}

extension GitRequest {
    /// The same request for any account of the server.
    package var withoutUser: GitRequest { GitRequest(origin: origin, path: path, user: nil) }
}
