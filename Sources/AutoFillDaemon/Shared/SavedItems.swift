// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillProviders
internal import AutoFillRelease
internal import AutoFillSecrets
internal import ShownText

/// Manages the built-in provider's items for the command line.
@DaemonActor final class SavedItems {
    let broker: Broker
    let stores: IdentityStores
    let providers: InstalledProviders
    let questions: UserQuestions
    let pending: PendingPasswords
    let convertedAccounts: ConvertedAccounts
    let auditTrail: AuditTrail
    /// Why the vault, or a part of it, could not be read the last time; `nil` if it could.
    private(set) var vaultFault: WireError?

    init(
        _ broker: Broker, stores: IdentityStores, providers: InstalledProviders, questions: UserQuestions,
        pending: PendingPasswords, convertedAccounts: ConvertedAccounts, auditTrail: AuditTrail
    ) {
        self.broker = broker
        self.stores = stores
        self.providers = providers
        self.questions = questions
        self.pending = pending
        self.convertedAccounts = convertedAccounts
        self.auditTrail = auditTrail
    }

    private static let changing: Set<String> = [
        Items.Add.name, Items.Edit.name, Items.Remove.name, Items.Restore.name,
    ]

    /// Passes an `items.` request on as the provider's `manage.` request. No secret is returned this way.
    func manage(_ method: String, _ params: JSONValue) async throws -> JSONValue {
        let answer: JSONValue
        do {
            answer = try await providers.supervisor.manage(
                "manage." + method.dropFirst("items.".count), params, launch: providers.launch())
            if method == Items.List.name { vaultFault = Self.fault(of: answer) }
        } catch let error as WireError where method == Items.List.name && error.code == .storageFailed {
            vaultFault = error
            throw error
        }
        stores.updateOffers()
        if Self.changing.contains(method) { auditTrail.itemsChanged() }
        convertedAccounts.noteReturn(method, params)
        if method == Items.Edit.name, let changes: ItemChanges = try? params.decoded(), !changes.isOfLabelsAlone {
            forgetMarks(of: changes)
        }
        return answer
    }

    /// The fault that a list of items tells of; `nil` for a whole one.
    private static func fault(of list: JSONValue) -> WireError? {
        guard case .integer(let count)? = list["unreadable"] else { return nil }
        let what =
            count == 0
            ? "some accounts may be older copies" : "\(count) account\(count == 1 ? "" : "s") cannot be read"
        return WireError(
            .storageFailed, "The vault is damaged: \(what).",
            hint:
                "`latchkey restore FILE --replace` puts a backup in its place; `latchkey repair` keeps what can be read."
        )
    }

    /// Has the vault read, so that `vaultFault` tells how it is now.
    func look() async {
        vaultFault = nil
        _ = try? await manage(Items.List.name, .object([:]))
    }

    /// Has a damaged vault made anew with what can be read of it; answers what was lost, for the user.
    func repairVault() async throws -> String {
        let answer: Provider.Repair.Answer = try await providers.supervisor.manage(
            Provider.Repair.name, .object([:]), launch: providers.launch()
        ).decoded()
        guard let kept = answer.kept, let lost = answer.lost else {
            throw WireError(.storageFailed, "The provider repairs nothing.")
        }
        vaultFault = nil
        auditTrail.itemsChanged()
        guard kept + lost > 0 else { return "It was made anew, and is empty: nothing was left of the old one." }
        return "\(kept) account\(kept == 1 ? " was" : "s were") kept; \(lost) could not be read."
    }

    /// An item. Its notes are included only on request, and through the gate.
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

    /// Releases an item's password to another provider, which is to keep it.
    func password(of id: String, toBeKeptBy keeper: BundleIdentifier) async throws -> WireSecret {
        let (credential, proof) = try await held(id) { supervisor, launch in
            let answer: Items.Reveal.Answer = try await supervisor.manage(
                "manage.reveal", JSONValue(encoding: Items.Reveal.Params(id: id)), launch: launch
            ).decoded()
            return HeldSecret(answer.password)
        }
        let purpose = Move(to: keeper)
        return try broker.release(
            credential, for: purpose, act: proof.act(on: credential, to: purpose.destination))
    }

    /// Releases an item's password to a window of Latchkey's own, whose user has pressed "Show" beside it.
    func reveal(_ params: Renderer.Reveal.Params, over client: ClientConnection) async throws -> Renderer.Reveal.Answer
    {
        .init(password: try await password(behind: params.element, in: params.prompt, isCopy: false, over: client))
    }

