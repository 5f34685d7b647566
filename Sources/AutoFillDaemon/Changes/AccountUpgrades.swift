// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import Logging

/// Finds the accounts that their apps' extensions can change, and has the user agree (`docs/account-upgrades.md`).
///
/// An account is changed to a strong password or to Sign in with Apple.
@DaemonActor final class AccountUpgrades: SessionObserver {
    let broker: Broker
    let stores: IdentityStores
    let providers: InstalledProviders
    let questions: UserQuestions
    let abilities: ProviderAbilities
    let providerInterfaces: ProviderInterfaces
    let appAssociations: AppAssociations
    let pending: PendingPasswords
    let convertedAccounts: ConvertedAccounts
    let runs: Runs
    let appRequests: AppRequests
    let changes: AccountChanges
    let passwordChanges: PasswordChanges
    let conversions: AppleConversions
    /// The changes that the user has agreed to.
    var plans = UpgradePlans()

    init(
        _ broker: Broker, stores: IdentityStores, providers: InstalledProviders, questions: UserQuestions,
        abilities: ProviderAbilities, providerInterfaces: ProviderInterfaces, appAssociations: AppAssociations,
        pending: PendingPasswords, convertedAccounts: ConvertedAccounts, runs: Runs, appRequests: AppRequests,
        changes: AccountChanges,
        passwordChanges: PasswordChanges,
        conversions: AppleConversions
    ) {
        self.broker = broker
        self.stores = stores
        self.providers = providers
        self.questions = questions
        self.abilities = abilities
        self.providerInterfaces = providerInterfaces
        self.appAssociations = appAssociations
        self.pending = pending
        self.convertedAccounts = convertedAccounts
        self.runs = runs
        self.appRequests = appRequests
        self.changes = changes
        self.passwordChanges = passwordChanges
        self.conversions = conversions
    }

    func sessionEnded() {
        plans.forgetAll()
    }

    func clientLeft(_ client: ClientConnection) {
        plans.forget(connection: client.number)
    }

    // MARK: Listing

    func upgrades(_ params: Upgrades.List.Params) async throws -> Upgrades.List.Answer {
        _ = try broker.requireUnlocked()
        let origins: [Origin]
        if let service = params.service {
            origins = [try Self.place(service)]
        } else {
            var stated: [Origin] = []
            for found in try await modificationBundles() {
                for domain in found.bundle.modification?.app.domains ?? [] {
                    guard let domain = try? AssociatedDomain(entry: domain) else { continue }
                    stated += try await self.origins(of: domain)
                }
            }
            origins = stated
        }
        var statements: [UpgradeStatement] = []
        for origin in Set(origins).sorted(by: { $0.written < $1.written }) {
            for account in try await changes.savedAccounts(at: origin) {
                let candidates = try await candidates(for: account, asksSites: params.service != nil)
                var statement = UpgradeStatement(
                    service: origin.written, user: account.identity.user, provider: broker.name(of: account.keeper),
                    extension: nil)
                if try await changes.savedAccounts(at: origin, user: account.identity.user).count > 1 {
                    statement.refusal = "it is saved more than once"
                    statements.append(statement)
                    continue
                }
                switch offer(.strongPassword, for: account, candidates) {
                case .offered(let target): statement.extension = target.name
                case .refused(let refusal): statement.refusal = refusal.rawValue
                }
                if case .offered(let target) = offer(.signInWithApple, for: account, candidates) {
                    statement.signInWithApple = target.name
                }
                statements.append(statement)
            }
        }
        let now = broker.time.date()
        let unsettled = try broker.requireUnlocked().registry.unsettled.filter { !$0.isOver(at: now) }.map { upgrade in
            UnsettledStatement(
                id: upgrade.id, service: upgrade.service, user: upgrade.user,
                provider: BundleIdentifier(upgrade.provider).map { broker.name(of: $0) } ?? upgrade.provider,
                date: upgrade.date)
        }
        return .init(
            accounts: statements, unsettled: unsettled,
            converted: try convertedAccounts.converted(at: params.service == nil ? nil : origins))
    }

