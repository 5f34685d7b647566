// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillRelease
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
        let (credential, proof) = try await held(params.id) { _, _ in notes }
        var item = bare.item
        item.notes = try reveal(credential, to: program, for: "notes", by: proof)
        return item
    }

    func reveal(_ params: Items.Reveal.Params, program: String) async throws -> Items.Reveal.Answer {
        let (credential, proof) = try await held(params.id) { supervisor, launch in
            let answer: Items.Reveal.Answer = try await supervisor.manage(
                "manage.reveal", JSONValue(encoding: params), launch: launch
            ).decoded()
            return HeldSecret(answer.password)
        }
        // A text of the client's own: short enough for a line, and the log's reader escapes it.
        let wanted = params.purpose.map { String($0.prefix(64)) }
        return .init(password: try reveal(credential, to: program, for: wanted, by: proof))
    }

    /// Shows the command line one secret.
    func reveal(
        _ credential: HeldCredential, to program: String, for wanted: String?, by proof: UserProof
    ) throws -> WireSecret {
        let purpose = Reveal(to: program, connection: WireRequest.current.client, for: wanted)
        return try release(credential, for: purpose, act: proof.act(on: credential, to: purpose.destination))
    }

    /// The current code of an item's authenticator.
    func revealCode(_ params: Items.Code.Params, program: String) async throws -> Items.Code.Answer {
        let proof = try terminalProof()
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
            code: try reveal(
                HeldCredential(identity: identity, provider: .builtIn, password: secret), to: program,
                for: wanted.joined(separator: ", "), by: proof),
            secondsLeft: secondsLeft)
    }

    func history(_ params: ItemReference, program: String) async throws -> Items.History.Answer {
        let proof = try terminalProof()
        let changes: [(Int64, HeldSecret)] = try await {
            let answer: Items.History.Answer = try await supervisor.manage(
                "manage.history", JSONValue(encoding: params), launch: launch()
            ).decoded()
            return answer.changes.map { ($0.date, HeldSecret($0.password)) }
        }()
        var released: [PasswordChange] = []
        for (date, secret) in changes {
            let (credential, _) = try await held(params.id, proof) { _, _ in secret }
            released.append(
                PasswordChange(
                    date: date, password: try reveal(credential, to: program, for: "history", by: proof)))
        }
        return .init(changes: released)
    }

    /// A secret of an item, with what the audit log needs to know about it. Authentication comes first, so that an
    /// unauthenticated request does not even reach the provider.
    private func held(
        _ id: String, _ agreed: UserProof? = nil,
        fetch: @Sendable (ProviderSupervisor, ProviderSupervisor.Launch) async throws -> HeldSecret
    ) async throws -> (HeldCredential, UserProof) {
        let proof = try agreed ?? terminalProof()
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
        return (HeldCredential(identity: identity, provider: .builtIn, password: secret), proof)
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
