// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// Which passwords were judged, and what follows from all of them together.
///
/// A value that never sees a password: it says which accounts have to be judged (again), is given judgements, and answers. An account
/// whose version was judged is not asked for again.
public struct RecommendationBook: Sendable {
    /// Under which the fingerprints of one book are made.
    public let key: BlindIndexKey
    private var accounts: [String: JudgedAccount] = [:]
    private var judgements: [String: Judgement] = [:]
    /// The accounts of each password, by its fingerprint: kept with the judgements, so that one change costs little.
    private var same: [[UInt8]: Set<String>] = [:]

    /// A book without accounts and with a key of its own.
    public init?() {
        guard let key = BlindIndexKey(SecretBytes.random(count: 32)) else { return nil }
        self.key = key
    }

    /// States all accounts there are; forgets what was known of others.
    public mutating func replace(_ all: [JudgedAccount]) {
        accounts = Dictionary(all.map { ($0.id, $0) }) { $1 }
        for (id, judgement) in judgements where accounts[id]?.version != judgement.version { forget(id) }
    }

    /// States that an account was added or changed.
    public mutating func update(_ account: JudgedAccount) {
        accounts[account.id] = account
        if judgements[account.id]?.version != account.version { forget(account.id) }
    }

    /// States that an account is gone.
    public mutating func remove(_ id: String) {
        accounts[id] = nil
        forget(id)
    }

    /// Forgets every judgement: what they rest on has changed.
    public mutating func forgetJudgements() {
        judgements = [:]
        same = [:]
    }

    /// Forgets some judgements.
    public mutating func forgetJudgements(of ids: some Sequence<String>) {
        for id in ids { forget(id) }
    }

    private mutating func forget(_ id: String) {
        guard let judgement = judgements.removeValue(forKey: id) else { return }
        same[judgement.fingerprint]?.remove(id)
        if same[judgement.fingerprint]?.isEmpty == true { same[judgement.fingerprint] = nil }
    }

    /// The accounts whose passwords have to be looked at.
    public var unjudged: [JudgedAccount] {
        judgements.count == accounts.count ? [] : accounts.values.filter { judgements[$0.id] == nil }
    }

    /// How many accounts were judged.
    public var judged: Int { judgements.count }

    /// Takes a judgement; one of another version than the account has now is dropped.
    public mutating func take(_ judgement: Judgement, of id: String) {
        guard accounts[id]?.version == judgement.version else { return }
        forget(id)
        judgements[id] = judgement
        same[judgement.fingerprint, default: []].insert(id)
    }

    /// Ranges that the network has to be asked for, in order; never which accounts they are of.
    public var ranges: [String] {
        Set(judgements.values.compactMap(\.range)).sorted()
    }

    /// The accounts whose password's hash is in a range.
    public func accounts(inRange range: String) -> [String] {
        judgements.filter { $0.value.range == range }.map(\.key)
    }

    /// Takes what a range says of one of them.
    public mutating func take(leaks: Int, of id: String) {
        judgements[id] = judgements[id].map { Judgement($0, leaks: leaks) }
    }

    /// Everything there is to recommend, ranked.
    ///
    /// - Parameters:
    ///   - sites: which services have one account system.
    ///   - hidden: what the user does not want to see, by account.
    public func recommendations(
        sites: AccountSites = AccountSites(), hidden: [String: Set<Finding.Kind>] = [:]
    ) -> [Recommendation] {
        let reused = reuse(sites)
        return judgements.compactMap { id, judgement in
            let again = reused[id]
            // Most accounts are as they should be.
            guard !judgement.findings.isEmpty || again != nil, let account = accounts[id] else { return nil }
            let findings = judgement.findings + (again.map { [$0] } ?? [])
            return Recommendation(account, findings, hidden: hidden[id] ?? [])
        }.sorted(by: Recommendation.precedes)
    }

    /// What there is to recommend for one account.
    public func recommendation(
        for id: String, sites: AccountSites = AccountSites(), hidden: Set<Finding.Kind> = []
    ) -> Recommendation? {
        guard let account = accounts[id], let judgement = judgements[id] else { return nil }
        let reused = reuse(among: same[judgement.fingerprint] ?? [], sites)[id]
        return Recommendation(account, judgement.findings + (reused.map { [$0] } ?? []), hidden: hidden)
    }

    /// Accounts of other sites that have the same password. One site, or sites that share their accounts, have one account system: the
    /// same password in two of their items is no second one that can be stolen.
    private func reuse(_ sites: AccountSites) -> [String: Finding] {
        same.values.reduce(into: [:]) { found, ids in
            if ids.count > 1 { found.merge(reuse(among: ids, sites)) { $1 } }
        }
    }

    private func reuse(among ids: Set<String>, _ sites: AccountSites) -> [String: Finding] {
        let shared = ids.sorted().compactMap { id in judgements[id].map { (id, sites.systems(of: $0.sites)) } }
        guard shared.count > 1 else { return [:] }
        // How many accounts each site has a part in, so that a password of thousands of accounts is not a square of them.
        var found: [String: Finding] = [:]
        var bySite: [AccountSite: Set<String>] = [:]
        for (id, own) in shared { for site in own { bySite[site, default: []].insert(id) } }
        for (id, own) in shared {
            let same = own.reduce(into: Set<String>()) { $0.formUnion(bySite[$1] ?? []) }
            let number = shared.count - same.count
            guard number > 0 else { continue }
            var others: [String] = []
            for (other, _) in shared where !same.contains(other) {
                others.append(other)
                if others.count == Finding.accountLimit { break }
            }
            found[id] = Finding(.reused, number: number, accounts: others)
        }
        return found
    }
}
