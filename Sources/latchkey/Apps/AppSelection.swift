// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import TerminalRendering

/// An app as a person or script names it: by its identifier, or by the path of its program.
struct AppSelection {
    let text: String

    /// The one of these that is meant.
    func resolve(_ apps: [AppStatement]) throws(CommandFailure) -> AppStatement {
        let path = FilePath.absolute(text)
        if let exact = apps.first(where: { $0.path == text }) ?? apps.first(where: { $0.path == path }) { return exact }
        let named = apps.filter { $0.identifier == text }
        guard named.count < 2 else {
            throw CommandFailure(
                .ambiguous, "\(named.count) programs claim to be \(text).",
                hint: "Name one of " + named.map(\.path).joined(separator: ", ") + ".")
        }
        guard let found = named.first else {
            throw CommandFailure(
                .notFound, "There is no app \(text).", hint: "`latchkey apps list` shows those that are known.")
        }
        return found
    }

    /// Asks the daemon for all of them first.
    func resolve(_ daemon: DaemonConnection) async throws -> AppStatement {
        try resolve(try await daemon.call(Apps.List.self).apps)
    }

    /// One that is known, or a program of which nothing is known yet.
    func resolveOrLook(_ daemon: DaemonConnection) async throws -> AppStatement {
        do {
            return try await resolve(daemon)
        } catch let failure as CommandFailure where failure.status == .notFound && text.contains("/") {
            return try await daemon.call(Apps.Look.self, .init(path: FilePath.absolute(text))).app
        }
    }
}