    /// Copies an item's password, where the user has pressed "Copy" beside it in a window of Latchkey's own.
    func copy(_ params: Renderer.CopySaved.Params, over client: ClientConnection) async throws -> Renderer.Copy.Answer {
        let allowsUnmarked = params.unmarked == true
        let clipboard = broker.parts.desktop.clipboard
        let unlocked = try broker.unlockedSession()
        // Found out before anything is released: what cannot be delivered should not be in the audit log.
        try await clipboard.check(allowsUnmarked: allowsUnmarked, on: client.display)
        let password = try await password(behind: params.element, in: params.prompt, isCopy: true, over: client)
        try unlocked.check()
        try await clipboard.copy(password.bytes, allowsUnmarked: allowsUnmarked, on: client.display)
        return .init(seconds: ClipboardHolderProcess.seconds)
    }

    /// The password that an element of such a window stands for.
    ///
    /// That a button was pressed is the browser's word alone, so the first one in a window takes the passphrase, the PIN or a finger, unless
    /// that has opened it.
    private func password(
        behind element: String, in prompt: String, isCopy: Bool, over client: ClientConnection
    ) async throws -> WireSecret {
        let record = try await questions.interfaces.record(of: element, in: prompt, on: client.number)
        let given = await questions.windowProof(in: prompt, on: client.number, surface: .window)
        let unlocked = try broker.unlockedSession()
        let item: ItemAnswer = try await manage(Items.Get.name, JSONValue(encoding: ItemReference(id: record)))
            .withoutSecrets.decoded()
        let proof: UserProof
        if let given {
            proof = given
        } else {
            var question = PromptDesk.Question(
                kind: .passwords, requester: client.requester, site: item.item.place, user: item.item.user,
                thing: isCopy ? "copy" : "reveal")
            question.isRoutine = true
            if !broker.asksAlways {
                question.reasons = ["Until you close the window, it shows and copies the others, too."]
            }
            proof = try await questions.buttonProof(
                by: question, as: "reveal \(client.number)", over: client, surface: .window, isPressEnough: false)
            try unlocked.check()
            await questions.interfaces.noteProof(
                .init(epoch: unlocked.epoch, means: proof.authentication), in: prompt, on: client.number)
        }
        try unlocked.check()
        let (credential, _) = try await held(record, proof) { supervisor, launch in
            let answer: Items.Reveal.Answer = try await supervisor.manage(
                "manage.reveal", JSONValue(encoding: Items.Reveal.Params(id: record)), launch: launch
            ).decoded()
            return HeldSecret(answer.password)
        }
        let purpose = WindowReveal(in: prompt, of: client.program, connection: client.number, isCopy: isCopy)
        // The interface that was asked about may have ended while the user was asked.
        guard try await questions.interfaces.record(of: element, in: prompt, on: client.number) == record
        else { throw WireError(.expired, "The interface has changed; nothing was shown.") }
        return try broker.release(
            credential, for: purpose, act: proof.act(on: credential, to: purpose.destination))
    }

    /// Whether items have the passwords that the command line knows already, as an import does. The answer says as much as a reveal
    /// would, so it takes the same authentication, and a line of the audit log before it.
    func compare(_ params: Items.Compare.Params, program: String) async throws -> Items.Compare.Answer {
        guard (1...Items.Compare.limit).contains(params.items.count) else {
            throw WireError(.invalidParams, "One to \(Items.Compare.limit) passwords can be compared at once.")
        }
        let proof = try questions.terminalProof()
        let unlocked = try broker.unlockedSession()
        let answer: Items.Compare.Answer = try await providers.supervisor.manage(
            "manage.compare", JSONValue(encoding: params), launch: providers.launch()
        ).decoded()
        try unlocked.check()
        let passwords = params.items.count { $0.password != nil }
        let others = params.items.count { $0.notes != nil } + params.items.count { $0.authenticator != nil }
        let compared = "\(passwords) passwords" + (others > 0 ? " and \(others) notes or keys of codes" : "")
        guard answer.same.count == params.items.count else {
            throw WireError(.providerUnavailable, "The provider answered for another number of items.")
        }
        try broker.audit.append(
            AuditLine(
                time: broker.time.date(), event: "compared", requester: program,
                authentication: proof.authentication.rawValue,
                reason: "\(compared) were compared with what is saved"))
        return answer
    }

    /// How many bytes of JSON one page of an export has at most, unless one account alone has more; well below the 1 MiB of a message.
    private static let exportBytes = 600_000

