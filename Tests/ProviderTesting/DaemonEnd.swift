// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AuthenticationServices
package import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

/// The daemon's end of a connection to a runtime in this process, with an identity store that records.
@MainActor
package final class DaemonEnd {
    package let peer: Peer
    package let provider: Peer
    package let recorder: StoreRecorder
    package let store: ASCredentialIdentityStore

    package init(
        _ runtime: ExtensionRuntime,
        recorder: StoreRecorder = StoreRecorder(),
        store: ASCredentialIdentityStore = ASCredentialIdentityStore(connection: StoreConnection())
    ) throws {
        let (ours, theirs) = try SocketPair.streams()
        self.recorder = recorder
        self.store = store
        peer = Peer(stream: ours) { method, params in try recorder.answer(method, params) }
        provider = runtime.connect(theirs, store: store)
        peer.start()
        provider.start()
    }

    /// A runtime around a controller, started.
    package static func started(
        recorder: StoreRecorder = StoreRecorder(),
        store: ASCredentialIdentityStore = ASCredentialIdentityStore(connection: StoreConnection()),
        managing: (any CredentialManaging)? = nil,
        _ principal: @escaping @MainActor () -> ASCredentialProviderViewController
    ) async throws -> DaemonEnd {
        let runtime = ExtensionRuntime(name: "Test", version: "1", principal: principal) { _ in managing }
        let end = try DaemonEnd(runtime, recorder: recorder, store: store)
        _ = try await end.call(Provider.Start.self, .valid)
        return end
    }

    package func call<M: WireMethod>(_ method: M.Type, _ params: M.Params) async throws -> M.Answer {
        try await peer.call(method, params, timeout: .seconds(20))
    }

    package func provide(
        _ request: Int = 1,
        _ identity: IdentityStatement = .shiny
    ) async throws -> CredentialStatement {
        try await call(Provider.ProvideCredential.self, .init(identity: identity, request: request)).credential
    }

    package func list(_ request: Int = 1, _ services: [ServiceStatement] = []) async throws -> [ListSection] {
        try await call(Provider.PrepareCredentialList.self, .init(services: services, request: request)).sections
    }

    package func select(_ row: String, _ request: Int = 1) async throws -> CredentialStatement {
        try await call(Provider.SelectRow.self, .init(request: request, row: row)).credential
    }

    package func cancel(_ request: Int) throws {
        peer.notify(Provider.Cancel.name, try JSONValue(encoding: Provider.Cancel.Params(request: request)))
    }
}

extension Provider.Start.Params {
    package static var valid: Provider.Start.Params {
        .init(
            protocol: 1,
            identifier: "com.example.test",
            container: "/nowhere",
            key: WireSecret(SecretBytes(utf8: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="))
        )
    }
}

extension IdentityStatement {
    package static var shiny: IdentityStatement { .shiny("r1") }

    /// An identity at shiny.example.com.
    package static func shiny(_ record: String?, user: String = "rmondello") -> IdentityStatement {
        .init(
            type: "password",
            service: .init(type: 0, identifier: "shiny.example.com"),
            user: user,
            recordIdentifier: record,
            rank: 0
        )
    }
}
