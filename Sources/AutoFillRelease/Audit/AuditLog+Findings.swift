// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets

/// What opening the log finds wrong with its files as a whole.
extension AuditLog {
    static func replaced(_ head: Head, _ aside: String?) -> AuditFinding {
        AuditFinding(
            kind: "replaced", first: 1, last: head.count,
            message: "The log was replaced by one of another key\(keptAs(aside)).")
    }

    private static func keptAs(_ aside: String?) -> String {
        aside.map { "; it is kept as \($0.lastPathPart)" } ?? ""
    }

    static let changedKeyFile = AuditFinding(
        kind: "key-file", first: nil, last: nil, message: "The file audit.key was changed.")

    static func noLog(_ aside: String?) -> AuditFinding {
        AuditFinding(
            kind: "replaced", first: nil, last: nil,
            message: "The audit log was not a regular file, or too large\(keptAs(aside)).")
    }
}
