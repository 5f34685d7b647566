// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC

/// How often in a row a provider failed to deliver what its identities advertise.
struct DeliveryRecord: Sendable {
    /// After this many failures in a row, what a provider advertises is not believed any more.
    static let limit = 5

    private var failures: [BundleIdentifier: Int] = [:]

    /// Notes how a request for an advertised credential ended; true when its identity store has to go.
    mutating func note(_ provider: BundleIdentifier, _ result: Result<Void, any Error>) -> Bool {
        switch result {
        case .success:
            failures[provider] = nil
            return false
        case .failure(let error as WireError) where Self.isFailure(error.code):
            let count = failures[provider, default: 0] + 1
            failures[provider] = count >= Self.limit ? nil : count
            return count >= Self.limit
        case .failure: return false
        }
    }

    /// The user's no, a lock or too many requests say nothing about the provider.
    private static func isFailure(_ code: WireError.Code) -> Bool {
        [.providerExtension(0), .providerExtension(101), .timedOut, .providerUnavailable].contains(code)
    }
}
