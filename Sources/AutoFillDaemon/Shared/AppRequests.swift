// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging

/// Runs requests of apps (section 9 of `docs/protocol.md`). It identifies the app, checks whether it may ask, and finds a surface to ask
/// the user.
@DaemonActor final class AppRequests {
    let broker: Broker
    let questions: UserQuestions
    let runs: Runs
    let knownApps: KnownApps
    /// The seats of awaited renderers, by their tickets.
    var seats: [String: RendererSeat] = [:]
    /// The connections of apps that have a running request.
    var authorizing: Set<Int> = []

    init(_ broker: Broker, questions: UserQuestions, runs: Runs, knownApps: KnownApps) {
        self.broker = broker
        self.questions = questions
        self.runs = runs
        self.knownApps = knownApps
    }

    /// The error that an app gets for every request without a credential: it must not learn the reason.
    private static let nothing = WireError(.userCanceled, "The request was canceled.")
    /// Time limit for the renderer to connect.
    private static let arrival = Duration.seconds(30)

    /// Logs why an app got nothing, and returns the error for the app, which does not say why.
    func unsaid(_ error: any Error, _ client: ClientConnection) -> WireError {
        let refusal = (error as? CallerRefusal)?.reason ?? (error as? AppRefusal)?.description
        let reason = refusal ?? WireError(saying: error).message
        broker.logger.notice("an app got nothing", metadata: ["program": "\(client.program)", "reason": "\(reason)"])
        return Self.nothing
    }

    func cancelAuthorization(on client: ClientConnection) {
        runs.cancel(of: client.number)
    }

    /// Seats a renderer that presents a ticket, and returns when it is no longer needed.
    func render(_ params: Authorization.Render.Params, on client: ClientConnection) async throws {
        guard let seat = seats.removeValue(forKey: params.ticket) else {
            throw WireError(.expired, "The request has ended.")
        }
        // Only a process started by the requesting app is accepted: a ticket alone is not enough.
        guard let own = client.process, let parent = PeerProcess(parentOf: own), parent.process == seat.process.process,
            seat.process.isAlive
        else {
            seat.leave()
            throw WireError(.refused, "This renderer was not started by the app that asked.")
        }
        client.setSeated(true)
        defer { client.setSeated(false) }
        await seat.take(client)
    }

    // MARK: Step by step

    /// Under this one requester all apps ask to unlock, so that copies of one program cannot ask all at once, nor again after a no. It is
    /// not the browser's.
    static let unlockKey = "unlock, for an app"
    /// Under this one programs ask that the user has not decided about yet, for the same reason.
    static let unknownKey = "an unknown app"

    /// Runs a request of an app once the user can be asked. Everything up to that point is the same whatever is saved.
    ///
    /// - Parameter refuse: The reason why a caller is refused whatever the user says; without it `refusal(of:)` decides.
    func seated<Result: Sendable>(
        _ surfaces: [String], on client: ClientConnection, refusing refuse: ((CallerIdentity) -> String?)? = nil,
        _ body: @DaemonActor (AppRequester, AppSurface) async throws -> Result
    ) async throws -> Result {
        guard broker.preferences.autoFill, broker.isInitialized else { throw AppRefusal("AutoFill is off") }
        guard let process = client.process else { throw AppRefusal("its process cannot be seen") }
        // 1. Identify the caller. A caller that no answer of the user's could admit is refused without asking.
        let requester = AppRequester(process: process, caller: try await broker.callers.identity(of: process))
        let refusal = refuse.map { $0(requester.caller) } ?? refusal(of: requester.caller)
        if let refusal { throw AppRefusal(refusal) }
        if questions.promptLimiter.wait(for: requester.key, at: broker.time.now()) != nil {
            throw AppRefusal("you said no a moment ago")
        }
        // 2. Find a surface to ask the user. Nothing so far depends on what is saved, and neither does the next step.
        let surface = try await surface(surfaces, requester, client)
        defer { surface.seat?.leave() }
        do {
            if broker.unlocked == nil {
                try await questions.ask(
                    .init(kind: .unlock, requester: requester.name), as: Self.unlockKey,
                    over: surface.renderer
                ) { [weak self] passphrase in try await self?.broker.unlock(passphrase: passphrase) }
            }
            return try await body(requester, surface)
        } catch let error as WireError where error.code == .userCanceled || error.code == .timedOut {
            questions.promptLimiter.refused(requester.key, at: broker.time.now())
            throw error
        }
    }

