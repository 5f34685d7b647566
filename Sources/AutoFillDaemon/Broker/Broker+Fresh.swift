// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets

/// What weakens a preference takes the passphrase, afresh, and is written down.
extension Broker {
    /// Checks the passphrase and keeps it for the next request of this connection by a method.
    ///
    /// - Parameter method: The method it is given for; `nil` is the first one that needs it.
    func authenticate(passphrase: SecretBytes, for method: String?, on client: Int) async throws {
        try await authenticate(passphrase: passphrase)
        fresh.give(to: client, for: method, at: time.now())
    }

    /// Changes preferences for a client. What becomes weaker takes a passphrase that was given for this very request.
    ///
    /// - Throws: `authenticationRequired` where the passphrase is missing; `locked`; `invalidParams`; `storageFailed`, with nothing
    ///   changed, where the line of the audit log cannot be written.
    func setPreferences(_ changes: PreferenceChanges, for request: WireRequest) async throws -> Preferences {
        let weakened = PreferenceWeakening.weakened(from: preferences, to: try preferencesFile.changed(by: changes))
        if !weakened.isEmpty { try requireFresh(weakened.joined(separator: "; "), for: request) }
        return try await setPreferences(changes)
    }

    /// Spends the passphrase that was given for a request, whatever the preference says, and writes what becomes weaker into
    /// the audit log. Before there is a keyring there is nothing to protect, and no passphrase to give.
    private func requireFresh(_ what: String, for request: WireRequest) throws {
        guard isInitialized else { return }
        guard unlocked != nil else {
            throw WireError(.locked, "Latchkey is locked.", hint: "Run `latchkey unlock`.")
        }
        guard fresh.spend(for: request, at: time.now()) else {
            throw WireError(
                .authenticationRequired, "This makes something weaker, which takes the passphrase.",
                reason: what, hint: "Give it when you are asked.")
        }
        try audit.append(
            AuditLine(
                time: time.date(), event: "weakened", requester: request.program,
                authentication: Gate.Authentication.passphrase.rawValue, reason: what, purpose: request.method))
    }
}