    /// A page of all items with their secrets. Each secret is released by itself, with its own line in the audit log.
    func export(_ params: Items.Export.Params, program: String) async throws -> Items.Export.Answer {
        let proof = try await questions.terminalProof(by: params.passphrase.bytes)
        let unlocked = try broker.unlockedSession()
        let page: ItemPage = try await manage(Items.List.name, JSONValue(encoding: ItemQuery(cursor: params.cursor)))
            .withoutSecrets.decoded()
        var accounts: [Items.Export.Account] = []
        var bytes = 0
        for item in page.items {
            let held = try await secrets(of: item)
            try unlocked.check()
            let texts = item.services + [item.user, item.title ?? ""] + (item.tags ?? [])
            bytes += 500 + texts.reduce(0) { $0 + Self.escapedCount($1.utf8) } + held.escapedCount
            guard accounts.isEmpty || bytes <= Self.exportBytes else { break }
            let identity = CredentialIdentity(
                type: .password, service: ServiceIdentifier(written: item.place), user: item.user,
                recordIdentifier: item.id)
            func released(_ secret: HeldSecret) throws -> WireSecret {
                try reveal(
                    HeldCredential(identity: identity, provider: .builtIn, password: secret), to: program,
                    for: "export", by: proof)
            }
            // A note has no password, so there is nothing to log.
            let password =
                item.hasPassword == false ? WireSecret(SecretBytes(count: 0)) : try released(held.password)
            accounts.append(
                .init(
                    item: item, password: password, notes: try held.notes.map(released),
                    authenticator: try held.authenticator.map(released)))
        }
        let next = (params.cursor ?? 0) + accounts.count
        return .init(
            accounts: accounts, cursor: accounts.count < page.items.count ? next : page.cursor,
            unreadable: page.unreadable)
    }

    /// How many bytes a text takes in JSON at most.
    private static func escapedCount(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
    }

    /// The password, the notes and the authenticator's link of an item, as far as it has them.
    private func secrets(of item: Item) async throws -> (
        password: HeldSecret, notes: HeldSecret?, authenticator: HeldSecret?, escapedCount: Int
    ) {
        let launch = try providers.launch()
        let reference = try JSONValue(encoding: ItemReference(id: item.id))
        let password: Items.Reveal.Answer = try await providers.supervisor.manage(
            "manage.reveal", reference, launch: launch
        ).decoded()
        let whole: ItemAnswer = try await providers.supervisor.manage("manage.get", reference, launch: launch).decoded()
        var link: Items.Reveal.Answer?
        if item.authenticator == true {
            link = try await providers.supervisor.manage("manage.authenticator", reference, launch: launch).decoded()
        }
        let secrets = [password.password, whole.item.notes, link?.password].compactMap(\.self)
        let count = secrets.reduce(0) { sum, secret in
            sum + secret.bytes.withUnsafeBytes { Self.escapedCount($0) }
        }
        return (
            HeldSecret(password.password), whole.item.notes.map(HeldSecret.init), link.map { HeldSecret($0.password) },
            count
        )
    }

    /// Releases one secret to the command line.
    func reveal(
        _ credential: HeldCredential, to program: String, for wanted: String?, by proof: UserProof
    ) throws -> WireSecret {
        let purpose = Reveal(to: program, connection: WireRequest.current.client, for: wanted)
        return try broker.release(credential, for: purpose, act: proof.act(on: credential, to: purpose.destination))
    }

    /// The current code of an item's authenticator.
    func revealCode(_ params: Items.Code.Params, program: String) async throws -> Items.Code.Answer {
        let proof = try questions.terminalProof()
        let unlocked = try broker.unlockedSession()
        let launch = try providers.launch()
        let item: ItemAnswer = try await providers.supervisor.manage(
            "manage.get", JSONValue(encoding: ItemReference(id: params.id)), launch: launch
        ).decoded()
        let (secret, secondsLeft) = try await {
            let answer: Items.Code.Answer = try await providers.supervisor.manage(
                "manage.code", JSONValue(encoding: params), launch: launch
            ).decoded()
            return (HeldSecret(answer.code), answer.secondsLeft)
        }()
        try unlocked.check()
        let identity = CredentialIdentity(
            type: .oneTimeCode, service: ServiceIdentifier(written: item.item.place),
            user: item.item.user, recordIdentifier: params.id)
        let wanted = [params.purpose.map { String($0.prefix(64)) }, "a code"].compactMap(\.self)
        return .init(
            code: try reveal(
                HeldCredential(identity: identity, provider: .builtIn, password: secret), to: program,
                for: wanted.joined(separator: ", "), by: proof),
            secondsLeft: secondsLeft)
    }

