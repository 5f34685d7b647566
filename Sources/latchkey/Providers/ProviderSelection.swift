// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import TerminalRendering

/// A provider as a person or script names it: by its identifier, or by its name where only one has it.
struct ProviderSelection {
    let text: String

    /// The one of these that is meant.
    func resolve(_ providers: [ProviderStatement]) throws(CommandFailure) -> ProviderStatement {
        if let exact = providers.first(where: { $0.identifier == text }) { return exact }
        let wanted = text.lowercased()
        let named = providers.filter { $0.name.lowercased() == wanted || $0.identifier.lowercased() == wanted }
        guard named.count < 2 else {
            throw CommandFailure(
                .ambiguous, "\(named.count) providers are called \(text).",
                hint: "Name one of " + named.map(\.identifier).joined(separator: ", ") + ".")
        }
        guard let found = named.first else {
            throw CommandFailure(
                .notFound, "There is no provider \(text).",
                hint: "`latchkey providers list` shows those that are found.")
        }
        return found
    }

    /// Asks the daemon for all of them first.
    func resolve(_ daemon: DaemonConnection) async throws -> ProviderStatement {
        try resolve(try await daemon.call(Providers.List.self).providers)
    }
}

extension [ProviderStatement] {
    /// Those that are asked, in the order in which they are asked.
    var enabled: [ProviderStatement] { filter { $0.state == "enabled" } }

    /// The identifiers of the enabled ones with these first; refuses one that is not enabled or named twice.
    func order(putting names: [String]) throws(CommandFailure) -> [String] {
        var first: [String] = []
        for name in names {
            let provider = try ProviderSelection(text: name).resolve(self)
            guard provider.state == "enabled" else {
                throw CommandFailure(
                    .invalidInput, "\(provider.name) is not enabled, so it is never asked.",
                    hint: "Run `latchkey providers enable \(provider.identifier)` first.")
            }
            guard !first.contains(provider.identifier) else {
                throw CommandFailure(.invalidInput, "\(provider.identifier) is named twice.")
            }
            first.append(provider.identifier)
        }
        return first + enabled.map(\.identifier).filter { !first.contains($0) }
    }
}
