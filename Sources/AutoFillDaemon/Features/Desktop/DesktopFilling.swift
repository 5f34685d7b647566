// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import FormAnalysis
internal import Glibc
internal import ShownText

/// Fills the fields of native programs that do not ask by themselves (section 12 of `docs/protocol.md`).
///
/// `latchkey-desktop` finds the fields and writes into them. Which program has them, and what may go there, is decided here.
@DaemonActor final class DesktopFilling: SessionObserver {
    let broker: Broker
    let stores: IdentityStores
    let providers: InstalledProviders
    let questions: UserQuestions
    let abilities: ProviderAbilities
    let providerInterfaces: ProviderInterfaces
    let pending: PendingPasswords
    let submittedForms: SubmittedForms
    let appAssociations: AppAssociations
    let knownApps: KnownApps
    let auditTrail: AuditTrail
    let runs: Runs
    let codeMessages: CodeMessages
    var book = DesktopBook()
    /// The apps whose sites are being asked whether they name them.
    private var siteChecks: [AppIdentifier: Task<Void, Never>] = [:]

    init(
        _ broker: Broker, stores: IdentityStores, providers: InstalledProviders, questions: UserQuestions,
        abilities: ProviderAbilities, providerInterfaces: ProviderInterfaces, pending: PendingPasswords,
        submittedForms: SubmittedForms, appAssociations: AppAssociations, knownApps: KnownApps, auditTrail: AuditTrail,
        runs: Runs, codeMessages: CodeMessages
    ) {
        self.broker = broker
        self.stores = stores
        self.providers = providers
        self.questions = questions
        self.abilities = abilities
        self.providerInterfaces = providerInterfaces
        self.pending = pending
        self.submittedForms = submittedForms
        self.appAssociations = appAssociations
        self.knownApps = knownApps
        self.auditTrail = auditTrail
        self.runs = runs
        self.codeMessages = codeMessages
    }

    func sessionEnded() {
        book.endAll()
    }

    func clientLeft(_ client: ClientConnection) {
        book.end(of: client.number)
    }

    // MARK: Forms

    /// Maximum number of fields of one form.
    private static let fieldLimit = 16

    /// Decides whether anything is offered in a program. The answer depends on the program and the preference alone, never on what is saved.
    func focused(_ params: Desktop.Focused.Params, on client: ClientConnection) async throws -> Desktop.Focused.Answer {
        let roles = FieldRole.allCases.map(\.rawValue)
        guard params.fields.count <= Self.fieldLimit,
            params.fields.allSatisfy({ roles.contains($0.role) }),
            Set(params.fields.map(\.ref)).count == params.fields.count
        else {
            throw WireError(.invalidParams, "A form has at most \(Self.fieldLimit) fields with roles.")
        }
        let (process, program, app): (PeerProcess, VerifiedProgram, VerifiedApp?)
        do throws(CallerRefusal) {
            (process, program, app) = try await identified(params.process)
        } catch {
            let path = PeerProcess(number: params.process)?.executable?.path
            return .init(
                program: DisplayText(path ?? "a program", keeping: .end), refusal: DisplayText(error.reason, .sentence))
        }
        let shown = DisplayText(program.place, keeping: .end)
        guard broker.preferences.autoFill, broker.isInitialized else {
            return .init(program: shown, refusal: "AutoFill is off")
        }
        // The sender asks before it has a program describe its windows.
        guard !params.fields.isEmpty else { return .init(program: shown) }
        if let app { await ask(aboutSitesOf: app) }
        let name = book.add(
            .init(
                connection: client.number, process: process, program: program, app: app, fields: params.fields,
                server: params.server.flatMap(FormServer.host), began: broker.time.now()))
        let saves = !program.isDialogTool && !submittedForms.saves.isNever(program.place)
        return .init(session: name, program: shown, saves: saves ? true : nil)
    }

    /// The program that a process runs, and its app, if anything is offered in it.
    func identified(_ number: Int32) async throws(CallerRefusal) -> (PeerProcess, VerifiedProgram, VerifiedApp?) {
        guard let process = PeerProcess(number: number), process.user == getuid() else {
            throw CallerRefusal("its process cannot be seen")
        }
        // By its name first: to identify a program its whole file is read.
        if let reason = untouched(process) { throw CallerRefusal(reason) }
        let caller = try await broker.callers.identity(of: process)
        return (process, try ProgramPolicy.verified(caller), app(caller))
    }

