// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

// How a keyboard on a screen helps with typing. Fields keep what they are told; nothing here has a keyboard on a screen.

/// Stands in for UIKit's type of the same name; the raw values are Apple's.
@nonexhaustive(warn)
public enum UITextAutocapitalizationType: Int, Sendable {
    /// Nothing is.
    case none = 0
    /// The first letter of each word.
    case words = 1
    /// The first letter of each sentence.
    case sentences = 2
    /// Every letter.
    case allCharacters = 3
}

/// Stands in for UIKit's type of the same name; the raw values are Apple's.
@nonexhaustive(warn)
public enum UITextAutocorrectionType: Int, Sendable {
    /// As the user has it.
    case `default` = 0
    /// Never.
    case no = 1
    /// Always.
    case yes = 2
}

/// Stands in for UIKit's type of the same name; the raw values are Apple's.
@nonexhaustive(warn)
public enum UITextSpellCheckingType: Int, Sendable {
    /// As the user has it.
    case `default` = 0
    /// Never.
    case no = 1
    /// Always.
    case yes = 2
}

/// Stands in for UIKit's type of the same name; the raw values are Apple's.
@nonexhaustive(warn)
public enum UIReturnKeyType: Int, Sendable {
    /// The usual word.
    case `default` = 0
    /// Go.
    case go = 1
    /// Google.
    case google = 2
    /// Join.
    case join = 3
    /// Next.
    case next = 4
    /// Route.
    case route = 5
    /// Search.
    case search = 6
    /// Send.
    case send = 7
    /// Yahoo.
    case yahoo = 8
    /// Done.
    case done = 9
    /// Emergency call.
    case emergencyCall = 10
    /// Continue.
    case `continue` = 11
}
