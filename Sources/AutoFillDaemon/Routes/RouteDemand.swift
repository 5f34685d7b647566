// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// The authentication that a method takes, in the words of the table in section 6 of `docs/protocol.md`.
enum RouteDemand: String, Sendable, CaseIterable {
    /// It releases nothing and weakens nothing.
    case nothing = "nothing"
    /// A passphrase or a recovery code is one of its parameters.
    case parameter = "a parameter"
    /// The passphrase for this very request, whatever the preference says.
    case passphrase = "the passphrase"
    /// The passphrase for this very request, if the request weakens something.
    case weakening = "the passphrase, where it weakens"
    /// The authentication that the preference demands for a release.
    case preference = "as preferred"
    /// The daemon asks the user itself.
    case prompt = "a prompt"
}

extension JSONValue {
    /// The text for the audit log about a method that always weakens something: its name and its subject.
    func weakened(by method: String) -> String {
        let subjects = ["identifier", "path", "source"].compactMap { member -> String? in
            guard case .string(let text)? = self[member] else { return nil }
            return String(text.prefix(200))
        }
        return ([method] + subjects).joined(separator: " ")
    }
}
