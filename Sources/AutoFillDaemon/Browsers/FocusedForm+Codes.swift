// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import FormAnalysis

extension FocusedForm {
    /// How many boxes a code is typed into, a character each.
    private static let boxes = 4...8

    /// Whether a code is what the fields ask for.
    var asksForCode: Bool { fields.contains { $0.role == FieldRole.oneTimeCode.rawValue } }

    /// The fields that one code goes into: the field itself, or the whole row of boxes that it is one of. Nothing where the
    /// field asks for something else.
    static func codeFields(_ statements: [FieldStatement], _ analysis: PageAnalysis, _ index: Int)
        -> [FieldRoleAnswer]?
    {
        guard analysis.fields[index].role == .oneTimeCode else { return nil }
        // A field for the whole code among boxes takes the whole code: its page deals it out.
        let length = statements[index].maxlength
        let row = Set(analysis.companions(of: index) + [index]).sorted().filter {
            statements[$0].maxlength == length
        }
        let isRow = boxes.contains(row.count) && (length == nil || length == 1)
        return (isRow ? row : [index]).map {
            FieldRoleAnswer(ref: statements[$0].ref, role: FieldRole.oneTimeCode.rawValue)
        }
    }
}
