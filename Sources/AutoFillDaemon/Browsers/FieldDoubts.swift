// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillMatching
internal import FormAnalysis

/// What speaks against filling the fields of a session without a question, as the browser's extension has found out: some are not known to be
/// seen, or their form sends what is filled to another site.
///
/// A fill is confirmed outside the page then, each time: the page may be otherwise the next time.
struct FieldDoubts: Sendable, Hashable {
    /// The names of all fields that would be filled, each once, in the page's order.
    private let filled: [String]
    /// The names of those that are not known to be seen.
    private let unseen: [String]
    /// Whether the browser does not say of others whether they are seen, though nothing was found to hide them.
    private let isUnstated: Bool
    /// Where the form sends its fields, beside its own site: origins, or what an address has in place of one.
    private let strangers: [String]

    /// None: each field is seen, and nothing is sent elsewhere.
    static let none = FieldDoubts(filled: [], unseen: [], isUnstated: false, strangers: [])

    /// - Parameters:
    ///   - unseen: the references of the unseen fields; references of fields that are not in `fields` are ignored.
    ///   - unstated: those of fields of which the browser does not say whether they are seen.
    ///   - sends: the origins, beside the document's own, to which the fields' forms and their buttons send what is filled.
    ///   - fields: the fields of the session, which are those that would be filled.
    ///   - origin: the document's.
    init(
        unseen: [Int]?, unstated: [Int]? = nil, sends: [String]?, in fields: [FieldRoleAnswer], at origin: Origin?,
        by policy: MatchPolicy
    ) {
        let refs = Set(unseen ?? [])
        let strangers = (sends ?? []).filter { text in
            guard let origin, let target = Origin(stated: text) else { return true }
            // Another port may be another program's.
            return !policy.isOneSite(target, origin) || target.port != origin.port
        }
        self.init(
            filled: Self.names(fields), unseen: Self.names(fields.filter { refs.contains($0.ref) }),
            isUnstated: fields.contains { (unstated ?? []).contains($0.ref) },
            strangers: strangers.prefix(3).map(Self.short)
                + (strangers.count > 3 ? ["\(strangers.count - 3) more"] : []))
    }

    private init(filled: [String], unseen: [String], isUnstated: Bool, strangers: [String]) {
        self.filled = filled
        self.isUnstated = isUnstated
        self.unseen = unseen
        self.strangers = strangers
    }

    /// Whether nothing was found to hide a field, and nothing is sent elsewhere.
    var areUnstatedAtMost: Bool { unseen.isEmpty && strangers.isEmpty }

    var isEmpty: Bool { unseen.isEmpty && !isUnstated && strangers.isEmpty }

    /// What the user is told outside the page. Fields are named by their roles: the page could give any of them any name. What the browser does
    /// not state of them is told with what it does not state of the suggestion.
    var sentences: [String] {
        var sentences: [String] = []
        if !strangers.isEmpty {
            sentences.append(
                "This form sends what is filled to \(Self.list(strangers)), which is not this site. You are asked each time."
            )
        }
        if !unseen.isEmpty {
            sentences.append(
                """
                This fills \(Self.list(filled)). The page may hide the field for \(Self.list(unseen)); continue only if you \
                expect that.
                """)
        }
        return sentences
    }

    /// The end of an origin says whose it is.
    private static func short(_ origin: String) -> String { origin.count <= 60 ? origin : "…" + origin.suffix(59) }

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