    static func place(_ text: String) throws -> Origin {
        guard let origin = Origin(written: text) else {
            throw WireError(.invalidParams, "\(text.prefix(64)) is neither a host nor an http or https URL.")
        }
        return origin
    }

    /// The origins that an app's associated domain stands for; for a wildcard, those for which a password is saved.
    private func origins(of domain: AssociatedDomain) async throws -> [Origin] {
        guard domain.service == .webCredentials else { return [] }
        guard domain.isWildcard else { return [Origin(written: domain.host)].compactMap(\.self) }
        let words = broker.rules.terms.terms(for: [AssociatedHost(written: domain.domain)].compactMap(\.self))
        _ = try broker.requireUnlocked()
        return try await stores.lookup(words) { $1 }.flatMap(\.value)
            .filter { $0.type == .password }.compactMap { Origin(written: $0.service.value) }
            .filter { $0.scheme == .https && $0.port == 443 && domain.covers(host: $0.host) }
    }

    /// The bundles of enabled extensions that have not changed since the user enabled them, in the user's order.
    private func modificationBundles() async throws -> [BundleShelf.Found] {
        let (found, _) = await broker.shelf.survey()
        let keys = try broker.requireUnlocked()
        return keys.registry.providers.compactMap { provider in
            guard let identifier = BundleIdentifier(provider.identifier), keys.registry.isEnabled(identifier) else {
                return nil
            }
            return found.first {
                $0.bundle.modification != nil && $0.bundle.identifier == identifier
                    && InstalledProviders.isAsEnabled($0, provider)
            }
        }
    }

    /// - Parameter asksSites: whether sites that have not confirmed an app are asked now.
    private func candidates(
        for account: UpgradeAccount, asksSites: Bool
    ) async throws -> [UpgradeOffer.Candidate] {
        var candidates: [UpgradeOffer.Candidate] = []
        for found in try await modificationBundles() {
            guard let support = found.bundle.modification, providers.contention(over: found.bundle) == nil else {
                continue
            }
            let host = account.origin?.host
            let statesHost = support.app.domains.contains { entry in
                guard let host, let domain = try? AssociatedDomain(entry: entry) else { return false }
                return domain.service == .webCredentials && domain.covers(host: host)
            }
            var isVerified = false
            var isReturnVerified = false
            if statesHost, let host {
                await appAssociations.declare(support.app)
                if asksSites { _ = await appAssociations.associations?.check(support.app.identifier) }
                isVerified = await appAssociations.association(of: support.app.identifier, with: host) != nil
                if let client = support.apple {
                    isReturnVerified =
                        await appAssociations.association(of: support.app.identifier, with: client.host) != nil
                }
            }
            candidates.append(
                .init(
                    target: UpgradeTarget(
                        identifier: found.bundle.identifier, name: found.bundle.name, app: support.app.identifier,
                        rules: support.rules, apple: support.apple,
                        optsOutOfPromptsOnSignIn: support.optsOutOfPromptsOnSignIn),
                    changesPasswords: support.changesPasswords, statesHost: statesHost, isVerified: isVerified,
                    converts: support.convertsToSignInWithApple, isReturnVerified: isReturnVerified))
        }
        return candidates
    }

    func offer(for account: UpgradeAccount, asksSites: Bool) async throws -> UpgradeOffer {
        offer(.strongPassword, for: account, try await candidates(for: account, asksSites: asksSites))
    }

    private func offer(
        _ kind: UpgradeKind, for account: UpgradeAccount, _ candidates: [UpgradeOffer.Candidate],
        supposingSaver: Bool = false
    ) -> UpgradeOffer {
        UpgradeOffer(
            kind, origin: account.origin, candidates: candidates,
            keeperSaves: supposingSaver || abilities.savers().contains(account.keeper))
    }

    // MARK: The user asks

