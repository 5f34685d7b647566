// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging

/// Counts the changes of the sealed registry outside of it, so that an older copy of the file is recognised.
///
/// The audit log counts first, and a change takes effect with its line there; the keyring follows. `docs/vault-format.md` states the order
/// and what a crash at each step leaves.
struct RegistryCounter: Sendable {
    /// How many changes are known, given the head of the log that the registry knows.
    let known: @Sendable (AuditLog.Head?) throws -> Int
    /// Counts a change, durably.
    let commit: @Sendable (Int) throws -> Void
    /// Called when the file on disk contains the given number of changes.
    let settled: @Sendable (Int) -> Void

    /// Counts in the audit log and in the keyring.
    static func inFiles(
        _ audit: AuditLog, _ keyring: KeyringFile, _ deviceKey: DeviceKey, now: @escaping @Sendable () -> Int64,
        logger: Logger
    ) -> RegistryCounter {
        let seed = deviceKey.auditKeySeed
        return RegistryCounter(
            known: { head in
                let ring = try keyring.keyring.map { ring in
                    ring.generation == deviceKey.generation ? try ring.registryCount(deviceKey) : 0
                }
                return max(audit.registryCount(seed: seed, head: head), ring ?? 0)
            },
            commit: { try audit.count(registry: $0, at: now()) },
            settled: { count in
                guard count > 0 else { return }
                do {
                    try keyring.count(count, deviceKey)
                } catch {
                    // The log has counted it; the next opening counts it here too.
                    logger.error("the keyring cannot count a change of the registry")
                }
            })
    }
}
