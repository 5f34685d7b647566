// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillRelease

/// What the user decides about a registry that is older than what was counted.
extension UserConsents {
    /// Takes back all that the user has agreed to, and sets each preference that is weaker than its default to the default.
    func takeAllBack() async throws {
        let unlocked = try broker.unlockedSession()
        let others = try unlocked.keys.registry.providers.compactMap { provider in
            provider.isEnabled ? BundleIdentifier(provider.identifier) : nil
        }.filter { $0 != .builtIn }
        try broker.audit.append(
            AuditLine(
                time: broker.time.date(), event: "older", requester: WireRequest.current.program,
                reason: "all agreements were taken back", purpose: Consents.TakeBack.name))
        try await unlocked.changeRegistry { try $0.takeAllBack() }
        for provider in others { await providers.withdraw(provider) }
        for changes in PreferenceWeakening.strengthening {
            let (old, new) = (broker.preferences, try broker.preferencesFile.changed(by: changes))
            if PreferenceWeakening.isStronger(new, than: old) { _ = try await broker.setPreferences(changes) }
        }
        broker.tellBrowsers()
    }

    /// Lets what the older registry has count.
    func keepOlder() async throws {
        try await broker.unlockedSession().changeRegistry { try $0.keepOlder() }
        broker.tellBrowsers()
    }
}

extension OlderRegistry {
    init(_ older: SealedRegistry.Older) {
        self.init(changes: older.changes, since: older.since)
    }
}
