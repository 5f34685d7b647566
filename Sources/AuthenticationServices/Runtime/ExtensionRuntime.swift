// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

/// Carries the daemon's requests to view controllers and their answers back.
@MainActor
package final class ExtensionRuntime {
    /// So many requests may be open at once, lists on the screen included.
    static let requestLimit = 32

    private enum Phase { case waiting, starting, started }

    private let name: String
    private let version: String
    private let principal: @MainActor () -> ASCredentialProviderViewController
    private let prepare: @Sendable (ProviderLaunch) async throws -> (any CredentialManaging)?
    private var phase = Phase.waiting
    private var manage: ManageRoute?
    private var open: [Int: ExtensionRequest] = [:]
    private var highestBegun = Int.min
    /// Requests that were cancelled before they began: the wire keeps no order between messages.
    private var cancelledEarly: Set<Int> = []

    package init(
        name: String,
        version: String,
        principal: @escaping @MainActor () -> ASCredentialProviderViewController,
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
        case Provider.PrepareCredentialList.name:
            return try JSONValue(encoding: await prepareCredentialList(params.decoded()))
        case Provider.SelectRow.name:
            return try JSONValue(encoding: await selectRow(params.decoded()))
        case Provider.Cancel.name:
            cancel(try params.decoded())
            return .object([:])
        default:
            guard let answer = try await manage?.answer(method, params) else {
                throw WireError(.methodNotFound, "There is no such method for this provider.")
            }
            return answer
        }
    }

    private func start(_ params: Provider.Start.Params) async throws -> Provider.Start.Answer {
        guard phase == .waiting else { throw WireError(.invalidRequest, "The provider has been started already.") }
        guard params.protocol >= 1 else {
            throw WireError(.unsupportedVersion, "This provider speaks version 1 of the protocol and none before it.")
        }
        let launch = try ProviderLaunch(
            identifier: params.identifier,
            container: params.container,
            key: params.key.bytes
        )
        phase = .starting
        do {
            manage = try await prepare(launch).map(ManageRoute.init)
        } catch {
            phase = .waiting
            throw WireError(thrownByProvider: error)
        }
        CredentialProviderExtension.launch = launch
        phase = .started
        return Provider.Start.Answer(name: name, version: version, capabilities: manage == nil ? [] : ["manage"])
    }

    private func provideCredential(_ params: Provider.ProvideCredential.Params) async throws -> CredentialAnswer {
        guard let identity = ASPasswordCredentialIdentity(params.identity) else {
            throw WireError.providerAnswer(.credentialIdentityNotFound)
        }
        let request = try begin(params.request)
        defer { end(params.request) }
        request.controller.provideCredentialWithoutUserInteraction(
            for: ASPasswordCredentialRequest(credentialIdentity: identity) as any ASCredentialRequest
        )
        return try await request.credential()
    }

    private func prepareCredentialList(
        _ params: Provider.PrepareCredentialList.Params
    ) async throws -> Provider.PrepareCredentialList.Answer {
        let services = params.services.compactMap { ASCredentialServiceIdentifier($0.service) }
        let request = try begin(params.request)
        do {
            return Provider.PrepareCredentialList.Answer(sections: try await request.list(for: services))
        } catch {
            end(params.request)
            throw error
        }
    }

    private func selectRow(_ params: Provider.SelectRow.Params) async throws -> CredentialAnswer {
        guard let request = open[params.request] else {
            throw WireError(.expired, "There is no list of this request any more.")
        }
        do {
            try request.select(row: params.row)
        } catch {
            if request.hasEndedUnchosen { end(params.request) }
            throw error
        }
        defer { end(params.request) }
        return try await request.credential()
    }

    private func cancel(_ params: Provider.Cancel.Params) {
        if open[params.request] != nil {
            end(params.request)
        } else if params.request > highestBegun, cancelledEarly.count < Self.requestLimit {
            cancelledEarly.insert(params.request)
        }
    }

    private func begin(_ number: Int) throws(WireError) -> ExtensionRequest {
        highestBegun = max(highestBegun, number)
        guard cancelledEarly.remove(number) == nil else { throw .providerAnswer(.userCanceled) }
        guard open[number] == nil else { throw WireError(.invalidParams, "This number belongs to another request.") }
        guard open.count < Self.requestLimit else { throw WireError(.busy, "Too many requests at once.") }
        let request = ExtensionRequest(controller: principal())
        open[number] = request
        return request
    }

    private func end(_ number: Int) {
        open.removeValue(forKey: number)?.close()
    }
}
