// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// Reads the path of a control group. Any user can create units of any name, so the result is for display and proves nothing.
enum ControlGroup {
    /// The innermost service or scope.
    static func unit(_ path: String) -> String? {
        path.pathParts.last { $0.hasSuffix(".scope") || $0.hasSuffix(".service") }
    }

    /// The snap and its app, from `snap.NAME.APP-….scope` or `snap.NAME.APP.service`.
    static func snap(_ path: String) -> (name: String, app: String)? {
        guard let unit = unit(path), unit.hasPrefix("snap.") else { return nil }
        let stem = unit.hasSuffix(".service") ? unit.dropLast(8) : unit.dropLast(6)
        let parts = stem.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, !parts[1].isEmpty else { return nil }
        // A scope has a number of its own behind the app: a UUID, which has four hyphens.
        let app =
            unit.hasSuffix(".scope")
            ? parts[2].split(separator: "-").dropLast(5).joined(separator: "-") : String(parts[2])
        return app.isEmpty ? nil : (String(parts[1]), app)
    }
}
