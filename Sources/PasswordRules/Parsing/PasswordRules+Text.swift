// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension PasswordRules {
    /// Reads rules, passing over what is wrong in them.
    public init(_ text: String) {
        self = PasswordRulesReading(text).rules
    }

    /// The rules of several sources that hold together, of a field and of a site, say.
    ///
    /// Required classes are satisfied one by one, allowed ones unite, the strictest number holds. What is wrong in one text
    /// takes nothing from the others.
    public init(combining texts: [String]) {
        var combination = RulesCombination()
        for text in texts { combination.add(RulesReader.combination(of: text)) }
        self.init(combination)
    }
}
