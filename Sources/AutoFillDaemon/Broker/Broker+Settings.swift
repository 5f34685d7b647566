// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillSecrets
internal import Foundation

/// What the command line asks: items, status, audit.
extension Broker {
    /// Passes an `items.` request on as the provider's `manage.` request. Nothing secret comes back by this way.
    func manage(_ method: String, _ params: JSONValue) async throws -> JSONValue {
        let answer = try await supervisor.manage("manage." + method.dropFirst("items.".count), params, launch: launch())
        updateOffers()
        noteReturn(method, params)
        if method == Items.Edit.name, let changes: ItemChanges = try? params.decoded() { forgetMarks(of: changes) }
        return answer
    }

    /// An item; its notes only where they are asked for, and through the gate.
    func item(_ params: Items.Get.Params, program: String) async throws -> Item {
        let answer = try await manage(Items.Get.name, JSONValue(encoding: ItemReference(id: params.id)))
        let bare: ItemAnswer = marked(try answer.withoutSecrets.decoded())
        guard params.notes == true else { return bare.item }
        let whole: ItemAnswer = try answer.decoded()
        guard let notes = whole.item.notes.map(HeldSecret.init) else { return bare.item }
        let (credential, act) = try await held(params.id) { _, _ in notes }
        var item = bare.item
        item.notes = try gate.release(credential, for: .reveal(program, for: "notes"), act: act)
        return item
    }

    func reveal(_ params: Items.Reveal.Params, program: String) async throws -> Items.Reveal.Answer {
        let (credential, act) = try await held(params.id) { broker, launch in
            let answer: Items.Reveal.Answer = try await broker.manage(
                "manage.reveal", JSONValue(encoding: params), launch: launch
            ).decoded()
            return HeldSecret(answer.password)
        }
        // A text of the client's own: short enough for a line, and the log's reader escapes it.
        let wanted = params.purpose.map { String($0.prefix(64)) }
        return .init(password: try gate.release(credential, for: .reveal(program, for: wanted), act: act))
    }

    /// The current code of an item's authenticator.
    func revealCode(_ params: Items.Code.Params, program: String) async throws -> Items.Code.Answer {
        let act = try terminalAct()
        let locks = lockCount
        let launch = try launch()
        let item: ItemAnswer = try await supervisor.manage(
            "manage.get", JSONValue(encoding: ItemReference(id: params.id)), launch: launch
        ).decoded()
        let (secret, secondsLeft) = try await {
            let answer: Items.Code.Answer = try await supervisor.manage(
                "manage.code", JSONValue(encoding: params), launch: launch
            ).decoded()
            return (HeldSecret(answer.code), answer.secondsLeft)
        }()
        guard lockCount == locks else { throw WireError(.locked, "Latchkey was locked in the meantime.") }
        let identity = CredentialIdentity(
            type: .oneTimeCode, service: ServiceIdentifier(written: item.item.services.first ?? ""),
            user: item.item.user, recordIdentifier: params.id)
        let wanted = [params.purpose.map { String($0.prefix(64)) }, "a code"].compactMap(\.self)
        return .init(
            code: try gate.release(
                HeldCredential(identity: identity, provider: .builtIn, password: secret),
                for: .reveal(program, for: wanted.joined(separator: ", ")), act: act),
            secondsLeft: secondsLeft)
    }

    func history(_ params: ItemReference, program: String) async throws -> Items.History.Answer {
        let act = try terminalAct()
        let changes: [(Int64, HeldSecret)] = try await {
            let answer: Items.History.Answer = try await supervisor.manage(
                "manage.history", JSONValue(encoding: params), launch: launch()
            ).decoded()
            return answer.changes.map { ($0.date, HeldSecret($0.password)) }
        }()
        var released: [PasswordChange] = []
        for (date, secret) in changes {
            let (credential, act) = try await held(params.id, act) { _, _ in secret }
            released.append(
                PasswordChange(
                    date: date,
                    password: try gate.release(credential, for: .reveal(program, for: "history"), act: act)))
        }
        return .init(changes: released)
    }

    /// A secret of an item, with what the audit log needs to know about it. Authentication comes first, so that an
    /// unauthenticated request does not even reach the provider.
    private func held(
        _ id: String, _ agreed: Gate.Act? = nil,
        fetch: @Sendable (ProviderSupervisor, ProviderSupervisor.Launch) async throws -> HeldSecret
    ) async throws -> (HeldCredential, Gate.Act) {
        let act = try agreed ?? terminalAct()
        let locks = lockCount
        let launch = try launch()
        let answer: ItemAnswer = try await supervisor.manage(
            "manage.get", JSONValue(encoding: ItemReference(id: id)), launch: launch
        ).decoded()
        let secret = try await fetch(supervisor, launch)
        guard lockCount == locks else { throw WireError(.locked, "Latchkey was locked in the meantime.") }
        let identity = CredentialIdentity(
            type: .password, service: ServiceIdentifier(written: answer.item.services.first ?? ""),
            user: answer.item.user, recordIdentifier: id)
        return (HeldCredential(identity: identity, provider: .builtIn, password: secret), act)
    }

    func terminalAct() throws -> Gate.Act {
        _ = try requireUnlocked()
        let requirement = authentication.requirement(
            on: .terminal, wasReleasedBefore: true, guardHeld: true, at: time.now())
        guard requirement != .nothing else {
            return .init(
                surface: .terminal, requirement: .nothing, isSatisfied: true,
                authentication: authentication.preference == .never ? .notAsked : .recent)
        }
        // One passphrase, one request: not one that anybody else gave, or gave for something else.
        guard fresh.spend(for: WireRequest.current, at: time.now()) else {
            throw WireError(
                .authenticationRequired, "The passphrase is needed first.", hint: "Give it when you are asked.")
        }
        return .init(
            surface: .terminal, requirement: requirement, isSatisfied: true, authentication: .passphrase)
    }

    func status() async -> Settings.Status.Answer {
        let store = unlocked?.stores[.builtIn]
        let count = store.flatMap { try? $0.state }
        let storeState =
            if let count { count.supportsIncrementalUpdates ? "ready" : "missing" } else { "locked" }
        return .init(
            initialized: isInitialized, locked: unlocked == nil, autoFill: preferences.autoFill,
            version: latchkeyVersion, processIdentifier: ProcessInfo.processInfo.processIdentifier,
            providers: await providerStatuses(), preferences: preferences, store: storeState,
            memoryLocked: unlocked?.auditSeed.isLocked ?? true,
            isolation: .init(available: isolation.program != nil, reason: isolation.reason),
            quirks: quirksStatement(), codes: codeStatements(),
            preferencesProblems: preferencesFile.problems.isEmpty ? nil : preferencesFile.problems)
    }

    /// Those that are enabled; while locked only the built-in one is known.
    private func providerStatuses() async -> [ProviderStatus] {
        var statuses: [ProviderStatus] = []
        for provider in unlocked?.order ?? [.builtIn] {
            let name = provider == .builtIn ? "Passwords" : unlocked?.registry.provider(provider)?.enabled?.name
            statuses.append(
                ProviderStatus(
                    identifier: provider.rawValue, name: name ?? provider.rawValue,
                    running: await supervisors[provider]?.isRunning ?? false,
                    identities: unlocked?.stores[provider].flatMap { try? $0.state.count }))
        }
        return statuses
    }
}
