// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC

/// How often in a row a provider failed to deliver what its identities advertise.
struct DeliveryRecord: Sendable {
    /// Number of failures in a row after which a provider's identities are no longer trusted.
    static let limit = 5

    private var failures: [BundleIdentifier: Int] = [:]

    /// Records the result of a request for an advertised credential. Returns whether the provider's identity store must be deleted.
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

    /// Whether an error is the provider's fault. A refusal by the user, a lock or too many requests are not.
    private static func isFailure(_ code: WireError.Code) -> Bool {
        [.providerExtension(0), .providerExtension(101), .timedOut, .providerUnavailable].contains(code)
    }
}