    /// Takes note of what an app states, as at each of its requests, and begins to ask the sites that have not confirmed it.
    private func ask(aboutSitesOf app: VerifiedApp) async {
        await appAssociations.declare(app.entitlement)
        guard siteChecks[app.identifier] == nil, let associations = appAssociations.associations else { return }
        let identifier = app.identifier
        siteChecks[identifier] = Task {
            _ = await associations.check(identifier)
            siteChecks[identifier] = nil
        }
    }

    /// The reason why nothing is offered in a program, whatever it is for.
    private func untouched(_ process: PeerProcess) -> String? {
        guard let executable = process.executable else { return "its executable cannot be seen" }
        if broker.parts.browsers.knows(executable) { return UntouchedPrograms.browser }
        return UntouchedPrograms.reason(executable.path, ownFolder: broker.programFolder)
    }

    /// The app that a caller is, if its claim counts; `nil` also where the user has not decided yet.
    private func app(_ caller: CallerIdentity) -> VerifiedApp? {
        guard case .known(let app) = AppPolicy.standing(of: caller, knownApps.grounds(for: caller)) else { return nil }
        return app
    }

    /// What fills native programs in the user's session; the one that connected last is that of the session in front.
    var agent: Peer? {
        broker.clients.values.filter { $0.role == .desktop && $0.isGreeted && $0.peer != nil }
            .max { $0.number < $1.number }?.peer
    }

    static var nothingFills: WireError {
        WireError(.notFound, "Nothing fills native programs in this session.", hint: "Run `latchkey desktop enable`.")
    }

    /// Passes a request of the user's on to what fills native programs.
    func tell<Method: WireMethod>(_ method: Method.Type) async throws where Method.Params == Empty {
        guard let agent else { throw Self.nothingFills }
        _ = try await agent.call(method, .init(), timeout: .seconds(5))
    }

    func left(_ params: Desktop.Form, on client: ClientConnection) {
        guard book.form(params.session, of: client.number, at: broker.time.now()) != nil else { return }
        book.end(params.session)
    }

    func form(_ name: String, of connection: Int) throws -> DesktopBook.Form {
        guard let form = book.form(name, of: connection, at: broker.time.now()) else {
            throw WireError(.expired, "The form that asked is gone.")
        }
        return form
    }

    // MARK: Suggestions

    /// The accounts whose sites name the program's app as theirs, then those that the user has bound to the program.
    func suggestions(_ params: Desktop.Form, on client: ClientConnection) async throws -> Desktop.Suggestions.Answer {
        let form = try form(params.session, of: client.number)
        guard broker.isInitialized else { return .init(state: "uninitialized", suggestions: []) }
        guard broker.unlocked != nil else { return .init(state: "locked", suggestions: []) }
        if form.wantsNewPassword {
            book.forgetOffers(of: params.session)
            return .init(state: "ready", suggestions: [], strong: strongHandle(in: params.session, of: form))
        }
        if form.wantsCode {
            return .init(state: "ready", suggestions: try await codeRows(in: params.session, of: form))
        }
        let found = try await associated(with: form.app) + bound(to: form.program)
        let offers = FormServer.ordered(found, by: form.server)
        // The form may be gone by now; then no handle is made.
        _ = try self.form(params.session, of: client.number)
        book.forgetOffers(of: params.session)
        var seen: Set<CredentialIdentity.Key> = []
        let rows = offers.filter { seen.insert($0.identity.key).inserted }.prefix(20).map { offer in
            Row(
                handle: book.offer(offer, in: params.session),
                title: DisplayText("password for \(Self.place(offer.identity))"),
                user: DisplayText(offer.identity.user, placeholder: "(no user name)"),
                provider: offer.provider.rawValue, fills: true)
        }
        return .init(state: "ready", suggestions: rows)
    }

    /// The accounts of hosts that name the program's app as their own.
    func associated(
        with app: VerifiedApp?, type: CredentialType = .password
    ) async throws -> [DesktopBook.Offer] {
        guard let app else { return [] }
        var associations = await appAssociations.associations?.verifiedAssociations(for: app.identifier) ?? []
        if associations.isEmpty, let check = siteChecks[app.identifier] {
            await check.value
            associations = await appAssociations.associations?.verifiedAssociations(for: app.identifier) ?? []
        }
        let terms = broker.rules.terms.terms(for: associations.compactMap(\.host))
        let (policy, confirmed) = (broker.rules.policy, associations)
        let found = try await stores.lookup(terms) { _, identities in
            identities.filter { $0.type == type && policy.match($0, for: confirmed).decision == .associated }
        }
        return found.flatMap { provider, identities in
            identities.sorted { $1.rank < $0.rank }.map {
                .init(identity: $0, provider: provider, ground: .association)
            }
        }
    }