    /// Changes how one account signs in for the command line, which is told each step.
    func upgrade(_ params: Upgrades.Run.Params, on client: ClientConnection) async throws -> Upgrades.Run.Answer {
        guard let kind = UpgradeKind(rawValue: params.kind) else {
            throw WireError(.invalidParams, "Accounts are not changed to \(params.kind.prefix(64)).")
        }
        _ = try broker.requireUnlocked()
        let origin = try Self.place(params.service)
        let found = try await changes.savedAccounts(at: origin, user: params.user)
        guard let account = found.first else {
            throw WireError(.notFound, "No such account is saved for \(origin.written).")
        }
        guard found.count == 1 else {
            let users = Set(found.map(\.identity.user)).sorted()
            let keepers = Set(found.map { broker.name(of: $0.keeper) }).sorted()
            throw WireError(
                .refused, "Several accounts are saved for \(origin.written).",
                reason: "it is not clear which one is meant",
                hint: users.count > 1
                    ? "Name one: \(users.prefix(8).joined(separator: ", "))."
                    : keepers.count > 1
                        ? "It is saved in \(keepers.joined(separator: " and in ")): keep it in one of them."
                        : "One user name has several passwords: remove those that are wrong.")
        }
        let target = try await target(kind, for: account)
        // The user's act comes before any provider or extension is asked.
        let proof = try agreedProof(kind, for: account, at: origin, on: client)
        return try await runs.running(for: nil, on: client) { [self] in
            let existing = try await providerInterfaces.credential(
                for: account.identity, of: account.keeper, site: origin,
                context: RequestContext(app: target.app.rawValue), client: client
            ).0
            let job = UpgradeJob(
                account: account.identity, keeper: account.keeper, origin: origin, target: target, proof: proof,
                existing: existing, isSaved: true, userInfo: nil, requester: client.requester, renderer: client,
                progress: { step in
                    guard
                        let params = try? JSONValue(
                            encoding: Upgrades.Progress.Params(
                                step: step, service: origin.written, user: account.identity.user))
                    else { return }
                    client.peer?.notify(Upgrades.Progress.name, params)
                })
            let fate = try await self.carryOut(kind, job).fate
            return .init(
                service: origin.written, user: account.identity.user, provider: broker.name(of: account.keeper),
                extension: target.name, password: fate?.rawValue)
        }
    }

    private func carryOut(
        _ kind: UpgradeKind, _ job: UpgradeJob
    ) async throws -> (userInfo: WireSecret?, fate: PasswordFate?) {
        switch kind {
        case .strongPassword: return (try await passwordChanges.carryOut(job), nil)
        case .signInWithApple: return try await conversions.convert(job)
        }
    }

    /// Carries out a change that the user agreed to in an app. A timeout of the extension becomes `providerUnavailable`, since it is not an
    /// answer of the user's.
    private func carryOut(
        agreed kind: UpgradeKind, _ job: UpgradeJob
    ) async throws -> (userInfo: WireSecret?, fate: PasswordFate?) {
        do {
            return try await carryOut(kind, job)
        } catch let error as WireError where error.code == .timedOut {
            throw WireError(.providerUnavailable, error.message, reason: error.reason, hint: error.hint)
        }
    }

    /// - Parameter supposingSaver: whether to assume that the account's provider can save the change, without checking it.
    func target(
        _ kind: UpgradeKind = .strongPassword, for account: UpgradeAccount, supposingSaver: Bool = false
    ) async throws -> UpgradeTarget {
        let candidates = try await candidates(for: account, asksSites: true)
        switch offer(kind, for: account, candidates, supposingSaver: supposingSaver) {
        case .offered(let target): return target
        case .refused(let refusal):
            let what = kind == .strongPassword ? "The password" : "The account"
            throw WireError(
                .refused, "\(what) cannot be changed from here: \(refusal.rawValue).", reason: refusal.rawValue)
        }
    }

    // MARK: An app asks

