// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillQuirks
internal import AutoFillSecrets

/// Recommends which passwords to change. The provider that keeps them judges them, and only its verdicts pass here.
@DaemonActor final class RecommendationFeature: SessionObserver {
    /// Maximum number of ranges fetched in one call, so that a large vault does not cause a flood of requests.
    private static let rangeLimit = 500
    /// Time limit for one range.
    private static let rangePatience = Duration.seconds(30)
    /// No range is begun after this time, so that the requester is answered before its own time limit.
    private static let rangesPatience = Duration.seconds(60)

    let broker: Broker
    let providers: InstalledProviders
    let questions: UserQuestions
    let providerInterfaces: ProviderInterfaces
    let runs: Runs
    let pageSessions: PageSessions
    let upgrades: AccountUpgrades
    /// The recommendations shown for filled passwords.
    private(set) var advice = AdviceShelf()

    init(
        _ broker: Broker, providers: InstalledProviders, questions: UserQuestions,
        providerInterfaces: ProviderInterfaces, runs: Runs, pageSessions: PageSessions,
        upgrades: AccountUpgrades
    ) {
        self.broker = broker
        self.providers = providers
        self.questions = questions
        self.providerInterfaces = providerInterfaces
        self.runs = runs
        self.pageSessions = pageSessions
        self.upgrades = upgrades
    }

    func sessionEnded() {
        advice.forgetAll()
    }

    func clientLeft(_ client: ClientConnection) {
        advice.forget(connection: client.number)
    }

    func tabWasLeft(_ tab: Int, of client: ClientConnection) {
        advice.forget(tab: tab, of: client.number)
    }

    /// A page of the built-in provider's recommendations.
    func list(_ params: Recommendations.List.Params) async throws -> Recommendations.List.Answer {
        let isOnline = params.online == true && params.cursor == nil
        guard !isOnline || broker.preferences.breachRanges == true else {
            throw WireError(
                .notPermitted, "Asking for known leaks over the network is switched off.",
                hint:
                    "`latchkey preferences set --breach-ranges` allows it; docs/recommendations.md lists what is sent."
            )
        }
        var answer = try await providers.judge(cursor: params.cursor)
        var problems: [String] = []
        if isOnline, let ranges = answer.ranges, !ranges.isEmpty {
            if let trouble = await takeRanges(ranges.prefix(Self.rangeLimit)) { problems.append(trouble) }
            answer = try await providers.judge()
        }
        if let trouble = answer.problem { problems.insert(trouble, at: 0) }
        // The provider keeps fetched ranges in its memory only, which does not last.
        if problems.isEmpty, let left = answer.ranges?.count, left > 0 {
            problems.append(
                isOnline
                    ? "\(left) ranges are left to be asked for; ask once more."
                    : "Some passwords were not looked for among known leaks; `latchkey recommendations --online` does.")
        }
        return .init(
            recommendations: answer.recommendations, cursor: answer.cursor, judged: answer.judged,
            problem: problems.isEmpty ? nil : problems.joined(separator: " "))
    }

    func hide(_ params: Recommendations.Hide.Params) async throws {
        // The current findings are hidden, so a provider that has just started judges first.
        _ = try await providers.judge(id: params.id)
        _ = try await providers.supervisor.manage(
            Recommendations.HideAccount.name, JSONValue(encoding: params), launch: providers.launch())
    }

    /// Fetches ranges one after the other and passes them on. Returns why it ended early, or `nil`.
    private func takeRanges(_ ranges: some Sequence<String>) async -> String? {
        let end = broker.time.now() + Self.rangesPatience
        for prefix in ranges where broker.time.now() < end {
            do {
                let fetched: RangeFetch.Answer = try await broker.fetchProcess.run(
                    RangeFetch.job, JSONValue(encoding: RangeFetch.Request(prefix: prefix)),
                    patience: Self.rangePatience
                ).decoded()
                guard let lines = fetched.lines else {
                    return "Known leaks cannot be asked for: \(fetched.trouble ?? "there is no answer")."
                }
                _ = try await providers.supervisor.manage(
                    Recommendations.TakeRange.name,
                    JSONValue(encoding: Recommendations.TakeRange.Params(prefix: prefix, lines: lines)),
                    launch: providers.launch())
            } catch {
                return "Known leaks cannot be asked for: \(WireError(saying: error).message)"
            }
        }
        return nil
    }

    // MARK: After a fill

    /// Tells the browser that the password just filled should be changed, once the provider has judged it. The fill does not wait for this,
    /// and the page is not involved: the browser shows it on its own surfaces.
    func wasFilled(
        _ identity: CredentialIdentity, of provider: BundleIdentifier, in tab: Int, at origin: VerifiedOrigin,
        for client: ClientConnection
    ) {
        // A code belongs to an account whose recommendation was shown before.
        guard identity.type == .password else { return }
        advice.forget(tab: tab, of: client.number)
        guard provider == .builtIn, let record = identity.recordIdentifier else { return }
        let account = TabAccounts.Account(identity, of: provider)
        guard let unlocked = broker.session else { return }
        Task {
            guard let found = try? await providers.judge(id: record).recommendations.first, !found.hidden,
                let worst = found.findings.first
            else { return }
            let upgrade = await upgradeAfterFill(of: record, at: origin)
            // Meanwhile it may have been locked, the tab closed, or another account filled in it.
            guard unlocked.isCurrent, broker.clients[client.number] != nil,
                pageSessions.tabAccounts.account(in: tab, of: client.number, at: broker.time.now()) == account
            else { return }
            let handle = RandomName.make()
            let place = origin.origin
            advice.keep(.init(connection: client.number, tab: tab, origin: place, record: record), as: handle)
            let shown = Advice.Show.Params(
                tab: tab, handle: handle, site: place.host, reason: String(worst.reason.prefix(300)),
                advice: String(worst.advice.prefix(300)), upgrade: upgrade)
            guard let params = try? JSONValue(encoding: shown) else { return }
            client.peer?.notify(Advice.Show.name, params)
        }
    }

    /// The page on which the password of a recommendation can be changed.
    func changePasswordPage(_ params: Advice.Handle, on client: ClientConnection) async throws -> ChangePasswordPlace {
        _ = try broker.requireUnlocked()
        let entry = try adviceEntry(params, client)
        let inquiry = ChangePasswordSearch(
            process: broker.fetchProcess, quirks: broker.siteQuirks, sites: broker.rules.quirks)
        return try await inquiry.place(for: entry.origin)
    }

    func hideAdvice(_ params: Advice.Handle, on client: ClientConnection) async throws {
        try await hide(.init(id: adviceEntry(params, client).record, hidden: true))
    }

    func adviceEntry(_ params: Advice.Handle, _ client: ClientConnection) throws -> AdviceShelf.Entry {
        guard let entry = advice.entry(params.handle, of: client.number) else {
            throw WireError(.expired, "This recommendation has ended.")
        }
        return entry
    }

    func forget(_ handle: String) {
        advice.forget(handle)
    }
}
