// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird

/// What people open: signing in, and changing the password, to which `/.well-known/change-password` leads.
struct PageRoutes: Sendable {
    let accounts: AccountBook
    let rules: String
    let tickets = TicketBook()

    private struct SignIn: Decodable {
        var username: String
        var password: String
    }

    private struct Code: Decodable {
        var ticket: String
        var code: String
    }

    private struct Change: Decodable {
        var username: String
        var password: String
        var code: String?
        var newPassword: String
        var again: String
    }

    func add(to router: Router<BasicRequestContext>) {
        router.get("/") { _, _ in Self.moved("/login") }
        router.get("/login") { _, _ in Page.answer(Page.signIn()) }
        router.post("/session") { request, _ in
            guard let form = await Page.form(SignIn.self, request) else {
                return Page.answer(Page.signIn(message: Refusal.malformed.message), status: .badRequest)
            }
            return await signIn(Proof(user: form.username, password: form.password)) { refusal in
                if refusal == .codeRequired {
                    let ticket = await tickets.issue(form.username, form.password)
                    return Page.secondFactor(user: form.username, ticket: ticket)
                }
                return Page.signIn(message: refusal.message)
            }
        }
        router.post("/session/code") { request, _ in
            guard let form = await Page.form(Code.self, request), let (user, password) = await tickets.take(form.ticket)
            else { return Page.answer(Page.signIn(message: "Please begin again."), status: .badRequest) }
            return await signIn(Proof(user: user, password: password, code: form.code)) { refusal in
                let ticket = await tickets.issue(user, password)
                return Page.secondFactor(user: user, ticket: ticket, message: refusal.message)
            }
        }
        router.get("/.well-known/change-password") { _, _ in Self.moved("/account/password") }
        router.get("/account/password") { _, _ in Page.answer(Page.changePassword(rules: rules)) }
        router.post("/account/password") { request, _ in
            guard let form = await Page.form(Change.self, request) else {
                return Page.answer(
                    Page.changePassword(rules: rules, message: Refusal.malformed.message), status: .badRequest)
            }
            guard form.newPassword == form.again else {
                return Page.answer(
                    Page.changePassword(rules: rules, message: "The two new passwords differ."), status: .badRequest)
            }
            let code = form.code.flatMap { $0.isEmpty ? nil : $0 }
            do {
                try await accounts.changePassword(
                    Proof(user: form.username, password: form.password, code: code), to: form.newPassword)
                return Page.answer(Page.message("The password of \(form.username) was changed."))
            } catch {
                let refusal = error as? Refusal ?? .unavailable
                return Page.answer(
                    Page.changePassword(rules: rules, message: refusal.message), status: refusal.status)
            }
        }
    }

    private func signIn(_ proof: Proof, _ again: (Refusal) async -> String) async -> Response {
        do {
            _ = try await accounts.signIn(proof)
            return Page.answer(Page.message("Signed in as \(proof.user)."))
        } catch {
            let refusal = error as? Refusal ?? .unavailable
            return Page.answer(await again(refusal), status: refusal == .codeRequired ? .ok : refusal.status)
        }
    }

    private static func moved(_ place: String) -> Response {
        Response(status: .found, headers: [.location: place])
    }
}

/// Who has shown the right password and not yet the code; the page is told a ticket, not the password.
actor TicketBook {
    private var waiting: [String: (user: String, password: String)] = [:]

    func issue(_ user: String, _ password: String) -> String {
        let ticket = AccountBook.randomText()
        waiting[ticket] = (user, password)
        return ticket
    }

    func take(_ ticket: String) -> (user: String, password: String)? {
        waiting.removeValue(forKey: ticket)
    }
}
