// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import Logging

/// Windows of the browser in which the user signs in, for an app or for an upgrade of an account (sections 5 and 9 of
/// `docs/protocol.md`).
extension Broker {
    /// So long the user may take to sign in.
    private static let signInPatience = Duration.seconds(600)

    /// An app has the user sign in on a page. It is told where that led to, or that it was canceled, and not why.
    func webAuthenticate(
        _ params: WebAuthentication.Request.Params, on client: ClientConnection
    ) async throws -> WebAuthentication.Request.Answer {
        guard let callback = WebCallback(params.callback) else {
            throw WireError(.invalidParams, "This is no callback that an app can have.")
        }
        guard let page = Self.page(params.url) else {
            throw WireError(.invalidParams, "A page to sign in on has an https address.")
        }
        guard authorizing.insert(client.number).inserted else {
            throw WireError(.busy, "A request of this program runs already.")
        }
        defer { authorizing.remove(client.number) }
        do {
            return try await running(for: nil, on: client) { broker in
                try await broker.webAuthentication(params, page, callback, client)
            }
        } catch {
            let reason = (error as? AppRefusal)?.description ?? WireError(saying: error).message
            logger.notice(
                "an app's sign-in came to nothing", metadata: ["program": "\(client.program)", "reason": "\(reason)"])
            throw WireError(.userCanceled, "The request was canceled.")
        }
    }

    private func webAuthentication(
        _ params: WebAuthentication.Request.Params, _ page: Origin, _ callback: WebCallback, _ client: ClientConnection
    ) async throws -> WebAuthentication.Request.Answer {
        guard let process = client.process else { throw AppRefusal("its process cannot be seen") }
        let requester = AppRequester(process: process, caller: try await callers.identity(of: process))
        if let reason = requester.caller.sandbox == nil ? requester.caller.program.interpreter : nil {
            throw AppRefusal(reason)
        }
        if promptLimiter.wait(for: requester.key, at: time.now()) != nil {
            throw AppRefusal("you said no a moment ago")
        }
        let surface = try await surface([AuthenticationPolicy.Surface.window.rawValue], requester, client)
        do {
            // Anybody can name a scheme, and only who has asked gets what comes of it. A host is somebody's.
            if case .https(let host, _) = callback { try await requireHost(host, of: requester, surface) }
            try await confirm(page, requester, surface)
            let answer = try await signIn(
                on: params.url, until: callback, isPosted: false, isEphemeral: params.ephemeral == true,
                over: surface.renderer)
            guard let url = answer.url, callback.matches(url) else {
                throw WireError(.refused, "The browser came back with another address.")
            }
            promptLimiter.agreed(requester.key)
            return .init(url: url)
        } catch let error as WireError where error.code == .userCanceled || error.code == .timedOut {
            promptLimiter.refused(requester.key, at: time.now())
            throw error
        }
    }

    /// An app may take what comes to a host only where that host's site names the app as its own.
    private func requireHost(_ host: String, of requester: AppRequester, _ surface: AppSurface) async throws {
        if let reason = refusal(of: requester.caller) { throw AppRefusal(reason) }
        if unlocked == nil {
            try await ask(
                .init(kind: .unlock, requester: requester.name), as: "unlock", over: surface.renderer
            ) { [weak self] passphrase in try await self?.unlock(passphrase: passphrase) }
        }
        let app = try await app(requester, surface)
        await declare(app.entitlement)
        _ = await associations?.check(app.identifier)
        guard (try? await associations?.association(of: app.identifier, with: host).get()) != nil else {
            throw AppRefusal("\(host) has not confirmed it")
        }
    }

    private func confirm(_ page: Origin, _ requester: AppRequester, _ surface: AppSurface) async throws {
        let shown = try await SystemSurface(
            .init(requester: requester.name, provider: nil, site: page.description), on: interfaces,
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

    /// Opens a window and waits until it comes to its end. The browser closes it then, and when nobody waits any more.
    func signIn(
        on url: String, until callback: WebCallback, isPosted: Bool, isEphemeral: Bool, over browser: ClientConnection
    ) async throws -> WebAuthentication.Open.Answer {
        guard browser.role == .browser, let peer = browser.peer else {
            throw WireError(.userCanceled, "There is no browser to sign in with.")
        }
        let prompt = SuggestionBook.randomName()
        let named = try JSONValue(encoding: Browser.Present.Params(prompt: prompt))
        defer { peer.notify(Browser.Dismiss.name, named) }
        return try await peer.call(
            WebAuthentication.Open.self,
            .init(
                prompt: prompt, url: url, callback: callback.statement, post: isPosted, ephemeral: isEphemeral),
            timeout: Self.signInPatience)
    }

    /// The origin of a page that a window may be opened on.
    private static func page(_ url: String) -> Origin? {
        guard url.utf8.count <= 16_384, url.lowercased().hasPrefix("https://"),
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let origin = Origin(written: url), origin.scheme == .https
        else { return nil }
        return origin
    }
}
