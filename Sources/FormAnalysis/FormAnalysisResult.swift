// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the analysis says of one form.
///
/// A form that holds several (signing in above signing up, say) gives one result for each; so do fields outside forms.
public struct FormAnalysisResult: Sendable, Hashable {
    /// The form's index in `PageDescription.forms`; `nil` for fields outside forms.
    public var form: Int?
    /// What the form is for.
    public var kind: FormKind
    /// The indices of those of its fields that have a role, in document order.
    public var fields: [Int]

    /// States what a form is for; without arguments, that it asks for no credential.
    public init(form: Int? = nil, kind: FormKind = .none, fields: [Int] = []) {
        self.form = form
        self.kind = kind
        self.fields = fields
    }
}
