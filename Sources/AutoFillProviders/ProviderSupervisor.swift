// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillCredentials
package import AutoFillIPC
package import AutoFillRelease
internal import AutoFillSecrets
package import Logging
internal import ShownText

/// Starts a provider on demand and keeps it for the next request.
///
/// Ends it when it misbehaves, when it is idle, and when Latchkey locks.
package actor ProviderSupervisor {
    /// Handles a provider's request to the daemon. The connection determines which provider it is.
    package typealias StoreHandler =
        @Sendable (BundleIdentifier, _ method: String, _ params: JSONValue) async throws -> JSONValue
    /// Draws the interface that a provider shows for a request.
    package typealias Show = @Sendable (InterfaceStatement) async -> Void

    package struct Running: Sendable {
        package let provider: LaunchedProvider
        package let peer: Peer
        package let start: Provider.Start.Answer
    }

    /// Has the user sign in with Apple for an extension.
    package typealias Authorize =
        @Sendable (Modification.Authorize.Params) async throws -> Modification.Authorize.Answer

    /// Time limits. Tests set shorter ones.
    package struct Limits: Sendable {
        /// Overrides the launch's time limit.
        package var request: Duration?
        package var start: Duration = .seconds(10)
        /// The time to answer a cancelled request. A provider that exceeds it counts as hanging and is ended.
        package var grace: Duration = .seconds(1)
        /// The time without a request after which the provider is ended.
        package var idle: Duration = .seconds(300)
    }

    private let identifier: BundleIdentifier
    private let environment: [String: String]
    private let launcher: any ProviderLaunching
    private let store: StoreHandler
    private let onEnd: @Sendable (BundleIdentifier) async -> Void
    private let logger: Logger
    package let limits: Limits
    private var starting: Task<Running, any Error>?
    private var ending: Task<Void, Never>?
    private var idling: Task<Void, any Error>?
    private var leastEpoch = 0
    private var launches = 0
    private var requests = 0
    private var inFlight = 0
    /// Requests whose time limit has passed; a later answer to them is rejected.
    private var overdue: Set<Int> = []
    /// The functions that draw requests' interfaces, by request number.
    package var shows: [Int: Show] = [:]
    /// Sign in with Apple for requests that may use it, by request number. Each is used at most once.
    package var authorizers: [Int: Authorize] = [:]
    /// The sign-ins that have begun, by request number, until their requests end.
    package var authorizations: [Int: Task<Modification.Authorize.Answer, any Error>] = [:]

    package init(
        identifier: BundleIdentifier, environment: [String: String],
        launcher: any ProviderLaunching = ProviderProcesses(), logger: Logger, limits: Limits = Limits(),
        onEnd: @escaping @Sendable (BundleIdentifier) async -> Void = { _ in }, store: @escaping StoreHandler
    ) {
        self.identifier = identifier
        self.environment = environment
        self.launcher = launcher
        self.logger = logger
        self.limits = limits
        self.onEnd = onEnd
        self.store = store
    }

    package var isRunning: Bool { starting != nil }

    /// A number for the next request.
    package func nextRequest() -> Int {
        requests += 1
        return requests
    }

    // MARK: Requests

    /// Requests a credential without user interaction. An answer for another user or of another type is an error.
    ///
    /// A kept process may exit just as it is asked. Nothing was shown or changed then, so a new process is asked, once.
    package func provideCredential(
        for identity: CredentialIdentity, context: RequestContext? = nil, launch: Launch
    ) async throws -> HeldCredential {
        try requireAgreed(ProviderCapability(identity.type), launch)
        let wasKept = starting != nil
        let running = try await running(launch)
        do {
            return try await provideCredential(for: identity, context: context, launch: launch, by: running)
        } catch let error as WireError
            where wasKept && error.code == .providerUnavailable && running.peer.isClosed && !Task.isCancelled
        {
            let next = try await self.running(launch)
            return try await provideCredential(for: identity, context: context, launch: launch, by: next)
        }
    }

    private func provideCredential(
        for identity: CredentialIdentity, context: RequestContext?, launch: Launch, by running: Running
    ) async throws -> HeldCredential {
        let request = nextRequest()
        let limit = launch.timeLimit.map { limits.request ?? $0 }
        let answer: CredentialAnswer = try await call(
            Provider.ProvideCredential.self,
            .init(identity: IdentityStatement(identity), request: request, context: context), request, of: running,
            limit: limit)
        return try held(answer.credential, identity, running, mayBeAnotherUser: false)
    }

    /// Makes a request that needs the provider's interface, and returns when the user has finished there.
    ///
    /// Cancelling the task cancels the request.
    package func present(
        _ kind: InterfaceRequest, request: Int, context: RequestContext? = nil, launch: Launch, show: @escaping Show
    ) async throws -> HeldCredential? {
        switch kind {
        case .credential(let identity): try requireAgreed(ProviderCapability(identity.type), launch)
        case .list(_, let type): try requireAgreed(ProviderCapability(type), launch)
        case .save: try requireAgreed(.saving, launch)
        case .generate: try requireAgreed(.generating, launch)
        case .configuration: break
        }
        let running = try await running(launch)
        shows[request] = show
        defer { shows[request] = nil }
        switch kind {
        case .credential(let identity):
            let answer: CredentialAnswer = try await call(
                Provider.PrepareInterface.self,
                .init(identity: IdentityStatement(identity), request: request, context: context), request, of: running,
                limit: nil)
            return try held(answer.credential, identity, running, mayBeAnotherUser: true)
        case .list(let services, let type):
            let answer: CredentialAnswer = try await call(
                Provider.PrepareCredentialList.self,
                .init(
                    services: services.map(ServiceStatement.init), type: type.rawValue, request: request,
                    context: context),
                request, of: running, limit: nil)
            let identity = CredentialIdentity(
                type: type, service: services.first ?? ServiceIdentifier(written: ""),
                user: answer.credential.user ?? "", recordIdentifier: nil)
            return try held(answer.credential, identity, running, mayBeAnotherUser: true)
        case .configuration:
            let _: Empty = try await call(
                Provider.Configure.self, .init(request: request), request, of: running, limit: nil)
            return nil
        case .save(var params):
            params.request = request
            let _: Empty = try await call(Saving.PrepareSave.self, params, request, of: running, limit: nil)
            return nil
        case .generate(var params, let identity, let keeper, let kind):
            params.request = request
            let answer: Saving.Generate.Answer = try await call(
                Saving.PrepareGenerate.self, params, request, of: running, limit: nil)
            let (made, word) = try Self.first(answer, for: identity, keeper, running)
            kind.note(word)
            return made
        }
    }

    /// Tells the provider what the user did in the interface of a request.
    package func act(_ act: InterfaceAct, request: Int) async throws {
        guard shows[request] != nil, let starting, let running = try? await starting.value else {
            throw WireError(.expired, "The interface has ended.")
        }
        _ = try await running.peer.call(
            Provider.Act.self, .init(request: request, act: act), timeout: limits.request ?? .seconds(5))
    }

    /// Forwards a request of the capability `manage`.
    package func manage(_ method: String, _ params: JSONValue, launch: Launch) async throws -> JSONValue {
        let running = try await running(launch)
        guard running.start.capabilities.contains("manage") else {
            throw WireError(.notPermitted, "\(running.start.name) cannot be managed from here.")
        }
        inFlight += 1
        defer { requestEnded() }
        return try await running.peer.call(method, params, timeout: .seconds(60))
    }

    /// Whether the running provider has the capability `manage`.
    package var isManaged: Bool {
        get async {
            guard let starting, let running = try? await starting.value else { return false }
            return running.start.capabilities.contains("manage")
        }
    }

    /// Starts the process if it is not running, so that the provider can update its identity store.
    package func warm(_ launch: Launch) async throws -> Provider.Start.Answer {
        defer { if inFlight == 0 { idleFromNow() } }
        return try await running(launch).start
    }

    /// Has the provider keep a password, without user interaction.
    package func save(_ params: Saving.Save.Params, launch: Launch) async throws {
        try requireAgreed(.saving, launch)
        var params = params
        params.request = nextRequest()
        let running = try await running(launch)
        let limit = launch.timeLimit.map { limits.request ?? $0 }
        let _: Empty = try await call(Saving.Save.self, params, params.request, of: running, limit: limit)
    }

    /// Has the provider generate a password for an identity. Returns its best one and the kind. It has not passed the gate.
    package func generate(
        _ params: Saving.Generate.Params, for identity: CredentialIdentity, kept keeper: BundleIdentifier,
        launch: Launch
    ) async throws -> (HeldCredential, kind: String) {
        try requireAgreed(.generating, launch)
        var params = params
        params.request = nextRequest()
        let running = try await running(launch)
        let limit = launch.timeLimit.map { limits.request ?? $0 }
        let answer: Saving.Generate.Answer = try await call(
            Saving.Generate.self, params, params.request, of: running, limit: limit)
        return try Self.first(answer, for: identity, keeper, running)
    }

    /// The first usable password of an answer, which is the best one.
    private static func first(
        _ answer: Saving.Generate.Answer, for identity: CredentialIdentity, _ keeper: BundleIdentifier,
        _ running: Running
    ) throws -> (HeldCredential, kind: String) {
        for made in answer.passwords {
            let secret = HeldSecret(made.password)
            guard secret.isPlainText, made.kind.utf8.count <= 64 else { continue }
            return (HeldCredential(identity: identity, provider: keeper, password: secret), made.kind)
        }
        throw WireError(.providerUnavailable, "\(running.start.name) made no password.")
    }

    /// Refuses a request that takes a capability which the user has not agreed to, before anything is sent.
    private func requireAgreed(_ capability: ProviderCapability?, _ launch: Launch) throws {
        guard let agreed = launch.agreed, !(capability.map(agreed.contains) ?? false) else { return }
        throw WireError(
            .notPermitted,
            "You have not enabled \(launch.name ?? identifier.rawValue) for \(capability?.rawValue ?? "this").",
            reason: "not agreed to", hint: "`latchkey providers info \(identifier)` says what it is enabled for.")
    }

    private func held(
        _ credential: CredentialStatement, _ identity: CredentialIdentity, _ running: Running, mayBeAnotherUser: Bool
    ) throws -> HeldCredential {
        var answered = identity
        // A user name with control characters fits neither a one-line field nor the lines of git's protocol.
        guard credential.user?.holdsControls != true, credential.user?.utf8.count ?? 0 <= 1_024 else {
            throw WireError(.providerUnavailable, "\(running.start.name) gave an answer that does not fit the request.")
        }
        if identity.type == .password, mayBeAnotherUser || credential.user == identity.user {
            answered.user = credential.user ?? identity.user
        } else if identity.type == .password, credential.user != identity.user {
            throw WireError(.providerUnavailable, "\(running.start.name) answered for another account.")
        }
        guard let held = HeldCredential(credential, for: answered, of: identifier) else {
            throw WireError(.providerUnavailable, "\(running.start.name) gave an answer that does not fit the request.")
        }
        return held
    }

    /// - Parameter takesLate: Whether an answer still counts that arrives after the deadline or a cancellation.
    package func call<M: WireMethod>(
        _ method: M.Type, _ params: M.Params, _ request: Int, of running: Running, limit: Duration?,
        takesLate: Bool = false
    ) async throws -> M.Answer {
        inFlight += 1
        let answer = Task { try await running.peer.call(method, params) }
        let deadline = limit.map { limit in
            Task {
                try await Task.sleep(for: limit)
                // The time limit is suspended while the user signs in for this request, and starts anew afterwards.
                if let signIn = self.authorizations[request] {
                    _ = await signIn.result
                    try await Task.sleep(for: limit)
                }
                self.overdue.insert(request)
                await self.cancel(request, answer, of: running)
            }
        }
        defer {
            deadline?.cancel()
            overdue.remove(request)
            requestEnded()
        }
        let result: Result<M.Answer, any Error>
        do {
            result = .success(
                try await withTaskCancellationHandler {
                    try await answer.value
                } onCancel: {
                    Task { await self.cancel(request, answer, of: running) }
                })
        } catch {
            result = .failure(error)
        }
        if takesLate, case .success(let late) = result { return late }
        if Task.isCancelled { throw CancellationError() }
        if overdue.contains(request), let limit {
            throw WireError(
                .timedOut, "\(running.start.name) did not answer within \(limit.components.seconds) seconds.")
        }
        do {
            return try result.get()
        } catch let error as WireError where !Self.isOfProviders(error.code) {
            throw WireError(.providerUnavailable, "\(running.start.name) gave an invalid answer.")
        } catch let error as WireError where (1000..<1200).contains(error.code.rawValue) {
            throw Self.attributed(error, to: running.start.name)
        }
    }

    /// Notifies the provider of a cancellation. A provider that does not answer within `grace` hangs, and is ended.
    private func cancel<Answer: Sendable>(_ request: Int, _ answer: Task<Answer, any Error>, of running: Running) async
    {
        guard let params = try? JSONValue(encoding: Provider.RequestReference(request: request)) else { return }
        running.peer.notify(Provider.Cancel.name, params)
        let grace = limits.grace
        let patience = Task {
            try await Task.sleep(for: grace)
            answer.cancel()
            self.end(running)
        }
        _ = try? await answer.value
        patience.cancel()
    }

    /// Whether section 7 of `docs/protocol.md` allows this code in a provider's answer, or it says that the provider is
    /// unavailable.
    private static func isOfProviders(_ code: WireError.Code) -> Bool {
        (1000..<1200).contains(code.rawValue) || code == .providerUnavailable || code == .busy || code == .refused
    }

    /// A provider's error as the user may see it: what the provider says stands behind its name, so that it cannot speak as Latchkey.
    private static func attributed(_ error: WireError, to name: String) -> WireError {
        let said = [error.message, error.hint].compactMap(\.self).joined(separator: " ")
        let limit = TextCleaner.Limit(characters: 300, bytes: 1_200)
        return WireError(error.code, "\(name) says: \(TextCleaner.cleaned(said, limit))", reason: error.reason)
    }

    private func requestEnded() {
        inFlight -= 1
        if inFlight == 0 { idleFromNow() }
    }

    private func idleFromNow() {
        idling?.cancel()
        let idle = limits.idle
        idling = Task {
            try await Task.sleep(for: idle)
            if self.inFlight == 0 { self.end() }
        }
    }

    // MARK: Starting and ending

    /// Ends the process at once, and with it the secrets in its ordinary memory. Everything it acknowledged is on disk.
    package func end() {
        let task = starting
        starting = nil
        idling?.cancel()
        guard let task else { return }
        // A process that is still starting is not waited for.
        task.cancel()
        let earlier = ending
        let identifier = self.identifier
        let onEnd = self.onEnd
        ending = Task {
            await earlier?.value
            guard let running = try? await task.value else { return }
            await Self.kill(running)
            await onEnd(identifier)
        }
    }

    /// Ends the process unless another request is in flight. For requesters that have disconnected.
    package func endIfUnused() {
        if inFlight == 0 { end() }
    }

    /// Ends the process, and waits until it and earlier ones have exited, so that none of its keys outlives the call.
    ///
    /// A launch made before this lock no longer starts a process.
    package func endAndWait(before epoch: Int = 0) async {
        leastEpoch = max(leastEpoch, epoch)
        end()
        await ending?.value
    }

    /// Ends this process if it is still the current one.
    private func end(_ running: Running) {
        guard !running.peer.isClosed else { return }
        end()
    }

    private static func kill(_ running: Running) async {
        await running.provider.end()
        // In bubblewrap the provider is a separate process. The connection closes when its last holder has exited.
        for _ in 0..<1_000 where !running.peer.isClosed { try? await Task.sleep(for: .milliseconds(2)) }
        running.peer.close()
    }

    /// The running process, started if necessary.
    package func running(_ launch: Launch) async throws -> Running {
        if let starting {
            if let running = try? await starting.value, !running.peer.isClosed { return running }
            if self.starting == starting { end() }
        }
        if let starting { return try await starting.value }
        guard launch.epoch >= leastEpoch else { throw WireError(.locked, "Latchkey is locked.") }
        launches += 1
        let number = launches
        // The previous process has to end first: two of them would share a container, and the end of one would end the
        // other's batch.
        let earlier = ending
        let task = Task {
            await earlier?.value
            try Task.checkCancellation()
            return try await self.start(launch)
        }
        starting = task
        do {
            let running = try await task.value
            running.peer.onClose { [weak self] in
                Task { await self?.ended(number) }
            }
            return running
        } catch {
            if starting == task { starting = nil }
            guard error is CancellationError else { throw error }
            throw launch.epoch < leastEpoch
                ? WireError(.locked, "Latchkey is locked.")
                : WireError(.providerUnavailable, "The provider \(identifier) was ended while it was started.")
        }
    }

    private func ended(_ number: Int) {
        guard number == launches else { return }
        end()
    }

    private func shown(_ params: JSONValue) async throws -> JSONValue {
        let params: Provider.Show.Params = try params.decoded()
        try params.interface.check()
        guard let show = shows[params.request] else {
            throw WireError(.expired, "No request \(params.request) shows an interface.")
        }
        await show(params.interface)
        return .object([:])
    }

    /// Terms for all providers, which share one arena of locked memory. A message has to arrive within the limit once it has begun.
    private static let terms = StreamTerms(arrivalLimit: .seconds(30), arena: SecretArena(sixteenths: 1))

    private func start(_ launch: Launch) async throws -> Running {
        try Directories.makePrivate(launch.container)
        for group in launch.groups { try Directories.makePrivate(group.folder) }
        let provider = try await launcher.start(launch, environment: environment)
        let identifier = self.identifier
        let store = self.store
        let peer = Peer(stream: FramedStream(socket: provider.socket, terms: Self.terms)) {
            [weak self] method, params in
            guard method == Provider.Show.name || method == Modification.Authorize.name else {
                return try await store(identifier, method, params)
            }
            guard let self else { throw WireError(.expired, "Nobody asked for it.") }
            return try await method == Provider.Show.name ? self.shown(params) : self.authorized(params)
        }
        peer.start()
        do {
            var answer = try await peer.call(
                Provider.Start.self, launch.start(identifier.rawValue),
                timeout: launch.debugLog == nil ? limits.start : nil)
            // The name appears in error messages for the user.
            answer.name = launch.name ?? TextCleaner.cleaned(answer.name, TextCleaner.Limit(characters: 64, bytes: 512))
            logger.info(
                "provider started",
                metadata: ["provider": "\(identifier)", "isolated": "\(launch.isolation?.0.program != nil)"])
            return Running(provider: provider, peer: peer, start: answer)
        } catch {
            let failed = Running(
                provider: provider, peer: peer, start: .init(name: "", version: "", capabilities: []))
            // Runs in a task of its own, because this task may be cancelled and would not wait.
            await Task { await Self.kill(failed) }.value
            guard let error = error as? WireError, error.code != .providerUnavailable else {
                throw WireError(.providerUnavailable, "The provider \(identifier) ended while it was started.")
            }
            guard error.code == .timedOut else { throw error }
            throw WireError(
                .timedOut,
                "The provider \(identifier) did not start within \(limits.start.components.seconds) seconds.",
                hint: launch.isolation?.0.program.map { "It is started by \($0): does that program still work?" })
        }
    }
}
