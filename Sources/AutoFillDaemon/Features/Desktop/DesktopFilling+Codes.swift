// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import SecurityCodes
internal import ShownText

/// Offers and fills codes in native programs: those of accounts that belong to the program, and those that came in messages for their hosts.
///
/// A program to which nothing belongs is offered no code, whatever the message says.
extension DesktopFilling {
    /// The rows for a form that asks for a code. They do not contain the codes.
    func codeRows(in session: String, of form: DesktopBook.Form) async throws -> [Row] {
        let made =
            try await associated(with: form.app, type: .oneTimeCode) + bound(to: form.program, type: .oneTimeCode)
        let hosts = try await hosts(of: form.program, form.app)
        _ = try self.form(session, of: form.connection)
        book.forgetOffers(of: session)
        let messages = received(for: hosts).map { code, standing in
            var row = Row(
                handle: book.offer(
                    .init(identity: code.identity, provider: .receivedCodes, ground: .message), in: session),
                title: code.boundTo.map { "code for \(DisplayText($0))" } ?? "code",
                user: DisplayText(code.origin.words),
                provider: BundleIdentifier.receivedCodes.rawValue, fills: true)
            if standing == .unbound { row.relation = "unbound" }
            return row
        }
        return messages
            + made.prefix(20).map { offer in
                Row(
                    handle: book.offer(offer, in: session),
                    title: DisplayText("code for \(Self.place(offer.identity))"),
                    user: DisplayText(offer.identity.user, placeholder: "(no user name)"),
                    provider: offer.provider.rawValue, fills: true)
            }
    }

    /// The hosts that name the program's app as theirs, and those of the accounts that are bound to the program and still saved.
    private func hosts(of program: VerifiedProgram, _ app: VerifiedApp?) async throws -> [AssociatedHost] {
        var hosts: [String] = []
        if let app, app.program == program.program {
            hosts = await appAssociations.confirmedHosts(of: app.identifier)
        }
        hosts += try await bound(to: program).compactMap { Origin(written: $0.identity.service.value)?.host }
        return hosts.compactMap(AssociatedHost.init(written:))
    }

    /// The received codes that may be offered where these hosts belong, the newest first.
    private func received(for hosts: [AssociatedHost]) -> [(code: ReceivedCode, standing: CodeOffers.Standing)] {
        guard !hosts.isEmpty else { return [] }
        let offers = CodeOffers(broker.rules.policy.suffixes)
        return codeMessages.codes.codes(at: broker.time.now(), lifetime: broker.preferences.codeSpan)
            .map { ($0, offers.standing(of: $0.binding, forAppWith: hosts)) }
            .filter { $0.1.basis != nil }
    }

    /// Has the panel ask anew: a code has come, or one is gone.
    func codesChanged() {
        guard book.wantsCodes else { return }
        Task { try? await tell(Desktop.Changed.self) }
    }

    /// Refuses a code that does not fit the fields, before the user is asked and before the code is used up.
    func requireFit(of credential: HeldCredential, in form: DesktopBook.Form, client: ClientConnection) throws {
        guard let misfit = form.codeSpread.misfit(of: credential.password) else { return }
        throw try broker.gate.refuse(
            credential.identity, of: credential.provider, requester: form.program.place, client: client.program,
            surface: UserAct.Surface.panel.rawValue, reason: misfit)
    }

    /// Releases a code from a message that the user chose on the panel.
    func fillReceived(
        _ offer: DesktopBook.Offer, into form: DesktopBook.Form, client: ClientConnection
    ) async throws -> Desktop.Fills {
        let id = offer.identity.recordIdentifier ?? ""
        guard let code = codeMessages.codes.code(id, at: broker.time.now(), lifetime: broker.preferences.codeSpan)
        else { throw WireError(.expired, "The code was used or is too old.") }
        let program = form.program
        let credential = HeldCredential(identity: code.identity, provider: .receivedCodes, password: code.secret)
        try requireFit(of: credential, in: form, client: client)
        let digest = SealedRegistry.releaseDigest(
            origin: "program:" + program.place, provider: .receivedCodes, identity: code.kind)
        // A code that names no host could be any service's: the user is asked each time.
        let wasReleased =
            try code.boundTo != nil && broker.requireUnlocked().registry.wasReleased(digest) && !program.isDialogTool
        let act = try await consent(
            to: .init(identity: code.identity, provider: .receivedCodes, ground: .message),
            on: .init(
                identity: credential.identity, provider: credential.provider, destination: .program(program),
                epoch: broker.epoch),
            program, keeps: false, wasReleased: wasReleased, isShown: false, surface: .panel, client: client)
        let (confirmed, app) = await confirm(form)
        let hosts = try await hosts(of: program, app)
        let isKept = codeMessages.codes.code(id, at: broker.time.now(), lifetime: broker.preferences.codeSpan) != nil
        let secret = try broker.release(
            credential,
            for: NativeMessageCode(
                code.secret, binding: code.binding, chosen: program, confirmed: confirmed, hosts: hosts,
                wasReleasedBefore: wasReleased),
            act: act, client: client.program, ended: isKept ? nil : "the code was used or is too old")
        codeMessages.codes.use(code, at: broker.time.now())
        auditTrail.remember(digest)
        codeMessages.tellOfChange()
        return .init(fills: form.codeSpread.fills(secret))
    }
}