    func history(_ params: Items.History.Params, program: String) async throws -> Items.History.Answer {
        let proof = try questions.terminalProof()
        let changes: [(Int64, HeldSecret)] = try await {
            let answer: Items.History.Answer = try await providers.supervisor.manage(
                "manage.history", JSONValue(encoding: ItemReference(id: params.id)), launch: providers.launch()
            ).decoded()
            return answer.changes.filter { params.date == nil || $0.date == params.date }
                .map { ($0.date, HeldSecret($0.password)) }
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
        let proof = try agreed ?? questions.terminalProof()
        return (try await credential(of: id, fetch: fetch), proof)
    }

    /// The password of an item, or its current code. Called once the user has acted, and released through the gate alone.
    func credential(of id: String, isCode: Bool) async throws -> HeldCredential {
        try await credential(of: id, type: isCode ? .oneTimeCode : .password) { supervisor, launch in
            let params = try JSONValue(encoding: ItemReference(id: id))
            if isCode {
                let answer: Items.Code.Answer = try await supervisor.manage("manage.code", params, launch: launch)
                    .decoded()
                return HeldSecret(answer.code)
            }
            let answer: Items.Reveal.Answer = try await supervisor.manage("manage.reveal", params, launch: launch)
                .decoded()
            return HeldSecret(answer.password)
        }
    }

    private func credential(
        of id: String, type: CredentialType = .password,
        fetch: @Sendable (ProviderSupervisor, ProviderSupervisor.Launch) async throws -> HeldSecret
    ) async throws -> HeldCredential {
        let unlocked = try broker.unlockedSession()
        let launch = try providers.launch()
        let answer: ItemAnswer = try await providers.supervisor.manage(
            "manage.get", JSONValue(encoding: ItemReference(id: id)), launch: launch
        ).decoded()
        let secret = try await fetch(providers.supervisor, launch)
        try unlocked.check()
        let identity = CredentialIdentity(
            type: type, service: ServiceIdentifier(written: answer.item.place),
            user: answer.item.user, recordIdentifier: id)
        return HeldCredential(identity: identity, provider: .builtIn, password: secret)
    }

    func revealPending(_ params: Generated.Reveal.Params, program: String) async throws -> Generated.Reveal.Answer {
        let proof = try questions.terminalProof()
        let unlocked = try broker.unlockedSession()
        guard let pending = try await pending.pendingPasswords().generated.first(where: { $0.id == params.id }) else {
            throw WireError(.notFound, "There is no such generated password.")
        }
        let answer: Generated.Reveal.Answer = try await providers.supervisor.manage(
            "manage.revealGenerated", JSONValue(encoding: params), launch: providers.launch()
        ).decoded()
        try unlocked.check()
        let identity = CredentialIdentity(
            type: .password, service: ServiceIdentifier(written: pending.service), user: pending.user,
            recordIdentifier: pending.id)
        let wanted = [params.purpose.map { String($0.prefix(64)) }, "a generated password"].compactMap(\.self)
        return .init(
            password: try reveal(
                HeldCredential(identity: identity, provider: .builtIn, password: HeldSecret(answer.password)),
                to: program, for: wanted.joined(separator: ", "), by: proof))
    }

    /// Requires the passphrase for a change after which an item may be offered in more places. Other changes do not require it.
    func requireFresh(forEditing changes: ItemChanges) async throws {
        guard changes.services != nil || changes.strict == false else { return }
        let answer: ItemAnswer = try await manage(Items.Get.name, JSONValue(encoding: ItemReference(id: changes.id)))
            .withoutSecrets.decoded()
        let item = answer.item
        let written = (changes.services ?? []).filter { !item.services.contains($0) }.map(WrittenService.init)
        // Before the question, which would show it.
        if let refusal = written.lazy.compactMap(\.refusal).first {
            throw WireError(.invalidItem, refusal.sentence, hint: refusal.hint)
        }
        let added = written.map(\.text).filter { !item.services.contains($0) }
        let isLoosened = changes.strict == false && item.strict == true
        guard !added.isEmpty || isLoosened else { return }
        let places =
            added.isEmpty ? "all hosts of its sites" : added.map { String($0.prefix(200)) }.joined(separator: ", ")
        try broker.requireFresh("\(item.user.prefix(128)) at \(item.place): also used for \(places)")
    }

    // MARK: Marks

    /// Adds the marks to items.
    func marked<Answer: Sendable>(_ answer: Answer) -> Answer {
        switch answer {
        case var page as ItemPage:
            page.items = page.items.map(marked)
            return page as? Answer ?? answer
        case var single as ItemAnswer:
            single.item = marked(single.item)
            return single as? Answer ?? answer
        default: return answer
        }
    }

    private func marked(_ item: Item) -> Item {
        guard let marks = broker.unlocked?.registry.marks(CredentialMarks.name(record: item.id, provider: .builtIn))
        else {
            return item
        }
        var item = item
        item.rejected = marks.rejected
        item.expires = marks.expires
        return item
    }

    /// Removes the marks of a changed item, since they describe its old state.
    func forgetMarks(of change: ItemChanges) {
        let name = CredentialMarks.name(record: change.id, provider: .builtIn)
        try? broker.change { keys in
            try keys.registry.mark(name) { marks in
                marks.rejected = nil
                if change.password != nil { marks.expires = nil }
            }
        }
        broker.known.forget(record: change.id, of: .builtIn)
    }
}