    /// The accounts that are bound to a program and still saved, the newest binding first.
    func bound(
        to program: VerifiedProgram, type: CredentialType = .password
    ) async throws -> [DesktopBook.Offer] {
        let bindings = try broker.requireUnlocked().registry.bindings.filter { $0.covers(program) }
        var offers: [DesktopBook.Offer] = []
        for binding in bindings.reversed().prefix(20) {
            guard let provider = BundleIdentifier(binding.provider) else { continue }
            guard let identity = try await identity(of: binding, in: provider, type: type) else { continue }
            offers.append(.init(identity: identity, provider: provider, ground: .binding))
        }
        return offers
    }

    /// The saved account that a binding names; `nil` if it is gone.
    private func identity(
        of binding: ProgramBinding, in provider: BundleIdentifier, type: CredentialType
    ) async throws -> CredentialIdentity? {
        guard let origin = Origin(written: binding.service) else { return nil }
        return try await stores.lookup(broker.rules.terms.terms(for: origin), of: [provider]) { _, identities in
            identities.first {
                $0.type == type && $0.recordIdentifier == binding.record && $0.user == binding.user
                    && $0.service.value == binding.service
            }
        }.first?.value
    }

    static func place(_ identity: CredentialIdentity) -> String {
        Origin(written: identity.service.value)?.written ?? identity.service.value
    }

    // MARK: Filling

    /// Fills the row that the user chose on the panel.
    func choose(_ params: Desktop.Choose.Params, on client: ClientConnection) async throws -> Desktop.Fills {
        guard let (form, _, offer) = book.take(params.handle, of: client.number, at: broker.time.now()) else {
            throw WireError(.expired, "The suggestion was used or is too old.")
        }
        return try await runs.running(for: nil, on: client) { [self] in
            switch offer.ground {
            case .new: return try await fillNewPassword(into: form, proposedUser: params.user, client: client)
            case .message: return try await fillReceived(offer, into: form, client: client)
            default: return try await fill(offer, into: form, surface: .panel, client: client)
            }
        }
    }

    /// Asks the provider and the user, identifies the program again, and releases.
    ///
    /// - Parameter keeps: For a choice in the list: whether the account is bound to the program from now on.
    func fill(
        _ offer: DesktopBook.Offer, into form: DesktopBook.Form, surface: UserAct.Surface, keeps: Bool = false,
        client: ClientConnection
    ) async throws -> Desktop.Fills {
        let epoch = broker.epoch
        let (identity, program) = (offer.identity, form.program)
        let (credential, interaction) = try await providerInterfaces.credential(
            for: identity, of: offer.provider, site: Origin(written: identity.service.value),
            client: client, requester: program.place)
        if form.wantsCode { try requireFit(of: credential, in: form, client: client) }
        // Codes count apart: the first one takes the passphrase, also where the account's password was filled before.
        let kind = identity.type == .oneTimeCode ? "code of program:" : "program:"
        let digest = SealedRegistry.releaseDigest(
            origin: kind + program.place, provider: offer.provider, identity: identity)
        let wasReleased = try broker.requireUnlocked().registry.wasReleased(digest) && !program.isDialogTool
        let subject = ActSubject(
            identity: credential.identity, provider: credential.provider, destination: .program(program), epoch: epoch)
        let act = try await consent(
            to: offer, on: subject, program, keeps: keeps, wasReleased: wasReleased,
            isShown: interaction != .none, surface: surface, client: client)
        // Identify everything again, because the steps before took time.
        let (confirmed, app) = await confirm(form)
        let ground: NativeFill.Ground
        switch offer.ground {
        case .association:
            guard let app, let host = Origin(written: identity.service.value)?.host else {
                throw try refused(offer, program, surface, client, "the site no longer names this program")
            }
            ground = .association(app, await appAssociations.association(of: app.identifier, with: host))
        case .binding:
            let binding = try broker.requireUnlocked().registry.bindings.first {
                $0.covers(program) && $0.provider == offer.provider.rawValue && $0.record == identity.recordIdentifier
                    && $0.user == identity.user && $0.service == identity.service.value
            }
            guard let binding else { throw try refused(offer, program, surface, client, "the binding was taken back") }
            ground = .binding(binding)
        case .choice: ground = .choice
        case .new, .message: throw WireError(.internalError, "No provider is asked for this.")
        }
        let password = try broker.release(
            credential,
            for: NativeFill(chosen: program, confirmed: confirmed, on: ground, wasReleasedBefore: wasReleased), act: act
        )
        // What is used once in a program of choice is not remembered for the next time.
        if offer.ground != .choice || keeps { auditTrail.remember(digest) }
        if keeps { try bind(offer, to: program, package: await ProgramPackage.name(of: program.program.path)) }
        if form.wantsCode { return .init(fills: form.codeSpread.fills(password)) }
        return .init(
            fills: form.fields.map { field in
                Fill(
                    ref: field.ref, role: field.role,
                    value: field.role == FieldRole.username.rawValue
                        ? WireSecret(.init(utf8: identity.user)) : password)
            })
    }

