// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis

/// What to call a field in a line for people.
enum FieldName {
    static func name(of field: FieldDescription) -> String {
        let type = field.tag == "input" && !field.type.isEmpty ? "input type=\(field.type)" : field.tag
        if !field.identifier.isEmpty { return "\(type) #\(field.identifier)" }
        if !field.name.isEmpty { return "\(type) name=\(field.name)" }
        let shown = [field.label, field.ariaLabel, field.placeholder, field.nearbyText].first { !$0.isEmpty } ?? ""
        return shown.isEmpty ? type : "\(type) \"\(shown.prefix(40))\""
    }
}
