// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// Carries the requests of the capability `recommend` to a provider's `CredentialRecommending`.
struct RecommendRoute: Sendable {
    let recommending: any CredentialRecommending

    /// Answers a request; nothing for a method that is none of these.
    func answer(_ method: String, _ params: JSONValue) async throws -> JSONValue? {
        switch method {
        case Recommendations.Judge.name: return try JSONValue(encoding: await judge(params.decoded()))
        case Recommendations.TakeRange.name:
            let range: Recommendations.TakeRange.Params = try params.decoded()
            try await recommending.takeRange(range.prefix, lines: range.lines)
        case Recommendations.HideAccount.name:
            let account: Recommendations.Hide.Params = try params.decoded()
            try await recommending.hideRecommendation(of: account.id, isHidden: account.hidden)
        default: return nil
        }
        return .object([:])
    }

    private func judge(_ params: Recommendations.Judge.Params) async throws -> Recommendations.Judge.Answer {
        let page = try await recommending.recommendations(
            RecommendationQuestion(
                groups: params.groups ?? [], breachList: params.breaches, wantsRanges: params.ranges ?? false,
                id: params.id, cursor: params.cursor))
        return Recommendations.Judge.Answer(
            recommendations: page.recommendations.map { RecommendationStatement($0) }, cursor: page.cursor,
            judged: page.judged, problem: page.problem, ranges: page.ranges.isEmpty ? nil : page.ranges)
    }
}

extension RecommendationStatement {
    init(_ recommendation: CredentialRecommendation) {
        self.init(
            id: recommendation.id, services: recommendation.services, user: recommendation.user,
            urgency: recommendation.urgency, hidden: recommendation.isHidden,
            findings: recommendation.findings.map {
                FindingStatement(
                    kind: $0.kind, number: $0.number, accounts: $0.accounts, reason: $0.reason, advice: $0.advice)
            })
    }
}
