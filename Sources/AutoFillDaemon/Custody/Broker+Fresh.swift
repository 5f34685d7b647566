// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets

/// Requests that weaken protection take a fresh passphrase, and are recorded in the audit log.
extension Broker {
    /// Verifies the passphrase for this connection's next request of a method; if the method is `nil`, for its next request.
    ///
    /// - Parameter takesPIN: Whether the PIN does, for a request that does not insist on the passphrase.
    func authenticate(
        passphrase: SecretBytes, takesPIN: Bool = false, for method: String?, on client: Int
    ) async throws {
        let locks = lockCount
        let means = try await authenticate(passphrase: passphrase, takesPIN: takesPIN)
        await whenDerived()
        // It was given before the lock, for what was open then.
        guard lockCount == locks else { throw Self.lockedMeanwhile }
        fresh.give(means, to: client, for: method, at: time.now())
    }

    /// Uses up the passphrase that was given for the current request, and records in the audit log what becomes weaker. It is required
    /// whatever the preference says; before there is a keyring there is nothing to protect, and the call passes.
    ///
    /// - Parameter what: What becomes weaker, and how.
    /// - Throws: `locked`; `authenticationRequired` when no passphrase was given; `storageFailed` when the line cannot be written.
    func requireFresh(_ what: String) throws {
        guard hasKeyring else { return }
        // The audit log can only be written while unlocked. The request does not count as activity of the user.
        guard unlocked != nil else {
            throw WireError(.locked, "Latchkey is locked.", hint: "Run `latchkey unlock`.")
        }
        let request = WireRequest.current
        guard fresh.spend(for: request, at: time.now()) == .passphrase else {
            throw WireError(
                .authenticationRequired, "This change weakens a protection, so it takes your passphrase.",
                reason: what, hint: "Give it when you are asked.")
        }
        try noteWeakened(what, by: request.program, request.method)
    }

    /// Records that the user weakens protection or admits a provider. Call it before the change is made.
    func noteWeakened(_ what: String, by program: String, _ method: String) throws {
        try audit.append(
            AuditLine(
                time: time.date(), event: "weakened", requester: program,
                authentication: UserAct.Authentication.passphrase.rawValue, reason: what, purpose: method))
    }

    /// Changes preferences at the user's request; changes that weaken protection take a fresh passphrase.
    func setPreferences(asked changes: PreferenceChanges) async throws -> Preferences {
        let weakened = PreferenceWeakening.weakened(
            from: preferences, to: try preferencesFile.changed(by: changes))
        if !weakened.isEmpty { try requireFresh(weakened.joined(separator: "; ")) }
        return try await setPreferences(changes)
    }
}
