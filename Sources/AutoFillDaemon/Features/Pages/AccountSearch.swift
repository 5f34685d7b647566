// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import ShownText

/// Finds accounts for a browser's popup, on any page, and copies from them.
@DaemonActor final class AccountSearch: SessionObserver {
    let broker: Broker
    let stores: IdentityStores
    let questions: UserQuestions
    let providerInterfaces: ProviderInterfaces
    let items: SavedItems
    let pageSessions: PageSessions
    let pageRows: PageRows
    private var book = FoundBook()
    private var limit = CopyLimit()

    init(
        _ broker: Broker, stores: IdentityStores, questions: UserQuestions, providerInterfaces: ProviderInterfaces,
        items: SavedItems, pageSessions: PageSessions, pageRows: PageRows
    ) {
        self.broker = broker
        self.stores = stores
        self.questions = questions
        self.providerInterfaces = providerInterfaces
        self.items = items
        self.pageSessions = pageSessions
        self.pageRows = pageRows
    }

    /// The most accounts in one answer.
    private static let shown = 20
    /// The most accounts of the built-in provider, and the most identities of any other, that are compared with each other.
    private static let compared = 1_000
    nonisolated private static let comparedIdentities = 300

    func sessionEnded() { book = FoundBook() }

    func clientLeft(_ client: ClientConnection) { book.forget(client.number) }

    // MARK: Finding

