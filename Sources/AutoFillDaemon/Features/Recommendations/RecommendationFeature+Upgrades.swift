// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import ShownText

/// Changes a password that was just filled and has a recommendation to a strong one, by one act of the user outside the page. The browser
/// names no account: it is the one that was released into that tab.
extension RecommendationFeature {
    // MARK: The offer

    /// The name of the extension that could change a password that was just filled. `nil` if there is none, or if its app opts out of
    /// prompts after a sign-in. No site is asked, so a sign-in page's server cannot observe this.
    func upgradeAfterFill(of record: String, at origin: VerifiedOrigin) async -> String? {
        guard areSameSite(origin.chain.top, origin.origin),
            let account = try? await upgradeAccount(record, at: origin.origin),
            case .offered(let target)? = try? await upgrades.offer(for: account, asksSites: false),
            !target.optsOutOfPromptsOnSignIn
        else { return nil }
        return target.name
    }

    /// The account with a record identifier, if it was saved for exactly that origin.
    private func upgradeAccount(_ record: String, at origin: Origin) async throws -> UpgradeAccount? {
        try await upgrades.changes.savedAccounts(at: origin).first {
            $0.keeper == .builtIn && $0.identity.recordIdentifier == record
        }
    }

    private func areSameSite(_ one: Origin, _ other: Origin) -> Bool {
        one.scheme == .https && other.scheme == .https
            && (one.host == other.host || broker.rules.policy.suffixes.areSameSite(one.host, other.host))
    }

    // MARK: The act

    /// Changes the password that a recommendation is about.
    func upgradeInTab(_ params: Advice.Upgrade.Params, on client: ClientConnection) async throws
        -> Upgrades.Run.Answer
    {
        _ = try broker.requireUnlocked()
        // 1. The recommendation. Its tab may have moved on within the site, but not to another site.
        let entry = try adviceEntry(.init(handle: params.handle), client)
        try require(params.frame, showing: entry)
        // 2. The account, as it is now, and who would change it.
        guard let account = try await upgradeAccount(entry.record, at: entry.origin) else {
            throw WireError(.notFound, "This account is not saved for \(entry.origin.written) any more.")
        }
        let target = try await upgrades.target(for: account)
        guard !target.optsOutOfPromptsOnSignIn else {
            throw WireError(
                .refused, "\(target.name) does not want to be offered after a sign-in.",
                reason: "the app opts out of prompts on sign-in",
                hint: "`latchkey upgrade \(ShellWord.quoted(entry.origin.written))` changes it all the same.")
        }
        return try await runs.running(for: nil, on: client) { [self] in
            // 3. The user. The press is the act; authentication is required as for a fill.
            let proof = try await agreement(toChange: account, at: entry.origin, client)
            guard advice.entry(params.handle, of: client.number) == entry else {
                throw WireError(.expired, "This recommendation has ended.")
            }
            // 4. The change.
            let existing = try await providerInterfaces.credential(
                for: account.identity, of: account.keeper, site: entry.origin,
                context: RequestContext(app: target.app.rawValue), client: client
            ).0
            let job = UpgradeJob(
                account: account.identity, keeper: account.keeper, origin: entry.origin, target: target, proof: proof,
                existing: existing, isSaved: true, userInfo: nil, requester: client.requester, renderer: client,
                progress: { step in
                    let said = Upgrades.Progress.Params(step: step, handle: params.handle)
                    guard let said = try? JSONValue(encoding: said) else { return }
                    client.peer?.notify(Upgrades.Progress.name, said)
                })
            _ = try await upgrades.passwordChanges.carryOut(job)
            forget(params.handle)
            return .init(
                service: entry.origin.written, user: account.identity.user, provider: broker.name(of: account.keeper),
                extension: target.name)
        }
    }

    /// Makes sure that the tab of a recommendation shows a page of the site it is about.
    private func require(_ frame: FrameEvidence, showing entry: AdviceShelf.Entry) throws {
        let ended = WireError(.expired, "This recommendation has ended.", hint: "Sign in once more.")
        guard frame.tab == entry.tab, frame.frame == 0, frame.chain.count == 1,
            frame.chain.first?.document == frame.document
        else { throw ended }
        let chain = frame.chain.map {
            ClaimedDocument(origin: ClaimedOrigin($0.origin), documentIdentifier: $0.document)
        }
        guard case .success(let now) = OriginVerifier.verify(chain), areSameSite(now.origin, entry.origin) else {
            throw ended
        }
    }

    private func agreement(toChange account: UpgradeAccount, at origin: Origin, _ client: ClientConnection)
        async throws -> UserProof
    {
        try await questions.buttonProof(
            by: .init(
                kind: .upgrade, requester: client.requester, site: origin.description,
                user: account.identity.user, provider: broker.name(of: account.keeper)),
            as: "upgrade " + origin.description, over: client, surface: .popup, isPressEnough: true)
    }
}
