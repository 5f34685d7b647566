// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What is known of an account beside its password.
public struct JudgedAccount: Hashable, Sendable {
    /// The provider's own key for it.
    public let id: String
    /// Hosts, or URLs with a scheme.
    public let services: [String]
    public let user: String
    /// Changes whenever the account does: whoever finds the same one need not look at the password again.
    public let version: Int64

    public init(id: String, services: [String], user: String, version: Int64) {
        self.id = id
        self.services = services
        self.user = user
        self.version = version
    }
}
