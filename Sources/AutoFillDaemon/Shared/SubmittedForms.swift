// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets

/// Keeps submitted forms until the form is gone from the page. It saves nothing by itself (`docs/saving.md`).
@DaemonActor final class SubmittedForms: SessionObserver {
    let broker: Broker
    let stores: IdentityStores
    let abilities: ProviderAbilities
    /// The submitted forms that may be saved.
    var saves = SaveBook()
    /// The task that forgets expired forms.
    private var saveExpiry: Task<Void, any Error>?

    init(_ broker: Broker, stores: IdentityStores, abilities: ProviderAbilities) {
        self.broker = broker
        self.stores = stores
        self.abilities = abilities
    }

    func sessionBegan() {
        saves.setNever(broker.unlocked?.registry.neverSites ?? [])
    }

    func sessionEnded() {
        saves.forgetAll()
    }

    func clientLeft(_ client: ClientConnection) {
        saves.forget(connection: client.number)
    }

    /// Takes a submitted form. The typed text waits in locked memory until the form is gone. The page learns nothing: the answer is always
    /// the same, and comes before anything is looked up.
    func submitted(_ params: Submission.Submitted.Params, on client: ClientConnection) {
        guard broker.preferences.autoFill, broker.isInitialized, let origin = savingOrigin(params.frame),
            !saves.isNever(origin.origin.written),
            let form = SubmittedForm(params.page, values: params.values)
        else { return }
        let (tab, host, now) = (params.frame.tab, origin.origin.host, broker.time.now())
        let site = broker.rules.site(of: host)
        if let user = form.user {
            saves.note(
                user: user, in: form.userField, connection: client.number, tab: tab, host: host, site: site,
                at: now)
        }
        guard let password = form.password else { return }
        let users = saves.users(connection: client.number, tab: tab, host: host, site: site, at: now)
        let user = form.user ?? users.first ?? ""
        // A form that makes an account or changes its password names the account or none: another name may be another account's.
        let others =
            password.kind == .current ? ([form.otherUser].compactMap(\.self) + users).filter { $0 != user } : []
        saves.keep(
            SaveBook.Candidate(
                connection: client.number, tab: tab, document: params.frame.document, origin: origin, user: user,
                otherUsers: others, isUserSure: form.user == nil || form.isUserSure,
                isNamedByForm: form.user != nil, password: password.value,
                kind: password.kind,
                oldPassword: form.oldPassword, began: now))
        saves.useNames(connection: client.number, tab: tab, site: site)
        expireSaves()
    }

    /// The document of a form, where a password may be saved for it: its origin is known and it was delivered securely, or is on
    /// the local network.
    private func savingOrigin(_ frame: FrameEvidence) -> VerifiedOrigin? {
        guard frame.document == frame.chain.first?.document else { return nil }
        let chain = frame.chain.map {
            ClaimedDocument(origin: ClaimedOrigin($0.origin), documentIdentifier: $0.document)
        }
        guard let origin = try? OriginVerifier.verify(chain).get(),
            origin.origin.isPotentiallyTrustworthy || origin.origin.isLocal
        else { return nil }
        return origin
    }

    /// Wipes forms that have expired.
    private func expireSaves() {
        guard saveExpiry == nil, let next = saves.expire(at: broker.time.now()) else { return }
        let wait = next - broker.time.now()
        saveExpiry = Task {
            try await Task.sleep(for: max(wait, .seconds(1)))
            self.saveExpiry = nil
            self.saves.expire(at: self.broker.time.now())
            self.expireSaves()
        }
    }

    /// Maximum number of accounts of one host that are compared.
    private static let accountLimit = 20

    /// The accounts saved for exactly the host, those of the given names first. They come from the identity stores alone, and the typed
    /// password is compared with those released or saved since the last unlock: a provider that only advertises an account must not learn
    /// of a sign-in.
    func accounts(
        at origin: Origin, users: [String], password: SecretBytes, old: SecretBytes?
    ) async throws -> [SaveDecision.Account] {
        _ = try broker.requireUnlocked()
        let (words, policy) = (broker.rules.terms.terms(for: origin), broker.rules.policy)
        var found: [SaveDecision.Account] = []
        let saved = try await stores.lookup(words) { _, identities in
            identities.filter { identity in
                identity.type == .password
                    && policy.match(SavedService(identity), supposing: origin).decision == .exact
            }
        }
        for (provider, identities) in saved {
            let wanted = Set(users.map { $0.lowercased() })
            let isNamed = { (one: CredentialIdentity) in wanted.contains(one.user.lowercased()) }
            let named = identities.filter(isNamed) + identities.filter { !isNamed($0) }
            for identity in named.prefix(Self.accountLimit) {
                let compared = broker.known.compare(password, with: identity, of: provider)
                found.append(
                    SaveDecision.Account(
                        provider: provider, user: identity.user,
                        isUpdatable: provider == .builtIn || abilities.savingProviders[provider] != nil,
                        isSame: compared?.isSame,
                        hadOld: old.flatMap { broker.known.compare($0, with: identity, of: provider)?.isSame },
                        isWithCode: compared?.isWithCode ?? false))
            }
        }
        return found
    }

    func neverSites() throws -> NeverSites.Sites {
        .init(sites: try broker.requireUnlocked().registry.neverSites)
    }

    /// A site as it stands in the list of those that the user never wants to be asked for; or a native program, by its path or its
    /// sandbox's name. `nil` for anything else.
    private static func neverEntry(_ text: String) -> String? {
        if let origin = Origin(written: text) { return origin.written }
        let isProgram = ["/", "flatpak:", "snap:"].contains(where: text.hasPrefix)
        return isProgram && text.utf8.count <= 4_096 && !text.contains("\0") ? text : nil
    }

    /// Adds a site or a native program to those that the user never wants to be asked for, or takes it back.
    func changeNever(_ site: String, isNever: Bool) async throws -> NeverSites.Sites {
        let session = try broker.unlockedSession()
        guard let entry = Self.neverEntry(site) else {
            throw WireError(
                .invalidParams,
                "\(site.prefix(64)) is neither a host, an http or https URL, nor the path of a program.")
        }
        try await session.changeRegistry { registry in
            var sites = Set(registry.neverSites)
            if isNever {
                // The whole list is one answer.
                guard sites.count < SealedRegistry.neverLimit,
                    sites.reduce(entry.utf8.count, { $0 + $1.utf8.count + 3 }) < 900 << 10
                else {
                    throw WireError(.invalidParams, "The list is full: it has \(sites.count) sites.")
                }
                sites.insert(entry)
            } else if sites.remove(entry) == nil {
                throw WireError(.notFound, "\(entry) is not on the list.", hint: "`latchkey never list` shows it.")
            }
            try registry.setNever(sites)
        }
        let sites = try neverSites()
        saves.setNever(try broker.requireUnlocked().registry.neverSites)
        return sites
    }
}
