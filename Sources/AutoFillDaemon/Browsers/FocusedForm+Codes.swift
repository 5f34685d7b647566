// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import FormAnalysis

extension FocusedForm {
    /// The numbers of one-character boxes that count as a row for a code.
    private static let boxes = 4...8

    /// Whether a code is what the fields ask for.
    var asksForCode: Bool { fields.contains { $0.role == FieldRole.oneTimeCode.rawValue } }

    /// The fields for one code: the field itself, or the whole row of boxes that it belongs to; `nil` if it takes something else.
    static func codeFields(_ statements: [FieldStatement], _ analysis: PageAnalysis, _ index: Int)
        -> [FieldRoleAnswer]?
    {
        guard analysis.fields[index].role == .oneTimeCode else { return nil }
        // A field among boxes that takes the whole code gets all of it; its page distributes the characters.
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