    private func refused(
        _ offer: DesktopBook.Offer, _ program: VerifiedProgram, _ surface: UserAct.Surface, _ client: ClientConnection,
        _ reason: String
    ) throws -> WireError {
        try broker.gate.refuse(
            offer.identity, of: offer.provider, requester: program.place, client: client.program,
            surface: surface.rawValue, reason: reason)
    }

    /// The user's act for a choice on the panel or in the list.
    func consent(
        to offer: DesktopBook.Offer, on subject: ActSubject, _ program: VerifiedProgram, keeps: Bool, wasReleased: Bool,
        isShown: Bool, surface: UserAct.Surface, client: ClientConnection
    ) async throws -> UserAct {
        let isForeign = offer.ground == .choice
        // A press on the panel may be another program's: the first release into each program takes the passphrase.
        let choice = UserChoice(
            surface: surface, isFill: true, demanded: isForeign || !wasReleased ? .authentication : .nothing)
        if !isShown, let act = questions.unaskedAct(on: subject, by: choice) { return act }
        var question = PromptDesk.Question(
            kind: isForeign ? .foreign : .authenticate, requester: program.place, site: program.place,
            user: offer.identity.user, provider: broker.name(of: offer.provider))
        question.savedFor = DisplayText(Self.place(offer.identity))
        if offer.identity.type == .oneTimeCode { question.thing = "code" }
        if let package = await ProgramPackage.name(of: program.program.path) {
            question.reasons.append("The program belongs to the package \(DisplayText(package)).")
        }
        if program.isDialogTool {
            question.reasons.append("It passes what it is given on to whatever program or script has started it.")
        }
        if keeps { question.reasons.append("It is offered in this program from now on.") }
        return try await questions.askedAct(
            on: subject, by: question, as: Self.key(program), over: client, surface: surface,
            requirement: .authentication, otherwise: broker.standingAuthentication(isFill: true)
        ) { _ in isForeign ? [.foreign] : [] }
    }

    /// The key under which the user's refusals are remembered.
    static func key(_ program: VerifiedProgram) -> String { "program " + program.place }

    /// The program that the form's process runs now, and its app; `nil` if it is no longer what it was.
    func confirm(_ form: DesktopBook.Form) async -> (VerifiedProgram?, VerifiedApp?) {
        guard untouched(form.process) == nil, let caller = try? await broker.callers.identity(of: form.process),
            let program = try? ProgramPolicy.verified(caller)
        else { return (nil, nil) }
        let app = app(caller)
        // What it states now counts, not what it stated when the form was found.
        if let app { await appAssociations.declare(app.entitlement) }
        return (program, app)
    }

    // MARK: Bindings

    /// Offers an account in a program from now on. The user has typed the passphrase for it.
    func bind(_ offer: DesktopBook.Offer, to program: VerifiedProgram, package: String?) throws {
        guard let record = offer.identity.recordIdentifier, !program.isDialogTool else { return }
        let binding = ProgramBinding(
            to: program, package: package, provider: offer.provider.rawValue, record: record,
            service: offer.identity.service.value, user: offer.identity.user, date: broker.time.date())
        try broker.noteWeakened(
            "\(binding.service) is offered in \(program.place)", by: program.place, Desktop.Browse.name)
        try broker.change { keys in
            try keys.registry.setBindings(keys.registry.bindings.filter { !$0.isSame(as: binding) } + [binding])
        }
    }

    func bindings() throws -> Apps.Bindings.Answer {
        .init(
            bindings: try broker.requireUnlocked().registry.bindings.map { binding in
                BindingStatement(
                    id: binding.id, program: binding.program, package: binding.package, provider: binding.provider,
                    service: TextCleaner.cleaned(binding.service), user: TextCleaner.cleaned(binding.user),
                    date: binding.date)
            })
    }

    func unbind(_ params: Apps.Unbind.Params) throws {
        let isGone = try broker.change { keys in
            let rest = keys.registry.bindings.filter { $0.id != params.id }
            guard rest.count < keys.registry.bindings.count else { return false }
            try keys.registry.setBindings(rest)
            return true
        }
        guard isGone else {
            throw WireError(
                .notFound, "There is no binding \(params.id.prefix(32)).", hint: "`latchkey apps list` shows them.")
        }
        book.endAll()
    }
}
