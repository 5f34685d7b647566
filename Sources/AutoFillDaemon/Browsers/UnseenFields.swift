// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import FormAnalysis

/// The fields of a fill that the user is not known to see, as the browser's extension has found out.
///
/// A fill of such fields is confirmed outside the page, each time: the page may show them differently the next time.
struct UnseenFields: Sendable, Hashable {
    /// The names of all fields that would be filled, each once, in the page's order.
    private let filled: [String]
    /// The names of those that are not known to be seen.
    private let unseen: [String]

    /// None: each field is seen.
    static let none = UnseenFields(nil, in: [])

    /// - Parameters:
    ///   - refs: the references of the unseen fields; references of fields that are not in `fields` are ignored.
    ///   - fields: the fields of the session, which are those that would be filled.
    init(_ refs: [Int]?, in fields: [FieldRoleAnswer]) {
        let refs = Set(refs ?? [])
        filled = Self.names(fields)
        unseen = Self.names(fields.filter { refs.contains($0.ref) })
    }

    var isEmpty: Bool { unseen.isEmpty }

    /// The sentence shown to the user outside the page. It names roles and uses no text of the page, which could give a field any name.
    var sentence: String? {
        guard !isEmpty else { return nil }
        return """
            This fills \(Self.list(filled)). The page may not show you the field for \(Self.list(unseen)); \
            continue only if you expect that.
            """
    }

    private static func names(_ fields: [FieldRoleAnswer]) -> [String] {
        var names: [String] = []
        for field in fields {
            let name = name(of: field.role)
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    private static func name(of role: String) -> String {
        switch role {
        case FieldRole.username.rawValue: "the user name"
        case FieldRole.currentPassword.rawValue: "the password"
        case FieldRole.newPassword.rawValue: "the new password"
        case FieldRole.oneTimeCode.rawValue: "the code"
        default: "another field"
        }
    }

    private static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
