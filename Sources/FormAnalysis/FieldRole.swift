// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a field takes; raw values are the HTML `autocomplete` tokens, verbatim.
public enum FieldRole: String, Sendable, Hashable, CaseIterable {
    /// The name of an account, be it a user name or an email address.
    case username = "username"
    /// The password that the account has.
    case currentPassword = "current-password"
    /// A password that the account is to have: a first one, its successor, or either's repetition.
    case newPassword = "new-password"
    /// A code for one use; a field that takes one character of it has this role as well.
    case oneTimeCode = "one-time-code"

    /// Whether the field takes a password, be it the present one or the next.
    public var isPassword: Bool { self == .currentPassword || self == .newPassword }
}
