// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillQuirks

/// What the built-in provider says of its passwords.
extension Broker {
    /// Whatever the provider sends as a secret is not even read: a verdict has none.
    func judge(id: String? = nil, cursor: Int? = nil) async throws -> Recommendations.Judge.Answer {
        let question = Recommendations.Judge.Params(
            groups: rules.quirks.shared.domains, breaches: preferences.breachList, ranges: preferences.breachRanges,
            id: id, cursor: cursor)
        return try await supervisor.manage(
            Recommendations.Judge.name, JSONValue(encoding: question), launch: launch()
        ).withoutSecrets.decoded()
    }
}
