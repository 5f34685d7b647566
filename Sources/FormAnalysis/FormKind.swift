// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a form is for, as far as credentials go.
public enum FormKind: String, Sendable, Hashable, CaseIterable {
    /// Asks for a user name and its password.
    case signIn = "sign-in"
    /// The first of two steps: asks for the user name alone.
    case userNameFirst = "username-first"
    /// The second of two steps: asks for the password alone.
    case passwordSecond = "password-second"
    /// Makes an account.
    case signUp = "sign-up"
    /// Gives an account another password, with or without asking for the current one.
    case changePassword = "change-password"
    /// Asks for a code for one use, and no password.
    case oneTimeCode = "one-time-code"
    /// Asks for no credential.
    case none = "none"
}
