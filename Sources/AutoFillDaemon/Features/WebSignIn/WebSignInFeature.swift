// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import Logging

/// Opens browser windows in which the user signs in, for an app or for the change of an account (sections 5 and 9 of `docs/protocol.md`).
@DaemonActor final class WebSignInFeature {
    let broker: Broker
    let questions: UserQuestions
    let appAssociations: AppAssociations
    let runs: Runs
    let appRequests: AppRequests

    init(
        _ broker: Broker, questions: UserQuestions, appAssociations: AppAssociations, runs: Runs,
        appRequests: AppRequests
    ) {
        self.broker = broker
        self.questions = questions
        self.appAssociations = appAssociations
        self.runs = runs
        self.appRequests = appRequests
    }

    /// Has the user sign in on a page for an app. The app is told where that led to, or that it was canceled, but never why.
    func authenticate(
        _ params: WebAuthentication.Request.Params, on client: ClientConnection
    ) async throws -> WebAuthentication.Request.Answer {
        guard let callback = WebCallback(params.callback) else {
            throw WireError(.invalidParams, "This is not a callback that an app can have.")
        }
        guard let page = Self.page(params.url) else {
            throw WireError(.invalidParams, "A page to sign in on has an https address.")
        }
        guard appRequests.authorizing.insert(client.number).inserted else {
            throw WireError(.busy, "A request of this program runs already.")
        }
        defer { appRequests.authorizing.remove(client.number) }
        do {
            return try await runs.running(for: nil, on: client) { [self] in
                try await webAuthentication(params, page, callback, client)
            }
        } catch {
            let reason = (error as? AppRefusal)?.description ?? WireError(saying: error).message
            broker.logger.notice(
                "an app's sign-in failed", metadata: ["program": "\(client.program)", "reason": "\(reason)"])
            throw WireError(.userCanceled, "The request was canceled.")
        }
    }

    private func webAuthentication(
        _ params: WebAuthentication.Request.Params, _ page: Origin, _ callback: WebCallback, _ client: ClientConnection
    ) async throws -> WebAuthentication.Request.Answer {
        guard let process = client.process else { throw AppRefusal("its process cannot be seen") }
        let requester = AppRequester(process: process, caller: try await broker.callers.identity(of: process))
        if let reason = requester.caller.sandbox == nil ? requester.caller.program.interpreter : nil {
            throw AppRefusal(reason)
        }
        if questions.promptLimiter.wait(for: requester.key, at: broker.time.now()) != nil {
            throw AppRefusal("you said no a moment ago")
        }
        let surface = try await appRequests.surface([AuthenticationPolicy.Surface.window.rawValue], requester, client)
        do {
            // Any app may use a scheme: only the requester gets the result. A host belongs to a site, which has to confirm the app.
            if case .https(let host, _) = callback { try await requireHost(host, of: requester, surface) }
            // The user has not decided about most programs that ask, and a program can copy itself.
            var seat = AppRequests.unknownKey
            let grounds = appRequests.knownApps.grounds(for: requester.caller)
            if case .known = AppPolicy.standing(of: requester.caller, grounds) { seat = "sign-in, " + requester.key }
            try await questions.limited(seat) { try await confirm(page, requester, surface) }
            let answer = try await SignInWindow.open(
                on: params.url, until: callback, isPosted: false, isEphemeral: params.ephemeral == true,
                over: surface.renderer)
            guard let url = answer.url, callback.matches(url) else {
                throw WireError(.refused, "The browser came back with another address.")
            }
            questions.promptLimiter.agreed(requester.key)
            return .init(url: url)
        } catch let error as WireError where error.code == .userCanceled || error.code == .timedOut {
            questions.promptLimiter.refused(requester.key, at: broker.time.now())
            throw error
        }
    }

    /// Checks that a host's site names the app as its own, which an app needs to receive callbacks to that host.
    private func requireHost(_ host: String, of requester: AppRequester, _ surface: AppSurface)
        async throws
    {
        if let reason = appRequests.refusal(of: requester.caller) { throw AppRefusal(reason) }
        if broker.unlocked == nil {
            try await questions.ask(
                .init(kind: .unlock, requester: requester.name), as: AppRequests.unlockKey, over: surface.renderer
            ) { [broker] passphrase in try await broker.unlock(passphrase: passphrase) }
        }
        let app = try await appRequests.app(requester, surface)
        await appAssociations.declare(app.entitlement)
        _ = await appAssociations.associations?.check(app.identifier)
        guard await appAssociations.association(of: app.identifier, with: host) != nil else {
            throw AppRefusal("\(host) has not confirmed it")
        }
    }

    private func confirm(_ page: Origin, _ requester: AppRequester, _ surface: AppSurface) async throws {
        let shown = try await SystemSurface(
            .init(requester: requester.name, provider: nil, site: page.description), on: questions.interfaces,
            over: surface.renderer)
        defer { Task { await shown.end() } }
        await shown.show(WebSignInQuestion.interface(page: page, program: requester.name))
        while true {
            let act = try await shown.next()
            if (act.element, act.action) == (WebSignInQuestion.agree, "press") {
                await shown.end()
                return
            }
        }
    }

    /// The origin of a page that a window may be opened on.
    private static func page(_ url: String) -> Origin? {
        guard url.utf8.count <= 16_384, url.lowercased().hasPrefix("https://"),
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let origin = Origin(written: url), origin.scheme == .https
        else { return nil }
        return origin
    }
}
