// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Somebody's account.
struct Account: Codable, Equatable, Sendable {
    let user: String
    /// Nothing once the account signs in with Apple.
    var password: PasswordHash?
    var secondFactor: SecondFactor?
    /// Whom the identity provider calls so.
    var subject: String?
    var email: String?
}

/// What somebody shows to be the one whom an account belongs to.
struct Proof: Sendable {
    var user: String
    /// One of these two.
    var password: String?
    var token: String?
    /// Of the authenticator, where the account has one.
    var code: String?
}
