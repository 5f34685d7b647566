// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Renderer {
    /// Explains password rules to their author. Uses no saved data.
    public enum CheckRules: WireMethod {
        public static let name = "renderer.checkRules"

        /// Maximum length of the rules, in bytes.
        public static let limit = 4096

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// The rules in the syntax of the `passwordrules` attribute.
            public var rules: String

            public init(rules: String) {
                self.rules = rules
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// The parsed rules in canonical form.
            public var canonical: String
            /// The printable ASCII characters allowed in a password.
            public var characters: String
            /// Whether all other Unicode characters are allowed too.
            public var isUnicode: Bool
            public var minlength: Int?
            public var maxlength: Int?
            public var maxConsecutive: Int?
            public var diagnostics: [RulesFinding]
            /// The entropy of generated passwords, in whole bits; absent if none can be generated.
            public var entropy: Int?
            /// A warning if the passwords are easy to guess.
            public var warning: String?
            /// Ten passwords that satisfy the rules, generated for this answer and not saved.
            public var examples: [String]
            /// Why no password can be generated.
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

/// A fault in the rules: its place, and what to write instead.
public struct RulesFinding: Codable, Sendable, Equatable {
    /// The column in Unicode characters, counted from 1.
    public var column: Int
    public var message: String
    public var fix: String
    /// Whether part of the rules is lost by the fault.
    public var loses: Bool

    public init(column: Int, message: String, fix: String, loses: Bool) {
        self.column = column
        self.message = message
        self.fix = fix
        self.loses = loses
    }
}
