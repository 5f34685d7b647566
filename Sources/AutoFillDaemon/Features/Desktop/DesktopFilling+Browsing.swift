// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillRelease
internal import AutoFillSecrets
internal import ShownText

/// Shows everything that is saved, for a program to which nothing that the user wants is bound yet.
extension DesktopFilling {
    /// The accounts on one page of the list.
    nonisolated private static let pageSize = 100

    /// "All Passwords…" of the panel: the user chooses an account, and whether the program is offered it from now on.
    func browse(_ params: Desktop.Form, on client: ClientConnection) async throws -> Desktop.Fills {
        let form = try form(params.session, of: client.number)
        guard !form.wantsNewPassword, !form.wantsCode else {
            throw WireError(.refused, "This field does not ask for a saved password.")
        }
        return try await runs.running(for: nil, on: client) { [self] in
            try await requireUser(toListFor: form.program, on: client)
            let surface = try await SystemSurface(
                .init(requester: form.program.place, thing: "desktop"), on: questions.interfaces, over: client)
            do {
                let (found, keeps) = try await chosen(on: surface, for: form.program)
                await surface.end()
                return try await fill(
                    .init(identity: found.identity, provider: found.provider, ground: .choice), into: form,
                    surface: .window, keeps: keeps, client: client)
            } catch {
                await surface.end()
                throw error
            }
        }
    }

    /// Authenticates the user before the list opens, if the preference requires it: the list shows all sites and user names.
    private func requireUser(toListFor program: VerifiedProgram, on client: ClientConnection) async throws {
        let unlocked = try broker.unlockedSession()
        guard !broker.authentication.isAuthenticated(at: broker.time.now()) else { return }
        var question = PromptDesk.Question(kind: .passwords, requester: program.place)
        question.thing = "list"
        question.isRoutine = true
        try await questions.askUser(question, as: "list", over: client)
        try unlocked.check()
    }

    private typealias Account = (provider: BundleIdentifier, identity: CredentialIdentity)

    /// Lets the user search and choose, then asks whether the account is for this once.
    private func chosen(
        on surface: SystemSurface, for program: VerifiedProgram
    ) async throws -> (Account, keeps: Bool) {
        var search = ""
        var accounts = try await accounts(search)
        var chosen: Account?
        // Rows of an earlier search have other names, so that a press which crosses a search chooses nothing else.
        var searches = 0
        await surface.show(Self.list(accounts, searches, for: program))
        while true {
            let act = try await surface.next()
            switch (act.element, act.action) {
            case ("accounts", "search"):
                search = act.text?.bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } ?? ""
                accounts = try await self.accounts(search)
                searches += 1
                await surface.show(Self.list(accounts, searches, for: program))
            case ("accounts", "select"):
                guard let row = accounts.indices.first(where: { Self.name($0, searches) == act.row }) else { continue }
                chosen = accounts[row]
                await surface.show(Self.question(accounts[row].identity, program))
            case ("back", "press"):
                chosen = nil
                await surface.show(Self.list(accounts, searches, for: program))
            case ("once", "press"):
                if let chosen { return (chosen, false) }
            case ("keep", "press"):
                if let chosen, !program.isDialogTool { return (chosen, true) }
            default: continue
            }
        }
    }

    /// The saved passwords that a search finds, as many as one page holds.
    private func accounts(_ search: String) async throws -> [Account] {
        let pages = try await stores.reading {
            try $0.page(search: search.isEmpty ? nil : search, limit: Self.pageSize).identities
        }
        return Array(
            pages.flatMap { provider, identities in
                identities.filter { $0.type == .password && $0.recordIdentifier != nil }.map { (provider, $0) }
            }.prefix(Self.pageSize))
    }

    private static func name(_ row: Int, _ searches: Int) -> String { "\(searches)-\(row)" }

    private static func list(_ accounts: [Account], _ searches: Int, for program: VerifiedProgram) -> InterfaceStatement
    {
        let rows = accounts.enumerated().map { index, account in
            ListRow(
                id: name(index, searches),
                title: InterfaceStatement.clipped(
                    account.identity.user.isEmpty ? "(no user name)" : account.identity.user),
                subtitle: InterfaceStatement.clipped(place(account.identity)))
        }
        return InterfaceStatement(
            title: "All Passwords",
            elements: [
                InterfaceElement(
                    kind: "message", id: "program",
                    text: InterfaceStatement.clipped("Choose the password for \(program.place).")),
                InterfaceElement(
                    kind: "list", id: "accounts", sections: [ListSection(title: "", rows: rows)], search: true,
                    more: false),
            ])
    }

    private static func question(_ identity: CredentialIdentity, _ program: VerifiedProgram) -> InterfaceStatement {
        var elements = [
            InterfaceElement(
                kind: "message", id: "what",
                text: InterfaceStatement.clipped(
                    "Fill the password of \(identity.user.isEmpty ? "(no user name)" : identity.user), saved for "
                        + "\(place(identity)), into \(program.place)?"))
        ]
        if program.isDialogTool {
            elements.append(
                .init(
                    kind: "message", id: "tool",
                    text: "This program passes what it is given on to whatever program or script has started it."))
        } else {
            elements.append(
                .init(kind: "button", id: "keep", label: "Fill, and Offer It Here from Now On", enabled: true))
        }
        elements.append(.init(kind: "button", id: "once", label: "Fill This Once", enabled: true))
        elements.append(.init(kind: "button", id: "back", label: "Back", enabled: true))
        return InterfaceStatement(title: "Use This Password Here?", elements: elements)
    }
}
