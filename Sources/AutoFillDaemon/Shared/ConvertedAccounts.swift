// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import Logging

/// Keeps track of accounts that sign in with Apple now, and removes their passwords.
@DaemonActor final class ConvertedAccounts: SessionObserver {
    let broker: Broker
    let stores: IdentityStores
    let providers: InstalledProviders

    init(_ broker: Broker, stores: IdentityStores, providers: InstalledProviders) {
        self.broker = broker
        self.stores = stores
        self.providers = providers
    }

    func sessionBegan() {
        guard broker.unlocked?.registry.converted.contains(where: { $0.password == .pending }) == true else { return }
        Task { await self.finishConversions() }
    }

    /// Has the provider remove the password of a recorded account, and records the outcome.
    ///
    /// - Parameter isLate: whether time has passed since the conversion. A password that the user has changed meanwhile stays.
    func remove(_ account: ConvertedAccount, isLate: Bool = false) async -> PasswordFate {
        let fate: PasswordFate
        do {
            fate = try await removed(account, isLate: isLate)
        } catch let error as WireError where error.code == .notPermitted {
            // The provider does not let others change its accounts.
            fate = .kept
        } catch let error as WireError where error.code == .notFound {
            fate = .removed
        } catch {
            broker.logger.notice(
                "a password of an account that signs in with Apple now could not be removed yet",
                metadata: ["provider": "\(account.provider)"])
            fate = .pending
        }
        do {
            try broker.change { try $0.registry.note(fate, of: account) }
        } catch {
            broker.logger.error(
                "the registry cannot be written; the state of a password will be unknown at the next unlock")
        }
        stores.updateOffers()
        return fate
    }

    private func removed(_ account: ConvertedAccount, isLate: Bool) async throws -> PasswordFate {
        guard let keeper = BundleIdentifier(account.provider), let record = account.record,
            let origin = Origin(written: account.service)
        else { return .kept }
        let launch = try await providers.launch(of: keeper)
        let supervisor = providers.supervisor(of: keeper)
        let answer = try await supervisor.manage(
            "manage.get", JSONValue(encoding: ItemReference(id: record)), launch: launch)
        let known: ItemAnswer = try answer.withoutSecrets.decoded()
        let item = known.item
        guard item.removed == nil else { return .removed }
        guard item.user == account.user, !isLate || item.modified <= account.date else { return .kept }
        // The item stays for its other places, which this site does not concern.
        let others = item.services.filter { service in
            let saved = CredentialIdentity(
                type: .password, service: ServiceIdentifier(written: service), user: item.user, recordIdentifier: record
            )
            return broker.rules.policy.match(SavedService(saved), supposing: origin).decision != .exact
        }
        if others.isEmpty {
            _ = try await supervisor.manage(
                "manage.remove", JSONValue(encoding: ItemReference(id: record)), launch: launch)
            return .removed
        }
        _ = try await supervisor.manage(
            "manage.edit", JSONValue(encoding: ItemChanges(id: record, services: others)), launch: launch)
        return .detached
    }

    /// Completes removals that a crash, a lock or a missing provider has prevented.
    func finishConversions() async {
        for account in broker.unlocked?.registry.converted ?? [] where account.password == .pending {
            _ = await remove(account, isLate: true)
        }
    }

    /// The accounts that sign in with Apple; those of some places, or all.
    func converted(at origins: [Origin]?) throws -> [ConvertedStatement] {
        let places = origins.map { Set($0.map(\.written)) }
        return try broker.requireUnlocked().registry.converted.reversed().filter {
            places?.contains($0.service) ?? true
        }
        .map { account in
            ConvertedStatement(
                service: account.service, user: account.user,
                provider: BundleIdentifier(account.provider).map { broker.name(of: $0) } ?? account.provider,
                app: account.app, date: account.date, password: account.password.rawValue)
        }
    }

    /// Whether an identity is the remaining password of an account that signs in with Apple, which no longer opens it.
    func isConverted(_ identity: CredentialIdentity, of provider: BundleIdentifier) -> Bool {
        (broker.unlocked?.registry.converted ?? []).contains {
            $0.isOf(provider, identity) && ($0.password == .kept || $0.password == .pending)
        }
    }

    /// Notes that an account has a password again, after the command line added or restored an item.
    func noteReturn(_ method: String, _ params: JSONValue) {
        guard broker.unlocked?.registry.converted.isEmpty == false else { return }
        if method == Items.Restore.name, let item: ItemReference = try? params.decoded() {
            signsInByPassword { $0.isOf(.builtIn, record: item.id) }
        } else if method == Items.Add.name, let added: Items.Add.Params = try? params.decoded() {
            for item in added.items {
                let places = Set(item.services.compactMap { Origin(written: $0)?.written })
                signsInByPassword { places.contains($0.service) && $0.user == item.user }
            }
        }
    }

    /// Records that accounts have a password again, because one was saved or restored.
    func signsInByPassword(where isMeant: (ConvertedAccount) -> Bool) {
        do {
            // While locked the converted accounts are unknown.
            try broker.session?.change { try $0.registry.forgetConverted(where: isMeant) }
        } catch {
            broker.logger.error("the registry cannot be written; an account is shown as signing in with Apple")
        }
    }
}
