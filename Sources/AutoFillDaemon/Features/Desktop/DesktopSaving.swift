// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging
internal import ShownText

/// Saves passwords that the user typed into native programs, if the user wants that.
///
/// A native program has no origin, so the user says which site or server the password is for. What the form says of it is a proposal.
@DaemonActor final class DesktopSaving: SessionObserver {
    private let broker: Broker
    private let filling: DesktopFilling
    private let convertedAccounts: ConvertedAccounts
    /// A question to the user.
    private struct Asking {
        let number: Int
        let task: Task<Void, Never>
        /// Whether the user has yet to say what the password is for, so that a newer one may take its place.
        var isOpen = true
    }

    /// The questions, by program.
    private var asking: [String: Asking] = [:]
    private var number = 0

    init(_ broker: Broker, filling: DesktopFilling, convertedAccounts: ConvertedAccounts) {
        self.broker = broker
        self.filling = filling
        self.convertedAccounts = convertedAccounts
    }

    func sessionEnded() {
        for question in asking.values { question.task.cancel() }
    }

    /// Maximum number of bytes of a user name or a password that is saved.
    private static let limit = 512

    /// Starts the question to the user, unless nothing is to be saved. It returns the same in both cases, before the user has answered.
    func typed(_ params: Desktop.Typed.Params, on client: ClientConnection) throws {
        let password = params.password
        guard params.user.utf8.count <= Self.limit, (params.server ?? "").utf8.count <= Self.limit,
            (1...Self.limit).contains(password.bytes.count)
        else {
            throw WireError(.invalidParams, "A password and its user name have at most \(Self.limit) bytes each.")
        }
        guard
            let form = filling.book.form(
                params.session, of: client.number, at: broker.time.now(), isLeft: true)
        else { throw WireError(.expired, "The form is gone for too long.") }
        filling.book.end(params.session)
        // Apart from the questions about fills: who does not want to save may want to fill.
        let key = "save for " + DesktopFilling.key(form.program)
        guard broker.unlocked != nil, broker.preferences.autoFill, !form.wantsCode, !form.program.isDialogTool,
            !filling.submittedForms.saves.isNever(form.program.place),
            filling.questions.promptLimiter.wait(for: key, at: broker.time.now()) == nil
        else { return }
        // The user may have been refused by the server, and have typed another one: the last one counts.
        if let older = asking[key] {
            guard older.isOpen else { return }
            older.task.cancel()
        }
        number += 1
        let number = number
        let task = Task {
            defer { if asking[key]?.number == number { asking[key] = nil } }
            do {
                try await offer(params, of: form, key: key, client: client)
            } catch let error as WireError where error.code == .userCanceled && !Task.isCancelled {
                // Otherwise a newer question has taken its place, or Latchkey was locked.
                filling.questions.promptLimiter.refused(key, at: broker.time.now())
            } catch {
                broker.logger.debug("a typed password was not saved", metadata: ["error": "\(error)"])
                // Who has agreed believes that it is saved.
                guard asking[key]?.number == number, asking[key]?.isOpen == false, !Task.isCancelled else { return }
                await tell((error as? WireError)?.message ?? "Something went wrong.", about: form, client)
            }
        }
        asking[key] = Asking(number: number, task: task)
    }

    // MARK: The question

    private func offer(
        _ typed: Desktop.Typed.Params, of form: DesktopBook.Form, key: String, client: ClientConnection
    ) async throws {
        let unlocked = try broker.unlockedSession()
        guard let keeper = filling.abilities.savers().first else { return }
        // Of the program's own accounts only: otherwise a program could find out what is saved for a server by naming it.
        let own = try await filling.associated(with: form.app) + filling.bound(to: form.program)
        let password = typed.password
        let server = typed.server.flatMap(FormServer.host)
        // On another server the same user name is another account.
        let fitting = own.filter { server == nil || Origin(written: $0.identity.service.value)?.host == server }
        let isKnown = fitting.contains {
            ($0.identity.user == typed.user || typed.user.isEmpty)
                && broker.known.compare(password.bytes, with: $0.identity, of: $0.provider)?.isSame == true
        }
        guard !isKnown else { return }
        var site = (fitting.first { $0.identity.user == typed.user } ?? fitting.first).map {
            DesktopFilling.place($0.identity)
        }
        if site == nil, let app = form.app {
            site = await filling.appAssociations.confirmedHosts(of: app.identifier).first
        }
        let account = try await account(typed, of: form, site: site ?? server ?? "", keeper, client)
        asking[key]?.isOpen = false
        guard let account else {
            _ = try await filling.submittedForms.changeNever(form.program.place, isNever: true)
            return
        }
        try unlocked.check()
        try await save(typed.password, for: account, of: form, keeper: keeper, unlocked, client)
        filling.questions.promptLimiter.agreed(key)
    }

