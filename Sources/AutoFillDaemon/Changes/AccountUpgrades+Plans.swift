// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import ShownText

/// Ranks the accounts that can be changed, and lets the user agree to many changes by one act.
extension AccountUpgrades {
    /// Maximum number of accounts that a question names; of the others it gives the number.
    private static let namedLimit = 12

    // MARK: In order

    /// The accounts that can be changed and those that cannot; if `ranked` is set, the most urgent changes come first.
    func rankedUpgrades(_ params: Upgrades.List.Params) async throws -> Upgrades.List.Answer {
        var answer = try await upgrades(params)
        if params.ranked == true, !answer.accounts.isEmpty { answer.accounts = await ranked(answer.accounts) }
        return answer
    }

    /// The list for the settings page. Unsettled changes are shown by the command line alone, and a browser's page never causes a request
    /// to a site.
    func upgradesForBrowser(_ params: Upgrades.List.Params) async throws -> Upgrades.List.Answer {
        .init(accounts: try await rankedUpgrades(.init(ranked: params.ranked)).accounts, unsettled: [])
    }

    private struct Place: Hashable {
        let service: String
        let user: String
    }

    /// Sorts by the urgency of the provider's recommendations; without recommendations the order stays as it is.
    private func ranked(_ accounts: [UpgradeStatement]) async -> [UpgradeStatement] {
        var found: [Place: (urgency: Int, reason: String)] = [:]
        var cursor: Int?
        repeat {
            guard let page = try? await providers.judge(cursor: cursor) else { break }
            for recommendation in page.recommendations where !recommendation.hidden {
                guard let reason = recommendation.findings.first?.reason else { continue }
                for service in recommendation.services {
                    guard let origin = Origin(written: service) else { continue }
                    let place = Place(service: origin.written, user: recommendation.user)
                    if (found[place]?.urgency ?? -1) < recommendation.urgency {
                        found[place] = (recommendation.urgency, String(reason.prefix(300)))
                    }
                }
            }
            // Stop at a cursor that does not advance: it would loop.
            guard let next = page.cursor, next > cursor ?? 0 else { break }
            cursor = next
        } while true
        let told = accounts.map { account in
            var account = account
            account.reason = found[Place(service: account.service, user: account.user)]?.reason
            return account
        }
        let urgency = { (account: UpgradeStatement) in
            found[Place(service: account.service, user: account.user)]?.urgency ?? -1
        }
        return told.sorted { urgency($0) > urgency($1) }
    }

    // MARK: Agreed to

    /// Has the user agree to a set of changes by one act. The command line has authenticated; every other client asks a question that names
    /// the accounts.
    func planUpgrades(_ params: Upgrades.Plan.Params, on client: ClientConnection) async throws
        -> Upgrades.Plan.Answer
    {
        guard let kind = UpgradeKind(rawValue: params.kind ?? Modification.strongPassword) else {
            throw WireError(.invalidParams, "Accounts are not changed to \(params.kind?.prefix(64) ?? "").")
        }
        _ = try broker.requireUnlocked()
        let terminal = try client.role == .settings ? questions.terminalProof() : nil
        let service = client.role == .settings ? params.service : nil
        let wanted = try params.service.map { try Self.place($0).written }
        var seen: Set<Place> = []
        let accounts = try await rankedUpgrades(.init(service: service, ranked: true)).accounts.filter { account in
            (kind == .strongPassword ? account.refusal == nil : account.signInWithApple != nil)
                && (wanted == nil || account.service == wanted)
                && (params.user == nil || account.user == params.user)
                && seen.insert(Place(service: account.service, user: account.user)).inserted
        }
        guard !accounts.isEmpty else { return .init(accounts: []) }
        let unlocked = try broker.unlockedSession()
        let proof: UserProof
        if let terminal { proof = terminal } else { proof = try await agreement(toChange: accounts, to: kind, client) }
        try unlocked.check()
        plans.keep(accounts.map { ($0.service, $0.user) }, kind, proof, for: client.number, at: broker.time.now())
        return .init(accounts: accounts)
    }

    /// How much of a user name stands in a list.
    private static let namedUser = TextCleaner.Limit(characters: 128, bytes: 512)

    /// Asks the user to agree to the changes. The browser cannot tell which document of its extension asks, so the passphrase is required
    /// whatever the preference says.
    private func agreement(
        toChange accounts: [UpgradeStatement], to kind: UpgradeKind, _ client: ClientConnection
    ) async throws -> UserProof {
        var question = PromptDesk.Question(kind: .upgrade, requester: client.requester)
        if kind == .signInWithApple { question.thing = "conversion" }
        if accounts.count == 1, let only = accounts.first {
            question.site = DisplayText(Origin(written: only.service)?.description ?? only.service)
            question.user = DisplayText(only.user, placeholder: "(no user name)")
            question.provider = DisplayText(only.provider)
        } else {
            question.reasons = accounts.prefix(Self.namedLimit).map {
                "\(DisplayText($0.user, Self.namedUser, placeholder: "(no user name)")) at \($0.service)"
            }
            let more = accounts.count - Self.namedLimit
            if more > 0 { question.reasons.append("and \(more) more") }
        }
        return try await questions.buttonProof(
            by: question, as: "upgrades", over: client, surface: .window, isPressEnough: false)
    }

    // MARK: Carried out

    /// The proof that the user agreed to a change: an earlier agreement, which is used up, or the command line's proof.
    ///
    /// - Throws: `notPermitted` when there is neither.
    func agreedProof(
        _ kind: UpgradeKind, for account: UpgradeAccount, at origin: Origin, on client: ClientConnection
    ) throws -> UserProof {
        let user = account.identity.user
        if let proof = plans.take(origin.written, user, kind, for: client.number, at: broker.time.now()) {
            return proof
        }
        guard client.role == .settings else { throw Self.notAgreed }
        return try questions.terminalProof()
    }

    /// Carries out a change for the settings page, if the user has agreed to exactly that change.
    func upgradeAsPlanned(_ params: Upgrades.Run.Params, on client: ClientConnection) async throws
        -> Upgrades.Run.Answer
    {
        _ = try broker.requireUnlocked()
        guard let kind = UpgradeKind(rawValue: params.kind), let user = params.user,
            plans.holds(try Self.place(params.service).written, user, kind, for: client.number, at: broker.time.now())
        else { throw Self.notAgreed }
        return try await upgrade(params, on: client)
    }

    private static var notAgreed: WireError {
        WireError(
            .notPermitted, "You have not agreed to this change.",
            reason: "a browser may change only what the user agreed to")
    }
}
