// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillQuirks
internal import AutoFillRelease
internal import AutoFillSecrets
internal import FormAnalysis
internal import ShownText

/// Makes a new password for a form of a native program, saves it where the user says, and fills it.
///
/// A native program has no origin, so the user names the site or server that the password is for. What the form says of it is a proposal.
extension DesktopFilling {
    /// The account that a new password is for, as the user has confirmed it.
    struct NewAccount: Sendable {
        let origin: Origin
        let user: String
    }

    /// The provider that keeps new passwords; `nil` if none does.
    private var keeper: BundleIdentifier? {
        let savers = abilities.savers()
        return savers.contains(where: abilities.generates) ? savers.first : nil
    }

    /// The handle of a strong password; `nil` if no provider would keep it. It does not depend on what is saved.
    func strongHandle(in session: String, of form: DesktopBook.Form) -> String? {
        guard form.wantsNewPassword, let keeper else { return nil }
        let identity = CredentialIdentity(
            type: .password, service: ServiceIdentifier(kind: .url, value: ""), user: "", recordIdentifier: nil)
        return book.offer(.init(identity: identity, provider: keeper, ground: .new), in: session)
    }

    /// Asks the user what the password is for, makes it, has it kept and saved, and releases it.
    func fillNewPassword(
        into form: DesktopBook.Form, proposedUser: String?, client: ClientConnection
    ) async throws -> Desktop.Fills {
        let unlocked = try broker.unlockedSession()
        guard let keeper,
            let maker = abilities.generates(keeper) ? keeper : abilities.savers().first(where: abilities.generates)
        else { throw WireError(.refused, "No provider that is enabled keeps new passwords.") }
        let epoch = broker.epoch
        let program = form.program
        let account = try await newAccount(for: form, proposedUser: proposedUser, keeper: keeper, client: client)
        try unlocked.check()
        let identity = pending.newIdentity(at: account.origin, user: account.user)
        let params = Saving.Generate.Params(
            request: 0, service: ServiceStatement(identity.service),
            quirkRules: broker.siteQuirks.passwordRules(for: account.origin.host))
        let (credential, kind) = try await providers.supervisor(of: maker).generate(
            params, for: identity, kept: keeper, launch: providers.launch(of: maker))
        let weakness = await WeakPassword.warning(of: credential, params, maker: broker.name(of: maker))
        let replaced = try await submittedForms.accounts(
            at: account.origin, users: [account.user], password: SecretBytes(count: 0), old: nil
        ).contains { $0.user == account.user && $0.provider == keeper }
        let act = try await newPasswordAct(
            on: .init(
                identity: credential.identity, provider: credential.provider, destination: .program(program),
                epoch: epoch),
            for: account, program, isReplaced: replaced, keeper: keeper, client: client, weakness: weakness)
        let (confirmed, app) = await confirm(form)
        let purpose = NativeGenerated(chosen: program, confirmed: confirmed)
        // Check with the gate before a provider is told to keep the password.
        try broker.gate.require(
            credential, for: purpose, act: act, at: broker.moment(of: keeper), client: client.program)
        guard confirmed == program else {
            throw try broker.gate.refuse(
                credential.identity, of: keeper, requester: program.place, client: client.program,
                surface: UserAct.Surface.window.rawValue, reason: "the program was replaced in the meantime")
        }
        let name = RandomName.make()
        // Kept first, so that it is not lost whatever happens next.
        try await providers.supervisor(of: keeper).save(
            credential.depositRequest(session: name, kind: kind, context: RequestContext(app: program.place)),
            launch: providers.launch(of: keeper))
        let password = try broker.release(credential, for: purpose, act: act, client: client.program)
        let saved = Saving.Save.Params(
            request: 0, service: ServiceStatement(identity.service), user: account.user, password: password,
            session: name, event: replaced ? "userInitiated" : "formDidDisappear", kind: kind)
        try await providerInterfaces.save(
            saved, in: keeper, requester: program.place, at: account.origin, client: client)
        if unlocked.isCurrent {
            broker.known.saved(HeldSecret(password), at: account.origin, user: account.user, by: keeper)
        }
        stores.updateOffers()
        try broker.audit.append(
            AuditLine(
                time: broker.time.date(), event: replaced ? "updated" : "saved", provider: keeper.rawValue,
                service: account.origin.description, user: account.user, requester: program.place, act: "window"))
        broker.tellBrowsers()
        // A provider's interface may have taken its time.
        try unlocked.check()
        try Task.checkCancellation()
        guard await confirm(form).0 == program else {
            throw WireError(
                .refused, "The new password is saved, and was not filled: the program was replaced in the meantime.")
        }
        try await bindNew(account, of: keeper, to: program, app)
        return .init(
            fills: form.fields.filter { $0.role == FieldRole.newPassword.rawValue }.map {
                Fill(ref: $0.ref, role: $0.role, value: password)
            }, notice: "The new password is saved for \(account.origin.written).")
    }

    // MARK: What it is for

