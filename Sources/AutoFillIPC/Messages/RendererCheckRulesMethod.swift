// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Renderer {
    /// What password rules mean, for their author; nothing of what is saved.
    public enum CheckRules: WireMethod {
        public static let name = "renderer.checkRules"

        /// The longest text that is read, in bytes.
        public static let limit = 4096

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// As the `passwordrules` attribute has them.
            public var rules: String

            public init(rules: String) {
                self.rules = rules
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// The rules as they are understood, in canonical form.
            public var canonical: String
            /// The printable ASCII characters that a password may hold.
            public var characters: String
            /// Whether it may hold every other character of Unicode as well.
            public var isUnicode: Bool
            public var minlength: Int?
            public var maxlength: Int?
            public var maxConsecutive: Int?
            public var diagnostics: [RulesFinding]
            /// How hard its passwords are to guess, in whole bits; absent where there is none.
            public var entropy: Int?
            /// What to know of passwords that are easy to guess.
            public var warning: String?
            /// Ten passwords that satisfy the rules, made for this answer and kept by nobody.
            public var examples: [String]
            /// Why there is none.
            public var failure: String?

            public init(
                canonical: String, characters: String, isUnicode: Bool, minlength: Int?, maxlength: Int?,
                maxConsecutive: Int?, diagnostics: [RulesFinding], entropy: Int?, warning: String?, examples: [String],
                failure: String?
            ) {
                self.canonical = canonical
                self.characters = characters
                self.isUnicode = isUnicode
                self.minlength = minlength
                self.maxlength = maxlength
                self.maxConsecutive = maxConsecutive
                self.diagnostics = diagnostics
                self.entropy = entropy
                self.warning = warning
                self.examples = examples
                self.failure = failure
            }
        }
    }
}

/// What is wrong with rules, where, and what to write instead.
public struct RulesFinding: Codable, Sendable, Equatable {
    /// In characters of Unicode; the first of the text has 1.
    public var column: Int
    public var message: String
    public var fix: String
    /// Whether something of the rules is lost by it.
    public var loses: Bool

    public init(column: Int, message: String, fix: String, loses: Bool) {
        self.column = column
        self.message = message
        self.fix = fix
        self.loses = loses
    }
}
