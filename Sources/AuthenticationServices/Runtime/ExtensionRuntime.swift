// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

/// Carries the daemon's requests to view controllers and their answers back.
@MainActor
package final class ExtensionRuntime {
    /// So many requests may be open at once. Fewer than a connection carries, so that there is always room for what the
    /// user does in an interface, and for cancelling.
    static let requestLimit = 16

    /// What makes the view controllers.
    package enum Principal {
        case provider(@MainActor () -> ASCredentialProviderViewController)
        case modification(@MainActor () -> ASAccountAuthenticationModificationViewController)
    }

    private enum Phase { case waiting, starting, started }

    let name: String
    private let version: String
    private let principal: Principal
    private let prepare: @Sendable (ProviderLaunch) async throws -> (any CredentialManaging)?
    private var phase = Phase.waiting
    private var manage: ManageRoute?
    private var open: [Int: ExtensionRequest] = [:]
    private var highestBegun = Int.min
    /// Requests that were cancelled before they began: the wire keeps no order between messages.
    private var cancelledEarly: Set<Int> = []
    private weak var peer: Peer?
    /// Called for a debug build, before it is prepared.
    var allowDebugger: () -> Void = {}

    package convenience init(
        name: String,
        version: String,
        principal: @escaping @MainActor () -> ASCredentialProviderViewController,
        prepare: @escaping @Sendable (ProviderLaunch) async throws -> (any CredentialManaging)? = { _ in nil }
    ) {
        self.init(name: name, version: version, making: .provider(principal), prepare: prepare)
    }

    package init(
        name: String,
        version: String,
        making principal: Principal,
        prepare: @escaping @Sendable (ProviderLaunch) async throws -> (any CredentialManaging)? = { _ in nil }
    ) {
        self.name = name
        self.version = version
        self.principal = principal
        self.prepare = prepare
    }

    /// Puts the runtime at the end of a connection, which the caller starts.
    package func connect(_ stream: FramedStream, store: ASCredentialIdentityStore) -> Peer {
        let peer = Peer(stream: stream) { method, params in
            try await self.answer(method, params)
        }
        self.peer = peer
        store.connection.connect(to: peer)
        return peer
    }

    /// Answers one request of the daemon's.
    func answer(_ method: String, _ params: JSONValue) async throws -> JSONValue {
        if method == Provider.Start.name { return try JSONValue(encoding: await start(params.decoded())) }
        guard phase == .started else {
            throw WireError(.notInitialized, "The provider has not been started: \(Provider.Start.name) comes first.")
        }
        switch method {
        case Provider.ProvideCredential.name:
            return try JSONValue(encoding: await provideCredential(params.decoded()))
        case Provider.PrepareInterface.name:
            return try JSONValue(encoding: await prepareInterface(params.decoded()))
        case Provider.PrepareCredentialList.name:
            return try JSONValue(encoding: await prepareCredentialList(params.decoded()))
        case Provider.ChooseText.name:
            return try JSONValue(encoding: await chooseText(params.decoded()))
        case Provider.Configure.name:
            return try JSONValue(encoding: await configure(params.decoded()))
        case Saving.Save.name:
            return try JSONValue(encoding: await savePassword(params.decoded()))
        case Saving.PrepareSave.name:
            return try JSONValue(encoding: await prepareSavePassword(params.decoded()))
        case Saving.Generate.name:
            return try JSONValue(encoding: await generatePasswords(params.decoded()))
        case Saving.PrepareGenerate.name:
            return try JSONValue(encoding: await prepareGeneratePasswords(params.decoded()))
        case Modification.ChangePassword.name:
            return try JSONValue(encoding: await changePassword(params.decoded()))
        case Modification.PrepareChangePassword.name:
            return try JSONValue(encoding: await prepareChangePassword(params.decoded()))
        case Modification.Convert.name:
            return try JSONValue(encoding: await convert(params.decoded()))
        case Modification.PrepareConvert.name:
            return try JSONValue(encoding: await prepareConvert(params.decoded()))
        case Provider.Act.name:
            try act(params.decoded())
        case Provider.Cancel.name:
            cancel(try params.decoded())
        default:
            guard let answer = try await manage?.answer(method, params) else {
                throw WireError.foreignMethod
            }
            return answer
        }
        return .object([:])
    }

    private func start(_ params: Provider.Start.Params) async throws -> Provider.Start.Answer {
        guard phase == .waiting else { throw WireError(.invalidRequest, "The provider has been started already.") }
        guard params.protocol >= 1 else {
            throw WireError(.unsupportedVersion, "This provider speaks version 1 of the protocol and none before it.")
        }
        let launch = try ProviderLaunch(params)
        if launch.isDebugged { allowDebugger() }
        phase = .starting
        do {
            ProviderContainer.hand(launch.shared)
            manage = try await prepare(launch).map(ManageRoute.init)
        } catch {
            phase = .waiting
            throw WireError(thrownByProvider: error)
        }
        CredentialProviderExtension.launch = launch
        phase = .started
        return Provider.Start.Answer(name: name, version: version, capabilities: manage?.capabilities ?? [])
    }

    private func act(_ params: Provider.Act.Params) throws(WireError) {
        guard let request = open[params.request] else { throw .endedRequest }
        try request.act(params.act)
    }

    private func cancel(_ params: Provider.Cancel.Params) {
        if let request = open.removeValue(forKey: params.request) {
            request.cancel()
        } else if params.request > highestBegun, cancelledEarly.count < Self.requestLimit {
            cancelledEarly.insert(params.request)
        }
    }

    /// Runs a request that may show nothing, from its beginning to its end.
    func runWithoutInterface(
        _ number: Int,
        for answer: RequestAnswer,
        context: RequestContext? = nil,
        _ prepare: (ASCredentialProviderViewController) -> Void
    ) async throws(WireError) -> CredentialStatement? {
        try answer.credential(in: await outcomeWithoutInterface(number, context: context, prepare))
    }

    /// How a request ends that may show nothing.
    func outcomeWithoutInterface(
        _ number: Int,
        context: RequestContext?,
        _ prepare: (ASCredentialProviderViewController) -> Void
    ) async throws(WireError) -> RequestEnding.Outcome {
        let (controller, request) = try beginForProvider(number, context)
        return await withoutInterface(number, request) { prepare(controller) }
    }

    /// Runs a request with an interface, from its beginning to its end.
    func run(
        _ number: Int,
        for answer: RequestAnswer,
        context: RequestContext? = nil,
        _ prepare: (ASCredentialProviderViewController) -> Void
    ) async throws(WireError) -> CredentialStatement? {
        try answer.credential(in: await outcome(number, context: context, prepare))
    }

    /// What a request with an interface has ended with.
    func outcome(
        _ number: Int,
        context: RequestContext?,
        _ prepare: (ASCredentialProviderViewController) -> Void
    ) async throws(WireError) -> RequestEnding.Outcome {
        let (controller, request) = try beginForProvider(number, context)
        return await onScreen(number, request) { prepare(controller) }
    }

    func withoutInterface(
        _ number: Int, _ request: ExtensionRequest, _ prepare: () -> Void
    ) async -> RequestEnding.Outcome {
        let outcome = await request.runWithoutInterface(prepare)
        end(number, request)
        return outcome
    }

    func onScreen(_ number: Int, _ request: ExtensionRequest, _ prepare: () -> Void) async -> RequestEnding.Outcome {
        let screen = ExtensionScreen(of: request.controller, name: name) { [weak peer] interface in
            guard let peer else { throw WireError(.providerUnavailable, "The connection ended.") }
            _ = try await peer.call(Provider.Show.self, .init(request: number, interface: interface))
        }
        let outcome = await request.run(on: screen, prepare)
        end(number, request)
        return outcome
    }

    private func beginForProvider(
        _ number: Int, _ context: RequestContext?
    ) throws(WireError) -> (ASCredentialProviderViewController, ExtensionRequest) {
        guard case .provider(let make) = principal else { throw .foreignMethod }
        return try begin(number, make) { ending in
            let made = ASCredentialProviderExtensionContext(ending: ending)
            made.requestContext = context.map { CredentialRequestContext($0) }
            return made
        }
    }

    /// - Parameter mayAuthorize: whether the request may ask for Sign in with Apple.
    func beginForModification(
        _ number: Int, mayAuthorize: Bool = false
    ) throws(WireError) -> (ASAccountAuthenticationModificationViewController, ExtensionRequest) {
        guard case .modification(let make) = principal else { throw .foreignMethod }
        return try begin(number, make) { ending in
            let made = ASAccountAuthenticationModificationExtensionContext(ending: ending)
            if mayAuthorize {
                made.authorize = { [weak peer] state, nonce in
                    guard let peer else { throw WireError(.providerUnavailable, "The connection ended.") }
                    return try await peer.call(
                        Modification.Authorize.self, .init(request: number, state: state, nonce: nonce))
                }
            }
            return made
        }
    }

    private func begin<Controller: UIViewController>(
        _ number: Int, _ make: () -> Controller, context: (RequestEnding) -> NSExtensionContext
    ) throws(WireError) -> (Controller, ExtensionRequest) {
        highestBegun = max(highestBegun, number)
        guard cancelledEarly.remove(number) == nil else { throw .providerAnswer(.userCanceled) }
        guard open[number] == nil else { throw WireError(.invalidParams, "This number belongs to another request.") }
        guard open.count < Self.requestLimit else { throw WireError(.busy, "Too many requests at once.") }
        let controller = make()
        let request = ExtensionRequest(controller: controller, context: context)
        open[number] = request
        return (controller, request)
    }

    private func end(_ number: Int) {
        open.removeValue(forKey: number)?.close()
    }

    /// A number may already belong to a later request when an earlier one with it, which was cancelled, comes to its end.
    private func end(_ number: Int, _ request: ExtensionRequest) {
        if open[number] === request { end(number) }
    }
}

extension WireError {
    /// The answer to what this kind of extension is not asked.
    fileprivate static var foreignMethod: WireError {
        WireError(.methodNotFound, "There is no such method for this provider.")
    }
}