    /// Lets the user say for which user name and site the new password is saved.
    private func newAccount(
        for form: DesktopBook.Form, proposedUser: String?, keeper: BundleIdentifier, client: ClientConnection
    ) async throws -> NewAccount {
        let surface = try await SystemSurface(
            .init(requester: form.program.place, thing: "desktop"), on: questions.interfaces, over: client)
        var confirmedHost: String?
        if let app = form.app { confirmedHost = await appAssociations.confirmedHosts(of: app.identifier).first }
        var user = proposedUser.map { String($0.prefix(256)) } ?? ""
        var site = confirmedHost ?? form.server ?? ""
        var trouble: String?
        await surface.show(
            Self.newAccountStatement(form, user: user, site: site, keeper: broker.name(of: keeper), trouble))
        do {
            while true {
                let act = try await surface.next()
                guard (act.element, act.action) == ("make", "press") else { continue }
                user = Self.text("user", in: act)
                site = Self.text("site", in: act)
                if let origin = Self.origin(writtenByUser: site) {
                    await surface.end()
                    return NewAccount(origin: origin, user: user)
                }
                trouble = "Enter a site or server, for example files.example.com."
                await surface.show(
                    Self.newAccountStatement(form, user: user, site: site, keeper: broker.name(of: keeper), trouble))
            }
        } catch {
            await surface.end()
            throw error
        }
    }

    /// The origin of a site that the user has typed: a host, or an address of https.
    nonisolated static func origin(writtenByUser text: String) -> Origin? {
        guard let origin = Origin(written: text) else { return nil }
        return origin.isPotentiallyTrustworthy ? origin : nil
    }

    static func text(_ field: String, in act: InterfaceAct) -> String {
        guard let contents = act.fields?.first(where: { $0.id == field }) else { return "" }
        return contents.text.bytes.withUnsafeBytes { String(decoding: $0.prefix(512), as: UTF8.self) }
    }

    /// The fields in which the user says what a password is for, below what was wrong with them before.
    static func accountElements(user: String, site: String, _ trouble: String?) -> [InterfaceElement] {
        (trouble.map { [InterfaceElement(kind: "message", id: "trouble", text: $0)] } ?? []) + [
            InterfaceElement(kind: "text", id: "user", label: "User name", value: InterfaceStatement.clipped(user)),
            InterfaceElement(
                kind: "text", id: "site", label: "Site or server", value: InterfaceStatement.clipped(site)),
        ]
    }

    private static func newAccountStatement(
        _ form: DesktopBook.Form, user: String, site: String, keeper: String, _ trouble: String?
    ) -> InterfaceStatement {
        var elements = [
            InterfaceElement(
                kind: "message", id: "what",
                text: InterfaceStatement.clipped(
                    "A new password is made, saved in \(keeper), and filled into \(form.program.place)."))
        ]
        elements += accountElements(user: user, site: site, trouble)
        elements += [
            InterfaceElement(kind: "button", id: "make", label: "Make, Save and Fill", enabled: true)
        ]
        return InterfaceStatement(title: "Use a Strong Password", elements: elements)
    }

    /// The user's act for a password that is saved for a program: the passphrase, on a question that names the program and the place.
    ///
    /// - Parameters:
    ///   - purpose: A sentence about what is saved.
    ///   - weakness: What the user has to know of a password that is easy to guess.
    func newPasswordAct(
        on subject: ActSubject, for account: NewAccount, _ program: VerifiedProgram, isReplaced: Bool,
        keeper: BundleIdentifier, client: ClientConnection,
        purpose: DisplayText = "It is a new password, which is filled there.", weakness: DisplayText? = nil
    ) async throws -> UserAct {
        var question = PromptDesk.Question(
            kind: .authenticate, requester: program.place, site: account.origin.written, user: account.user,
            provider: broker.name(of: keeper), thing: "saving")
        question.reasons += [purpose, weakness].compactMap(\.self)
        if isReplaced {
            question.reasons.append("It replaces the one that is saved for this account now.")
        }
        if let package = await ProgramPackage.name(of: program.program.path) {
            question.reasons.append("The program belongs to the package \(DisplayText(package)).")
        }
        if program.isDialogTool {
            question.reasons.append("It passes what it is given on to whatever program or script has started it.")
        } else {
            question.reasons.append("It is offered in this program from now on.")
        }
        return try await questions.askedAct(
            on: subject, by: question, as: Self.key(program), over: client, surface: .window,
            requirement: .authentication, otherwise: broker.standingAuthentication(isFill: true))
    }

    /// Offers the account that was just saved in the program from now on, unless the app's own site does that already.
    func bindNew(
        _ account: NewAccount, of keeper: BundleIdentifier, to program: VerifiedProgram, _ app: VerifiedApp?
    ) async throws {
        if let app, await appAssociations.association(of: app.identifier, with: account.origin.host) != nil { return }
        let service = pending.newIdentity(at: account.origin, user: account.user).service
        let found = try await stores.lookup(broker.rules.terms.terms(for: account.origin), of: [keeper]) {
            _, identities in
            identities.first {
                $0.type == .password && $0.recordIdentifier != nil && $0.user == account.user
                    && Origin(written: $0.service.value) == Origin(written: service.value)
            }
        }.first?.value
        guard let found else { return }
        try bind(
            .init(identity: found, provider: keeper, ground: .new), to: program,
            package: await ProgramPackage.name(of: program.program.path))
        auditTrail.remember(
            SealedRegistry.releaseDigest(origin: "program:" + program.place, provider: keeper, identity: found))
    }
}
