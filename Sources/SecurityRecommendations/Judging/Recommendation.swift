// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What is wrong with one account, the most urgent thing first.
public struct Recommendation: Hashable, Sendable {
    public let account: JudgedAccount
    /// At least one.
    public let findings: [Finding]
    /// Whether the user does not want to see it.
    public let isHidden: Bool

    init?(_ account: JudgedAccount, _ findings: [Finding], hidden: Set<Finding.Kind>) {
        guard !findings.isEmpty else { return nil }
        self.account = account
        self.findings = findings.sorted { ($1.urgency, $0.kind.rawValue) < ($0.urgency, $1.kind.rawValue) }
        // Something new about a hidden account is not hidden.
        isHidden = findings.allSatisfy { hidden.contains($0.kind) }
    }

    /// As urgent as the most urgent finding, and a little more for each other one.
    public var urgency: Int { (findings.first?.urgency ?? 0) * 10 + min(findings.count, 9) }

    /// The most urgent first; among equals by service and user, so that the order stays.
    static func precedes(_ left: Recommendation, _ right: Recommendation) -> Bool {
        if left.urgency != right.urgency { return left.urgency > right.urgency }
        let (a, b) = (left.account, right.account)
        return (a.services.first ?? "", a.user, a.id) < (b.services.first ?? "", b.user, b.id)
    }
}
