// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import ShownText

/// Many accounts, one after another: in which order, and that the user agrees to all of them by one act.
extension AccountUpgrades {
    /// The most accounts that a question names; of the others it says how many there are.
    private static let namedLimit = 12

    // MARK: In order

    /// The accounts that can be changed and those that cannot; where that is asked for, those first whose passwords had better
    /// be changed.
    func rankedUpgrades(_ params: Upgrades.List.Params) async throws -> Upgrades.List.Answer {
        var answer = try await upgrades(params)
        if params.ranked == true, !answer.accounts.isEmpty { answer.accounts = await ranked(answer.accounts) }
        return answer
    }

    /// For the settings page. What is unsettled is the command line's; and no page of a browser has sites asked.
    func upgradesForBrowser(_ params: Upgrades.List.Params) async throws -> Upgrades.List.Answer {
        .init(accounts: try await rankedUpgrades(.init(ranked: params.ranked)).accounts, unsettled: [])
    }

    private struct Place: Hashable {
        let service: String
        let user: String
    }

    /// Where the provider does not say what it recommends, the order is what it was.
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
            // One that goes round in circles is not followed.
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

    /// The user agrees to have these changed, all by one act: the command line has authenticated, everybody else asks by a
    /// question that names them.
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

    /// The browser cannot say which document of its extension asks, so the passphrase is asked for whatever the preference.
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
        return try await questions.upgradeProof(
            by: question, as: "upgrades", over: client, surface: .window, isPressEnough: false)
    }

    // MARK: Carried out

    /// That the user agreed to a change: what was agreed to before, once, or else the command line's.
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

    /// For the settings page: what the user has agreed to, and nothing that the browser names besides.
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
            reason: "a browser may have changed what the user has agreed to, and nothing else")
    }
}
