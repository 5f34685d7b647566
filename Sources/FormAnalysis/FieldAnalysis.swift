// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the analysis says of one field.
public struct FieldAnalysis: Sendable, Hashable {
    /// The field's role; `nil` where nothing may be filled.
    public var role: FieldRole?
    /// The role that the field would have if it took anything: it is hidden, disabled or read-only, and `role` is `nil`.
    ///
    /// It says what the page's author means by the field, honeypots included. Nothing is ever filled by it.
    public var dormantRole: FieldRole?
    /// How sure the role is, 0...1: 1 where the page itself says so, 0 where there is no role.
    public var confidence: Double
    /// Short English clauses that say why the field has its role, or why it has none.
    public var reasons: [String]

    /// States a role; without arguments, that there is none.
    public init(role: FieldRole? = nil, confidence: Double = 0, reasons: [String] = []) {
        self.role = role
        self.confidence = confidence
        self.reasons = reasons
    }
}
