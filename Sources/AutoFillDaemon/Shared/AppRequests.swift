// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging

/// Requests of apps (section 9 of `docs/protocol.md`): who asks, whether it may, and where the user is asked.
@DaemonActor final class AppRequests {
    let broker: Broker
    let questions: UserQuestions
    let runs: Runs
    let knownApps: KnownApps
    /// Renderers that are waited for, by their tickets.
    var seats: [String: RendererSeat] = [:]
    /// Connections of apps with a request that runs.
    var authorizing: Set<Int> = []

    init(_ broker: Broker, questions: UserQuestions, runs: Runs, knownApps: KnownApps) {
        self.broker = broker
        self.questions = questions
        self.runs = runs
        self.knownApps = knownApps
    }

    /// What every request ends with that does not end with a credential: the app is not to know why.
    private static let nothing = WireError(.userCanceled, "The request was canceled.")
    /// How long a renderer may take to connect.
    private static let arrival = Duration.seconds(30)

    /// Why an app got nothing is for the journal alone.
    func unsaid(_ error: any Error, _ client: ClientConnection) -> WireError {
        let reason = (error as? CallerRefusal)?.reason ?? WireError(saying: error).message
        broker.logger.notice("an app got nothing", metadata: ["program": "\(client.program)", "reason": "\(reason)"])
        return Self.nothing
    }

    func cancelAuthorization(on client: ClientConnection) {
        runs.cancel(of: client.number)
    }

    /// A renderer brings a ticket, and stays until it is not needed any more.
    func render(_ params: Authorization.Render.Params, on client: ClientConnection) async throws {
        guard let seat = seats.removeValue(forKey: params.ticket) else {
            throw WireError(.expired, "The request has ended.")
        }
        // Only the app that asked can have started it: a ticket alone is not enough.
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

    /// Carries something out for an app, where the user can be asked: everything up to there is the same whatever is saved.
    ///
    /// - Parameter refuse: Why who asks gets nothing whatever the user says; what `refusal(of:)` says where it is left out.
    func seated<Result: Sendable>(
        _ surfaces: [String], on client: ClientConnection, refusing refuse: ((CallerIdentity) -> String?)? = nil,
        _ body: @DaemonActor (AppRequester, AppSurface) async throws -> Result
    ) async throws -> Result {
        guard broker.preferences.autoFill, broker.isInitialized else { throw AppRefusal("AutoFill is off") }
        guard let process = client.process else { throw AppRefusal("its process cannot be seen") }
        // 1. Who asks. What no word of the user could change is refused without asking.
        let requester = AppRequester(process: process, caller: try await broker.callers.identity(of: process))
        let refusal = refuse.map { $0(requester.caller) } ?? refusal(of: requester.caller)
        if let refusal { throw AppRefusal(refusal) }
        if questions.promptLimiter.wait(for: requester.key, at: broker.time.now()) != nil {
            throw AppRefusal("you said no a moment ago")
        }
        // 2. Where the user is asked. Nothing so far depends on what is saved, and the next step is the same whatever is.
        let surface = try await surface(surfaces, requester, client)
        defer { surface.seat?.leave() }
        do {
            if broker.unlocked == nil {
                try await questions.ask(
                    .init(kind: .unlock, requester: requester.name), as: "unlock", over: surface.renderer
                ) { [weak self] passphrase in try await self?.broker.unlock(passphrase: passphrase) }
            }
            return try await body(requester, surface)
        } catch let error as WireError where error.code == .userCanceled || error.code == .timedOut {
            questions.promptLimiter.refused(requester.key, at: broker.time.now())
            throw error
        }
    }

    /// The app that asks: known, or named so by the user now.
    func app(_ requester: AppRequester, _ surface: AppSurface) async throws -> VerifiedApp {
        switch AppPolicy.standing(of: requester.caller, knownApps.grounds(for: requester.caller)) {
        case .known(let app): return app
        case .refused(let reason): throw AppRefusal(reason)
        case .unknown(let claim):
            let program = requester.caller.program
            let isAllowed = try await isAllowed(claim, requester, surface)
            guard isAllowed else {
                try knownApps.remember(claim, of: program, isAllowed: false)
                throw WireError(.userCanceled, "The user said no to the app.")
            }
            // A program that draws its own terminal could press the button; it does not know the passphrase.
            try await questions.ask(
                .init(
                    kind: .authenticate, requester: requester.name,
                    site: claim.domains.map(Self.host).joined(separator: ", ")),
                as: requester.key, over: surface.renderer
            ) { [weak self] passphrase in try await self?.broker.authenticate(passphrase: passphrase) }
            try knownApps.remember(claim, of: program, isAllowed: true)
            guard
                case .known(let app) = AppPolicy.standing(
                    of: requester.caller, knownApps.grounds(for: requester.caller))
            else {
                throw AppRefusal("it is not what you were shown any more")
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

    /// Which app the process is now; nothing where it is none any more.
    func confirm(_ requester: AppRequester) async -> VerifiedApp? {
        guard let caller = try? await broker.callers.identity(of: requester.process),
            caller.sandbox == requester.caller.sandbox,
            case .known(let app) = AppPolicy.standing(of: caller, knownApps.grounds(for: caller))
        else { return nil }
        return app
    }

    // MARK: Surfaces

    /// The first surface of those that the app can use which there is.
    func surface(
        _ surfaces: [String], _ requester: AppRequester, _ client: ClientConnection
    ) async throws -> AppSurface {
        for name in surfaces.prefix(4) {
            switch name {
            case AuthenticationPolicy.Surface.window.rawValue:
                let browsers = broker.clients.values.filter { $0.role == .browser && $0.isGreeted && $0.peer != nil }
                // The one that connected last is the one that is likely to be looked at.
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

    /// Has the app start the renderer on its terminal.
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

    /// Why a caller gets nothing whatever the user says now. It is the same while locked.
    func refusal(of caller: CallerIdentity) -> String? {
        let program = caller.program
        if broker.unlocked == nil, caller.sandbox == nil, program.interpreter == nil {
            if knownApps.hints.isRefused(program) { return "you have said no to it" }
            // It may state nothing, and be an app by the user's word all the same.
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
