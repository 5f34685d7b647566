// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets

/// What weakens anything takes the passphrase, afresh, and is written down.
extension Broker {
    /// The passphrase, for the next request of this connection by a method; for the first one where none is named.
    func authenticate(passphrase: SecretBytes, for method: String?, on client: Int) async throws {
        try await authenticate(passphrase: passphrase)
        fresh.give(to: client, for: method, at: time.now())
    }

    /// Spends the passphrase that was given for the request that is answered now, whatever the preference says, and writes into the
    /// audit log what becomes weaker. Nothing to protect, nothing to prove: before there is a keyring it lets pass.
    ///
    /// - Parameter what: What becomes weaker, and how.
    /// - Throws: `locked`, `authenticationRequired`, or `storageFailed` where the line cannot be written.
    func requireFresh(_ what: String) throws {
        guard isInitialized else { return }
        // The log is kept by what is unlocked. This is no activity of the user by itself.
        guard unlocked != nil else {
            throw WireError(.locked, "Latchkey is locked.", hint: "Run `latchkey unlock`.")
        }
        let request = WireRequest.current
        guard fresh.spend(for: request, at: time.now()) else {
            throw WireError(
                .authenticationRequired, "This makes something weaker, which takes the passphrase.",
                reason: what, hint: "Give it when you are asked.")
        }
        try noteWeakened(what, by: request.program, request.method)
    }

    /// The line that says that the user has made something weaker, or let something in. Written before it is done.
    func noteWeakened(_ what: String, by program: String, _ method: String) throws {
        try audit.append(
            AuditLine(
                time: time.date(), event: "weakened", requester: program,
                authentication: UserAct.Authentication.passphrase.rawValue, reason: what, purpose: method))
    }

    /// Preferences as the user asks for them.
    func setPreferences(asked changes: PreferenceChanges) async throws -> Preferences {
        let weakened = PreferenceWeakening.weakened(
            from: preferences, to: try preferencesFile.changed(by: changes))
        if !weakened.isEmpty { try requireFresh(weakened.joined(separator: "; ")) }
        return try await setPreferences(changes)
    }
}
