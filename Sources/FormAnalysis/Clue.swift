// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// One thing that speaks for what a form is for.
struct Clue {
    /// What a form with passwords can be for.
    enum Purpose {
        case signIn, signUp, change
    }

    /// Where a clue was found; the order is that in which reasons are given.
    enum Source: Int, Comparable {
        case button, otherButton, heading, lead, link, name, action, title, path, fields, passwordRules

        static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }

        /// Whether it is the page that says so, not the form.
        var isPage: Bool { self == .title || self == .path }
        /// Whether it is what the form asks for that says so, not its words.
        var isField: Bool { self == .fields || self == .passwordRules }

        /// What to call it in a reason.
        var words: String {
            switch self {
            case .button: "its button"
            case .otherButton: "another button"
            case .heading: "its heading"
            case .lead: "the text above it"
            case .link: "its links"
            case .name: "its name"
            case .action: "its address"
            case .title: "the page's title"
            case .path: "the page's address"
            case .fields: "what it asks for"
            case .passwordRules: "rules for the password"
            }
        }
    }

    let purpose: Purpose
    let source: Source
    let points: Int
}
