// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import TerminalRendering

/// What a person is shown before a provider is enabled. Everything the bundle says of itself is escaped: it comes from
/// whoever wrote it.
struct EnableQuestion {
    let provider: ProviderStatement

    var lines: [String] {
        var lines = [
            "\(provider.name) \(provider.version) (\(provider.identifier))", provider.path,
        ]
        if let modification = provider.modification {
            lines += modification.sentences
        } else {
            lines.append("It learns which sites you sign in to with it, and fills \(things).")
        }
        lines += provider.grants.sentences
        if !provider.grants.groups.isEmpty {
            lines.append("It shares a folder with others of: \(provider.grants.groups.joined(separator: ", ")).")
        }
        if provider.isolation == "none" {
            lines.append("It is not isolated: it can do whatever your own programs can do.")
        } else if provider.grants.sentences.isEmpty {
            lines.append("It can use its own folder and nothing else.")
        }
        if provider.debug { lines.append("It is a debug build: debuggers may look into it.") }
        if provider.state == "changed" { lines.append("It has changed since you enabled it.") }
        return lines.map(TerminalText.escaped)
    }

    private var things: String {
        let words = ["passwords": "passwords", "one-time-codes": "codes", "passkeys": "passkeys", "text": "text"]
        let known = provider.provides.compactMap { words[$0] }
        return known.isEmpty ? "nothing that this Latchkey knows" : known.joined(separator: ", ")
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
