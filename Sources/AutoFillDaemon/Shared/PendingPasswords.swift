// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease

/// Offers both passwords of a change whose outcome is unknown, until a sign-in or the user settles it.
@DaemonActor final class PendingPasswords {
    let broker: Broker
    let providers: InstalledProviders

    init(_ broker: Broker, providers: InstalledProviders) {
        self.broker = broker
        self.providers = providers
    }

    /// The prefix that marks the identity of a pending password. No provider's record identifier begins with it.
    private static let recordPrefix = "unsettled:"

    /// The pending passwords for an origin, as rows beside the accounts' own. Only the built-in provider hands out pending passwords;
    /// others show theirs in their own lists.
    func unsettled(at origin: VerifiedOrigin) -> [FoundIdentity] {
        (broker.unlocked?.registry.unsettled ?? []).reversed().compactMap { upgrade in
            guard upgrade.provider == BundleIdentifier.builtIn.rawValue, upgrade.service == origin.origin.written,
                !upgrade.isOver(at: broker.time.date())
            else { return nil }
            let identity = CredentialIdentity(
                type: .password, service: ServiceIdentifier(written: upgrade.service), user: upgrade.user,
                recordIdentifier: Self.recordPrefix + upgrade.id)
            let match = broker.rules.policy.match(SavedService(identity), for: origin.chain)
            return match.decision == .exact ? FoundIdentity(provider: .builtIn, identity: identity, match: match) : nil
        }
    }

    /// Whether an identity is of a password that is pending.
    static func isUnsettled(_ identity: CredentialIdentity) -> Bool {
        identity.recordIdentifier?.hasPrefix(recordPrefix) == true
    }

    /// The password of such an identity; `nil` for an identity of a provider.
    func pendingCredential(
        for identity: CredentialIdentity, of provider: BundleIdentifier
    ) async throws -> HeldCredential? {
        guard provider == .builtIn, Self.isUnsettled(identity) else { return nil }
        let id = identity.recordIdentifier?.dropFirst(Self.recordPrefix.count) ?? ""
        guard let upgrade = try broker.requireUnlocked().registry.unsettled.first(where: { $0.id == id }),
            let password = try await pendingPassword(of: upgrade)
        else { throw WireError(.expired, "This password is no longer kept.") }
        return HeldCredential(identity: identity, provider: provider, password: HeldSecret(password))
    }

    func pendingPassword(of upgrade: UnsettledUpgrade) async throws -> WireSecret? {
        for pending in try await pendingPasswords().generated where pending.service == upgrade.service {
            let answer: Generated.Reveal.Answer = try await providers.supervisor.manage(
                "manage.revealGenerated", JSONValue(encoding: Generated.Reveal.Params(id: pending.id)),
                launch: providers.launch()
            ).decoded()
            if upgrade.isNew(HeldSecret(answer.password)) { return answer.password }
        }
        return nil
    }

    func newIdentity(at origin: Origin, user: String) -> CredentialIdentity {
        CredentialIdentity(
            type: .password, service: ServiceIdentifier(kind: .url, value: origin.description), user: user,
            recordIdentifier: nil)
    }

    func pendingPasswords() async throws -> Generated.List.Answer {
        try await providers.supervisor.manage("manage.generated", .object([:]), launch: providers.launch())
            .withoutSecrets
            .decoded()
    }

    func removePending(_ params: ItemReference) async throws {
        _ = try await providers.supervisor.manage(
            "manage.removeGenerated", JSONValue(encoding: params), launch: providers.launch())
    }

    /// Has the built-in provider forget a password that it keeps as pending for a place.
    func forgetPending(at origin: Origin, where isMeant: (HeldSecret) -> Bool) async {
        guard let pending = try? await pendingPasswords().generated else { return }
        for one in pending where one.service == origin.written {
            let answer: Generated.Reveal.Answer? = try? await providers.supervisor.manage(
                "manage.revealGenerated", JSONValue(encoding: Generated.Reveal.Params(id: one.id)),
                launch: providers.launch()
            ).decoded()
            guard let answer, isMeant(HeldSecret(answer.password)) else { continue }
            try? await removePending(ItemReference(id: one.id))
        }
    }
}
