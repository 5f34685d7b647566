// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import TerminalRendering

/// What a person is shown before a provider is enabled. Everything the bundle says of itself is escaped: it comes from
/// whoever wrote it.
struct EnableQuestion {
    let provider: ProviderStatement

    var lines: [String] {
        let names = ["\(provider.name) \(provider.version) (\(provider.identifier))", provider.path]
        return (names + provider.enablingSentences).map(TerminalText.escaped)
    }

    /// Why there is nothing to ask.
    static func refusal(of provider: ProviderStatement) -> CommandFailure? {
        switch provider.state {
        case "broken":
            CommandFailure(
                .invalidInput, "\(provider.name) cannot be enabled: \(provider.problem ?? "its bundle is broken").",
                hint: "`latchkey providers test` says what a bundle lacks.")
        case "missing":
            CommandFailure(
                .notFound, "The bundle of \(provider.name) is gone.",
                hint: "`latchkey providers remove \(provider.identifier)` forgets it.")
        case _ where provider.digest == nil && !provider.builtIn:
            CommandFailure(.storage, "The bundle of \(provider.name) cannot be read.")
        default: nil
        }
    }
}
