// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Something that a page's author can do so that AutoFill works without guessing.
public struct Advice: Sendable, Hashable {
    /// How much it matters.
    public enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
        /// AutoFill does the wrong thing, or secrets are exposed.
        case error
        /// AutoFill has to guess.
        case warning
        /// It would be better still.
        case note

        private var weight: Int {
            switch self {
            case .error: 2
            case .warning: 1
            case .note: 0
            }
        }

        public static func < (left: Severity, right: Severity) -> Bool { left.weight < right.weight }
    }

    /// A stable name for the rule, in words with hyphens.
    public var rule: String
    public var severity: Severity
    /// The index in `PageDescription.fields` of the field that it is about; `nil` where it is about a form or the page.
    public var field: Int?
    /// The index in `PageDescription.forms` of the form that it is about.
    public var form: Int?
    /// What is wrong, in one sentence.
    public var problem: String
    /// What to write, in one line.
    public var fix: String

    /// States an advice.
    public init(
        rule: String, severity: Severity, field: Int? = nil, form: Int? = nil, problem: String, fix: String
    ) {
        self.rule = rule
        self.severity = severity
        self.field = field
        self.form = form
        self.problem = problem
        self.fix = fix
    }
}