    /// Handles an app's request to change one of its accounts (section 9). The app learns its own extension's error and the user's refusal;
    /// every other failure is reported without a reason.
    func modify(
        _ params: Modification.Request.Params, on client: ClientConnection
    ) async throws -> Modification.Request.Answer {
        guard appRequests.authorizing.insert(client.number).inserted else {
            throw WireError(.busy, "A request of this program runs already.")
        }
        defer { appRequests.authorizing.remove(client.number) }
        do {
            return try await runs.running(for: nil, on: client) { [self] in
                .init(userInfo: try await self.modification(params, client))
            }
        } catch {
            let told = WireError(saying: error)
            let reason = (error as? AppRefusal)?.description ?? told.message
            broker.logger.notice(
                "an app's account was not changed",
                metadata: ["program": "\(client.program)", "reason": "\(reason)"])
            switch told.code {
            case .userCanceled: throw WireError(.userCanceled, "The request was canceled.")
            // The error of the app's own extension, which the app may see.
            case .providerExtension(0): throw WireError(told.code, "The request failed.", reason: told.reason)
            default: throw WireError(.providerExtension(0), "The request failed.")
            }
        }
    }

    private func modification(_ params: Modification.Request.Params, _ client: ClientConnection) async throws
        -> WireSecret?
    {
        guard let kind = UpgradeKind(rawValue: params.kind) else {
            throw AppRefusal("it asks for another kind of change")
        }
        guard params.user.utf8.count <= 1_024, !params.user.isEmpty,
            let origin = Origin(written: params.service.identifier), params.service.type < 2
        else { throw AppRefusal("it names no account") }
        // The user need not confirm whose extension it is: only interpreters and programs with foreign code are refused at once.
        let refuse: (CallerIdentity) -> String? = { $0.program.interpreter ?? $0.program.foreignCode }
        return try await appRequests.seated(params.surfaces, on: client, refusing: refuse) { requester, surface in
            // 1. The extension belongs to the program that asks.
            let own = try await self.modificationBundles().filter { self.isOwn($0.bundle, requester.caller) }
            guard !own.isEmpty else { throw AppRefusal("it has no extension that is enabled") }
            // 2. The account, and the provider that has it or is to have it.
            let saved = try await changes.savedAccounts(at: origin, user: params.user)
            // Without one that saves the user is asked all the same, as the app would see otherwise whether an account is saved.
            let keeper = saved.first?.keeper ?? abilities.savers().first ?? .builtIn
            let account = UpgradeAccount(
                identity: saved.first?.identity ?? pending.newIdentity(at: origin, user: params.user), keeper: keeper,
                origin: origin)
            // Whether the account's provider can save depends on what is saved, so that is checked after the question.
            let target = try await self.target(kind, for: account, supposingSaver: true)
            guard own.contains(where: { $0.bundle.identifier == target.identifier }) else {
                throw AppRefusal("another app's extension changes passwords there")
            }
            // 3. The user is asked outside the app's own windows, and in the same way whatever is saved.
            let proof = try await questions.pressedProof(
                UpgradeQuestion.interface(kind, user: params.user, origin: origin, program: requester.name),
                agree: UpgradeQuestion.agree, refuse: UpgradeQuestion.refuse,
                under: .init(requester: requester.name, site: origin.description, user: params.user),
                over: surface.renderer, surface: surface.kind)
            questions.promptLimiter.agreed(requester.key)
            _ = try await self.target(kind, for: account)
            return try await self.carryOut(
                agreed: kind,
                UpgradeJob(
                    account: account.identity, keeper: keeper, origin: origin, target: target,
                    proof: proof,
                    existing: nil, isSaved: !saved.isEmpty, userInfo: params.userInfo, requester: requester.name,
                    renderer: surface.renderer,
                    progress: { _ in })
            ).userInfo
        }
    }

    /// Whether a program lies in the app of an extension, or is that app by an accepted claim.
    private func isOwn(_ bundle: ProviderBundle, _ caller: CallerIdentity) -> Bool {
        if caller.sandbox == nil, bundle.contains(caller.program.path) { return true }
        guard case .known(let app) = AppPolicy.standing(of: caller, appRequests.knownApps.grounds(for: caller)) else {
            return false
        }
        return app.identifier == bundle.modification?.app.identifier
    }
}