    /// The accounts that fit what was typed, or those of the page in front.
    func find(_ params: Renderer.Find.Params, on client: ClientConnection) async throws -> Renderer.Find.Answer {
        let unlocked = try broker.unlockedSession()
        // The list is asked about if fills are. The popup itself cannot ask: it closes when the question's window opens.
        guard broker.requirement(of: UserChoice(surface: .popup, isFill: true)) == .nothing else {
            return .init(accounts: [], asks: true)
        }
        let found =
            if params.search.isEmpty {
                try await accounts(of: params.origin.flatMap(Origin.init(stated:)))
            } else {
                try await saved(for: params.search) + kept(for: params.search)
            }
        try unlocked.check()
        // The form may be gone by now; then nothing is filled.
        let session = params.session.flatMap { name in
            (try? pageSessions.session(name, client)).map { (name, $0) }
        }
        let sorted =
            params.search.isEmpty
            ? found : found.map { ($0.rank(for: params.search), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        let best = sorted.prefix(Self.shown)
        return .init(
            accounts: best.map { account in
                // Two that are called the same are told apart by what they are for.
                let isAlone = best.count { $0.title == account.title && $0.user == account.user } == 1
                let place = isAlone ? nil : account.place.flatMap { $0 == account.title ? nil : $0 }
                return FoundAccount(
                    handle: book.keep(account, for: client.number),
                    title: DisplayText(account.title + (place.map { " (\($0))" } ?? "")),
                    user: DisplayText(account.user, placeholder: ""),
                    providerName: pageRows.shownName(of: account.provider), copies: account.copies.map(\.rawValue),
                    url: account.url, fill: session.flatMap { fill(account, into: $0.1, named: $0.0) })
            })
    }

    /// Accounts of the built-in provider, which knows their titles and tags.
    private func saved(for search: String) async throws -> [SavedAccount] {
        guard broker.unlocked?.stores[.builtIn] != nil else { return [] }
        var (found, cursor): ([Item], Int?) = ([], nil)
        repeat {
            let page: ItemPage = try await items.manage(
                Items.List.name, JSONValue(encoding: ItemQuery(search: search, cursor: cursor))
            ).withoutSecrets.decoded()
            found += page.items
            cursor = page.cursor
        } while cursor != nil && found.count < Self.compared
        return found.map(SavedAccount.init)
    }

    /// Accounts of the other providers, as their identity stores have them.
    private func kept(for search: String) async throws -> [SavedAccount] {
        let others = try broker.requireUnlocked().order.filter { $0 != .builtIn }
        guard !others.isEmpty else { return [] }
        return try await stores.reading(of: others) { store in
            try store.page(search: search, limit: Self.comparedIdentities).identities
        }.flatMap { provider, identities in SavedAccount.all(in: identities, of: provider) }
    }

    /// The accounts that would be offered on a page, whether it has a form or not.
    private func accounts(of origin: Origin?) async throws -> [SavedAccount] {
        guard let origin else { return [] }
        var found: [FoundIdentity] = []
        for type in [CredentialType.password, .oneTimeCode] {
            found += try await pageRows.matches(limit: Self.shown, type: type, origin) {
                [policy = broker.rules.policy] in policy.match($0, supposing: origin)
            }
        }
        var accounts: [SavedAccount] = []
        for one in found {
            guard one.provider == .builtIn, let record = one.identity.recordIdentifier else {
                SavedAccount.add(one.identity, of: one.provider, to: &accounts)
                continue
            }
            guard !accounts.contains(where: { $0.provider == .builtIn && $0.record == record }) else { continue }
            if let item = try? await item(record) { accounts.append(SavedAccount(item)) }
        }
        return accounts
    }

    /// The row that fills an account into a form, if it may go there.
    private func fill(_ account: SavedAccount, into session: SuggestionBook.Session, named name: String) -> Row? {
        guard session.newPassword == nil, case .success(let verified) = session.origin else { return nil }
        let policy = broker.rules.policy
        let best = account.fillable(asCode: session.asksForCode).map { identity in
            FoundIdentity(
                provider: account.provider, identity: identity,
                match: policy.match(SavedService(identity), for: verified.chain))
        }.filter(\.match.isOffered).min { $0.match.rank < $1.match.rank }
        return best.map { pageRows.row($0, in: name, at: verified) }
    }

    // MARK: Copying

    /// Puts a user name, a password or a code on the clipboard.
    func copy(_ params: Renderer.Copy.Params, on client: ClientConnection) async throws -> Renderer.Copy.Answer {
        guard let part = SavedAccount.Part(rawValue: params.what) else {
            throw WireError(.invalidParams, "There is no \(params.what.prefix(32)) to copy.")
        }
        guard let account = book.account(params.handle, of: client.number), account.copies.contains(part) else {
            throw WireError(.expired, "The list has changed. Search again.")
        }
        guard limit.begin(at: broker.time.now()) else {
            throw WireError(.tooManyAttempts, "Only one thing can be copied each second.", retryAfter: 1)
        }
        let unlocked = try broker.unlockedSession()
        let clipboard = broker.parts.desktop.clipboard
        let allowsUnmarked = params.unmarked == true
        // Found out before anything is released: what cannot be delivered should not be in the audit log.
        try await clipboard.check(allowsUnmarked: allowsUnmarked, on: client.display)
        let secret =
            part == .user ? SecretBytes(utf8: account.user) : try await released(account, part, over: client)
        try unlocked.check()
        try await clipboard.copy(secret, allowsUnmarked: allowsUnmarked, on: client.display)
        return .init(seconds: ClipboardHolderProcess.seconds)
    }

    private func released(
        _ account: SavedAccount, _ part: SavedAccount.Part, over client: ClientConnection
    ) async throws -> SecretBytes {
        let isCode = part == .code
        let epoch = broker.epoch
        let unlocked = try broker.unlockedSession()
        guard let identity = try await self.identity(of: account, isCode: isCode) else {
            throw WireError(.expired, "The account has changed. Search again.")
        }
        let purpose = ClipboardCopy(for: client.program, connection: client.number, isCode: isCode)
        let subject = ActSubject(
            identity: identity, provider: account.provider, destination: purpose.destination, epoch: epoch)
        let act = try await self.act(on: subject, isCode: isCode, over: client)
        try unlocked.check()
        let credential =
            if account.provider == .builtIn, let record = identity.recordIdentifier {
                try await items.credential(of: record, isCode: isCode)
            } else {
                try await providerInterfaces.credential(
                    for: identity, of: account.provider, site: Origin(written: identity.service.value), client: client
                ).0
            }
        return try broker.release(credential, for: purpose, act: act).bytes
    }

    /// The identity that is copied from. That of an item is made anew, since the item may have changed.
    private func identity(of account: SavedAccount, isCode: Bool) async throws -> CredentialIdentity? {
        guard account.provider == .builtIn, let record = account.record else {
            return account.identities(ofCodes: isCode).first
        }
        let item = try await item(record)
        return CredentialIdentity(
            type: isCode ? .oneTimeCode : .password, service: ServiceIdentifier(written: item.place),
            user: item.user, recordIdentifier: record)
    }

    private func item(_ record: String) async throws -> Item {
        let answer: ItemAnswer = try await items.manage(
            Items.Get.name, JSONValue(encoding: ItemReference(id: record))
        ).withoutSecrets.decoded()
        return answer.item
    }

    /// The user's act; asked about where a fill would be, where everything that is copied is, and where much was copied before.
    private func act(on subject: ActSubject, isCode: Bool, over client: ClientConnection) async throws -> UserAct {
        let isTooMany = !limit.reserve(in: subject.epoch, at: broker.time.now())
        let choice = UserChoice(
            surface: .popup, isFill: true, demanded: isTooMany || broker.asksAlways ? .authentication : .nothing)
        if let act = questions.unaskedAct(on: subject, by: choice) { return act }
        let identity = subject.identity
        var question = PromptDesk.Question(
            kind: .authenticate, requester: client.requester,
            site: Origin(written: identity.service.value)?.description ?? identity.service.value, user: identity.user,
            provider: broker.name(of: subject.provider), thing: isCode ? "copy, a code" : "copy")
        question.isRoutine = !isTooMany
        if isTooMany { question.reasons.append(DisplayText(CopyLimit.sentence, .sentence)) }
        let act = try await questions.askedAct(
            on: subject, by: question, as: "copy \(client.number)", over: client, surface: .popup,
            requirement: .authentication, otherwise: broker.standingAuthentication(isFill: true))
        if isTooMany { limit.wasProven(at: broker.time.now()) }
        return act
    }
}
