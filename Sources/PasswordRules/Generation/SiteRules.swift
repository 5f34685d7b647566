// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a field, the field for repeating it, and those who know the site say about its passwords, put together.
///
/// All of it holds together where something satisfies it. Where nothing does, somebody is wrong: what is known of the site, which
/// somebody has tried, is believed before what the page says, and nothing is better than no password.
public struct SiteRules: Hashable, Sendable {
    public let rules: PasswordRules
    /// Whether something of what was said had to be left out.
    public let isReduced: Bool

    public init(field: String? = nil, confirmation: String? = nil, known: String? = nil) {
        let all = [field, confirmation, known].compactMap(\.self).filter { !$0.isEmpty }
        let page = [field, confirmation].compactMap(\.self).filter { !$0.isEmpty }
        let choices = [all, known.map { [$0] } ?? [], page, []]
        for (index, texts) in choices.enumerated() {
            let rules = PasswordRules(combining: texts)
            guard (try? PasswordGenerator(rules: rules)) != nil else { continue }
            self.rules = rules
            isReduced = index > 0
            return
        }
        rules = .unstated
        isReduced = !all.isEmpty
    }
}