    /// The app that makes a request: a known one, or one that the user allows now.
    func app(_ requester: AppRequester, _ surface: AppSurface) async throws -> VerifiedApp {
        switch AppPolicy.standing(of: requester.caller, knownApps.grounds(for: requester.caller)) {
        case .known(let app): return app
        case .refused(let reason): throw AppRefusal(reason)
        case .unknown(let claim):
            let program = requester.caller.program
            try await questions.limited(Self.unknownKey) {
                guard try await isAllowed(claim, requester, surface) else {
                    try knownApps.remember(claim, of: program, isAllowed: false)
                    throw WireError(.userCanceled, "The user said no to the app.")
                }
            }
            // A program that draws its own terminal could press the button; it does not know the passphrase.
            try await questions.ask(
                .init(
                    kind: .authenticate, requester: requester.name,
                    site: claim.domains.map(Self.host).joined(separator: ", ")),
                as: requester.key, over: surface.renderer
            ) { [weak self] passphrase in try await self?.broker.authenticate(passphrase: passphrase) }
            try broker.noteWeakened(
                "\(program.path) as \(claim.identifier)", by: requester.name, Authorization.Request.name)
            try knownApps.remember(claim, of: program, isAllowed: true)
            guard
                case .known(let app) = AppPolicy.standing(
                    of: requester.caller, knownApps.grounds(for: requester.caller))
            else {
                throw AppRefusal("the program changed after it was shown to you")
            }
            return app
        }
    }

    private func isAllowed(
        _ claim: AppEntitlement, _ requester: AppRequester, _ surface: AppSurface
    ) async throws -> Bool {
        let program = requester.caller.program
        let shown = try await SystemSurface(
            .init(requester: requester.name, provider: nil), on: questions.interfaces, over: surface.renderer)
        defer { Task { await shown.end() } }
        await shown.show(
            AppChooser.question(claim, program, before: broker.unlocked?.registry.decision(on: program.path)))
        while true {
            let act = try await shown.next()
            switch (act.element, act.action) {
            case ("allow", "press"):
                await shown.end()
                return true
            case ("refuse", "press"): return false
            default: continue
            }
        }
    }

    /// The app that the process is now, or `nil` if it is no longer a verified app.
    func confirm(_ requester: AppRequester) async -> VerifiedApp? {
        guard let caller = try? await broker.callers.identity(of: requester.process),
            caller.sandbox == requester.caller.sandbox,
            case .known(let app) = AppPolicy.standing(of: caller, knownApps.grounds(for: caller))
        else { return nil }
        return app
    }

    // MARK: Surfaces

    /// The first available surface among those that the app can use.
    func surface(
        _ surfaces: [String], _ requester: AppRequester, _ client: ClientConnection
    ) async throws -> AppSurface {
        for name in surfaces.prefix(4) {
            switch name {
            case AuthenticationPolicy.Surface.window.rawValue:
                let browsers = broker.clients.values.filter { $0.role == .browser && $0.isGreeted && $0.peer != nil }
                // The browser that connected last is the one that the user probably sees.
                if let browser = browsers.max(by: { $0.number < $1.number }) {
                    return AppSurface(renderer: browser, kind: .window, seat: nil)
                }
            case AuthenticationPolicy.Surface.terminal.rawValue where requester.caller.sandbox == nil:
                if let surface = try await terminal(requester, client) { return surface }
            default: continue
            }
        }
        throw AppRefusal("there is nowhere to ask the user")
    }

    /// Has the app start the renderer on its terminal; `nil` if it does not connect in time.
    private func terminal(_ requester: AppRequester, _ client: ClientConnection) async throws -> AppSurface? {
        guard let peer = client.peer else { return nil }
        let ticket = RandomName.make()
        let seat = RendererSeat(for: requester.process)
        seats[ticket] = seat
        defer { seats[ticket] = nil }
        do {
            _ = try await peer.call(
                Authorization.Present.self, .init(ticket: ticket, program: broker.programFolder + "/latchkey"),
                timeout: .seconds(10))
        } catch {
            seat.leave()
            return nil
        }
        guard let renderer = await seat.wait(Self.arrival) else {
            seat.leave()
            return nil
        }
        return AppSurface(renderer: renderer, kind: .terminal, seat: seat)
    }

    /// The reason why a caller is refused whatever the user says now; `nil` if it is not. It is the same while locked.
    func refusal(of caller: CallerIdentity) -> String? {
        let program = caller.program
        if broker.unlocked == nil, caller.sandbox == nil, program.interpreter == nil {
            if knownApps.hints.isRefused(program) { return "you have said no to it" }
            // It may have no entitlement and still be an app that the user allowed.
            if knownApps.hints.isAllowed(program) { return nil }
        }
        guard case .refused(let reason) = AppPolicy.standing(of: caller, knownApps.grounds(for: caller)) else {
            return nil
        }
        return reason
    }

    /// The domain of an entry, for people; the entry itself where it names none.
    static func host(_ entry: String) -> String {
        (try? AssociatedDomain(entry: entry).domain) ?? entry
    }

}
