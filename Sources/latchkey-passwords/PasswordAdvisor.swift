// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillSecrets
internal import AutoFillVault
internal import Foundation
internal import SecurityRecommendations

/// Judges the vault's passwords, and remembers in memory alone what came of it, so that only what changed is judged again.
///
/// It is beside `ItemRoute`, so that who taps a suggestion does not wait for ten thousand passwords.
actor PasswordAdvisor {
    /// The most recommendations on a page, and the most bytes of services and user names: an answer stays far below its limit.
    private static let pageLimit = (items: 100, bytes: 1 << 18)
    /// How many passwords each processor holds in memory at once while it judges them.
    private static let readLimit = 64

    /// What judgements rest on beside the passwords.
    private struct Grounds: Equatable {
        var breachList: String?
        var wantsRanges = false
    }

    private var book = RecommendationBook()
    private var knowsItems = false
    private var grounds = Grounds()
    private var breaches: BreachSource?
    private var problem: String?
    /// The accounts that the list of leaked passwords has not been asked about, as it could not be read.
    private var unanswered: Set<String> = []
    /// The groups of the last question, as sites: there are hundreds of them, and they seldom change.
    private var sites: (groups: [[String]], sites: AccountSites) = ([], AccountSites())
    /// The last ranking, so that its later pages are of the same one.
    private var ranking: [Recommendation] = []

    /// Items were added, changed, removed or restored.
    func note(_ items: [VaultItem]) {
        guard knowsItems else { return }
        for item in items {
            if item.removed == nil, Self.isJudged(item) {
                book?.update(JudgedAccount(item))
            } else {
                book?.remove(item.id)
            }
        }
    }

    func recommendations(
        _ question: RecommendationQuestion, in vault: Vault
    ) async throws -> CredentialRecommendationPage {
        let start = question.cursor ?? 0
        var ranking = self.ranking
        if start == 0 {
            try prepare(question, vault)
            try await judge(vault)
            ranking = try ranked(question, vault)
            // A question about one account is no reason to end a list that somebody is reading.
            if question.id == nil { self.ranking = ranking }
        }
        guard start >= 0, start <= ranking.count else {
            throw CredentialManagingError(.notFound, "There is no such page.")
        }
        var bytes = 0
        let page = ranking[start...].prefix(Self.pageLimit.items).prefix { recommendation in
            bytes += recommendation.account.services.reduce(recommendation.account.user.utf8.count) {
                $0 + $1.utf8.count
            }
            return bytes <= Self.pageLimit.bytes
        }
        return CredentialRecommendationPage(
            recommendations: page.map(CredentialRecommendation.init),
            cursor: page.endIndex < ranking.count ? page.endIndex : nil, judged: book?.judged ?? 0, problem: problem,
            ranges: question.wantsRanges ? Array((book?.ranges ?? []).prefix(10_000)) : [])
    }

    /// A question about one account that rests on the same as the last one did, so that nothing is judged anew for it.
    func question(about id: String) -> RecommendationQuestion {
        RecommendationQuestion(
            groups: sites.groups, breachList: grounds.breachList, wantsRanges: grounds.wantsRanges, id: id)
    }

    /// Takes what the network says of one range: the passwords in it are looked at once more.
    func take(_ range: BreachRange, of prefix: String, in vault: Vault) throws {
        for id in book?.accounts(inRange: prefix) ?? [] {
            guard let password = try? vault.password(of: id) else { continue }
            unanswered.remove(id)
            book?.take(leaks: range.count(of: password), of: id)
        }
    }

    /// What there is to say about an item at this moment is hidden, or everything is shown again.
    func hide(_ isHidden: Bool, _ id: String, in vault: Vault) async throws {
        try readItems(vault)
        try await judge(vault)
        let kinds = isHidden ? book?.recommendation(for: id)?.findings.map(\.kind.rawValue) ?? [] : []
        try vault.hide(isHidden ? Set(kinds) : [], of: id)
    }

    private func prepare(_ question: RecommendationQuestion, _ vault: Vault) throws {
        try readItems(vault)
        // Of one account only the daemon's own defaults are asked: that changes nothing of what others rest on.
        let wanted = Grounds(
            breachList: question.breachList, wantsRanges: question.wantsRanges || grounds.wantsRanges)
        if wanted != grounds {
            grounds = wanted
            book?.forgetJudgements()
            unanswered = []
            openList()
        } else if problem != nil {
            // The list may be in order by now; what does not rest on it stays judged.
            openList()
            guard problem == nil else { return }
            book?.forgetJudgements(of: unanswered)
            unanswered = []
        }
    }

    private func openList() {
        (breaches, problem) = (nil, nil)
        guard let path = grounds.breachList else { return }
        do {
            breaches = try BreachSource(path: path)
        } catch {
            problem = error.reason
        }
    }

    /// A recommendation leads to a site, where the password is changed.
    private static func isJudged(_ item: VaultItem) -> Bool { item.hasPassword && !item.services.isEmpty }

    private func readItems(_ vault: Vault) throws {
        guard !knowsItems else { return }
        book?.replace(try vault.items().filter(Self.isJudged).map(JudgedAccount.init))
        knowsItems = true
    }

    /// Judges what was not judged yet, on as many processors as there are.
    private func judge(_ vault: Vault) async throws {
        guard let key = book?.key, let unjudged = book?.unjudged, !unjudged.isEmpty else { return }
        let (breaches, wantsRanges) = (self.breaches, grounds.wantsRanges)
        let judged = try await withThrowingTaskGroup(of: [(String, Judgement, BreachError?)].self) { group in
            for start in stride(from: 0, to: unjudged.count, by: Self.readLimit) {
                let accounts = unjudged[start...].prefix(Self.readLimit)
                group.addTask {
                    let passwords = try vault.passwords(of: accounts.map(\.id))
                    return accounts.compactMap { account in
                        // One that is gone by now, or damaged, is no reason to say nothing of the others.
                        guard let password = passwords[account.id] else { return nil }
                        var leaks: Int?
                        var failure: BreachError?
                        do throws(BreachError) {
                            leaks = try breaches?.count(of: password)
                        } catch {
                            failure = error
                        }
                        let judgement = Judgement(
                            of: password, in: account, key: key, leaks: leaks, needsRange: wantsRanges)
                        return (account.id, judgement, failure)
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        for (id, judgement, failure) in judged {
            book?.take(judgement, of: id)
            if let failure { problem = failure.reason }
            if grounds.breachList != nil, breaches == nil || failure != nil { unanswered.insert(id) }
        }
    }

    private func ranked(_ question: RecommendationQuestion, _ vault: Vault) throws -> [Recommendation] {
        guard let book else { throw CredentialManagingError(.internalError, "There is no key to compare with.") }
        if sites.groups != question.groups { sites = (question.groups, AccountSites(groups: question.groups)) }
        let sites = self.sites.sites
        let hidden = try vault.hidden().mapValues { Set($0.compactMap(Finding.Kind.init(rawValue:))) }
        guard let id = question.id else { return book.recommendations(sites: sites, hidden: hidden) }
        return book.recommendation(for: id, sites: sites, hidden: hidden[id] ?? []).map { [$0] } ?? []
    }
}

extension JudgedAccount {
    init(_ item: VaultItem) {
        self.init(
            id: item.id, services: item.services, user: item.user,
            version: Int64(exactly: (item.modified.timeIntervalSince1970 * 1000).rounded()) ?? 0)
    }
}

extension CredentialRecommendation {
    init(_ recommendation: Recommendation) {
        self.init(
            id: recommendation.account.id, services: recommendation.account.services, user: recommendation.account.user,
            urgency: recommendation.urgency, isHidden: recommendation.isHidden,
            findings: recommendation.findings.map {
                Finding(
                    kind: $0.kind.rawValue, number: $0.number, accounts: $0.accounts, reason: $0.reason,
                    advice: $0.advice)
            })
    }
}

extension ItemRoute: CredentialRecommending {
    func recommendations(_ question: RecommendationQuestion) async throws -> CredentialRecommendationPage {
        let vault = try vault()
        do {
            return try await advisor.recommendations(question, in: vault)
        } catch {
            throw CredentialManagingError(error)
        }
    }

    func takeRange(_ prefix: String, lines: String) async throws {
        guard BreachRange.isPrefix(prefix), lines.utf8.count <= BreachRange.maximumSize,
            let range = BreachRange(Array(lines.utf8))
        else { throw CredentialManagingError(.invalidItem, "This is not a range of leaked passwords.") }
        try await advisor.take(range, of: prefix, in: vault())
    }

    func hideRecommendation(of id: String, isHidden: Bool) async throws {
        let vault = try vault()
        do {
            try await advisor.hide(isHidden, id, in: vault)
        } catch {
            throw CredentialManagingError(error)
        }
    }
}