    /// Lets the user say for which user name and site the password is saved.
    ///
    /// - Returns: `nil` if the user never wants to be asked about this program.
    /// - Throws: `userCanceled` if the user does not want to save it.
    private func account(
        _ typed: Desktop.Typed.Params, of form: DesktopBook.Form, site proposal: String, _ keeper: BundleIdentifier,
        _ client: ClientConnection
    ) async throws -> DesktopFilling.NewAccount? {
        let surface = try await SystemSurface(
            .init(requester: form.program.place, thing: "save"), on: filling.questions.interfaces, over: client)
        var (user, site) = (typed.user, proposal)
        func show(_ trouble: String?) async {
            await surface.show(
                statement(of: form.program.place, user: user, site: site, broker.name(of: keeper), trouble))
        }
        await show(nil)
        do {
            while true {
                let act = try await surface.next()
                guard act.action == "press" else { continue }
                if act.element == "never" {
                    await surface.end()
                    return nil
                }
                guard act.element == "save" else { continue }
                user = DesktopFilling.text("user", in: act)
                site = DesktopFilling.text("site", in: act)
                if let origin = DesktopFilling.origin(writtenByUser: site) {
                    await surface.end()
                    return DesktopFilling.NewAccount(origin: origin, user: user)
                }
                await show("Enter a site or server, for example files.example.com.")
            }
        } catch {
            await surface.end()
            throw error
        }
    }

    private func statement(
        of program: String, user: String, site: String, _ keeper: String, _ trouble: String?
    ) -> InterfaceStatement {
        var elements = [
            InterfaceElement(
                kind: "message", id: "what",
                text: InterfaceStatement.clipped(
                    "You typed a password into \(program). It can be saved in \(keeper), and offered there from now on. Saving takes the passphrase."
                ))
        ]
        elements += DesktopFilling.accountElements(user: user, site: site, trouble)
        elements += [
            InterfaceElement(kind: "button", id: "save", label: "Save…", enabled: true),
            InterfaceElement(kind: "button", id: "never", label: "Never for This App", enabled: true),
        ]
        return InterfaceStatement(title: "Save This Password?", elements: elements)
    }

    /// Tells the user that nothing was saved, until they close the window.
    private func tell(_ reason: String, about form: DesktopBook.Form, _ client: ClientConnection) async {
        let surface = try? await SystemSurface(
            .init(requester: form.program.place, thing: "save"), on: filling.questions.interfaces, over: client)
        guard let surface else { return }
        await surface.show(
            InterfaceStatement(
                title: "The Password Is Not Saved",
                elements: [.init(kind: "message", id: "why", text: InterfaceStatement.clipped(reason))]))
        while (try? await surface.next()) != nil {}
        await surface.end()
    }

    // MARK: Saving

    /// Asks for the passphrase, has a provider save the password, and offers the account in the program from now on.
    private func save(
        _ password: WireSecret, for account: DesktopFilling.NewAccount, of form: DesktopBook.Form,
        keeper: BundleIdentifier, _ unlocked: UnlockedSession, _ client: ClientConnection
    ) async throws {
        let (epoch, program) = (broker.epoch, form.program)
        let saved = try await filling.submittedForms.accounts(
            at: account.origin, users: [account.user], password: password.bytes, old: nil
        ).filter { $0.user == account.user && $0.isUpdatable && filling.abilities.savers().contains($0.provider) }
        let isReplaced = !saved.isEmpty
        let target = saved.first?.provider ?? keeper
        let identity = filling.pending.newIdentity(at: account.origin, user: account.user)
        _ = try await filling.newPasswordAct(
            on: .init(identity: identity, provider: target, destination: .program(program), epoch: epoch),
            for: account, program, isReplaced: isReplaced, keeper: target, client: client,
            purpose: saved.first.map { $0.isSame == nil } == true
                ? "It was typed there, and may be the one that is saved. If so, nothing changes."
                : "It is the password that was typed there.")
        // A program that still runs has to be what it was, because the account is offered in it from now on.
        let (confirmed, app) = await filling.confirm(form)
        guard !form.process.isAlive || confirmed == program else {
            throw WireError(.refused, "The program was replaced in the meantime.")
        }
        try unlocked.check()
        guard filling.abilities.savers().contains(target) else { throw Broker.lockedMeanwhile }
        let context = RequestContext(app: program.place)
        try await filling.providerInterfaces.save(
            Saving.Save.Params(
                request: 0, service: ServiceStatement(identity.service), user: account.user, password: password,
                session: RandomName.make(), event: isReplaced ? "userInitiated" : "formDidDisappear",
                context: context),
            in: target, requester: program.place, at: account.origin, context: context, client: client)
        if unlocked.isCurrent {
            broker.known.saved(HeldSecret(password), at: account.origin, user: account.user, by: target)
        }
        convertedAccounts.signsInByPassword { $0.concerns(service: account.origin.written, user: account.user) }
        filling.stores.updateOffers()
        try broker.audit.append(
            AuditLine(
                time: broker.time.date(), event: isReplaced ? "updated" : "saved", provider: target.rawValue,
                service: account.origin.description, user: account.user, requester: program.place, act: "window"))
        broker.tellBrowsers()
        try unlocked.check()
        try await filling.bindNew(account, of: target, to: program, app ?? form.app)
    }
}
