// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AuthenticationServices
package import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

/// The daemon's end of a connection to a runtime in this process, with an identity store and a screen that record.
@MainActor
package final class DaemonEnd {
    /// Has somebody sign in with Apple.
    package typealias Authorize =
        @Sendable (Modification.Authorize.Params) async throws -> Modification.Authorize.Answer

    package let peer: Peer
    package let provider: Peer
    package let recorder: StoreRecorder
    package let screens: Screens
    package let store: ASCredentialIdentityStore
    private var answers: [Int: Task<CredentialStatement, any Error>] = [:]
    package private(set) var lists: [Int: String] = [:]

    package init(
        _ runtime: ExtensionRuntime,
        recorder: StoreRecorder = StoreRecorder(),
        screens: Screens = Screens(),
        store: ASCredentialIdentityStore = ASCredentialIdentityStore(connection: StoreConnection()),
        authorize: @escaping Authorize = { _ in throw WireError(.providerExtension(0), "no") }
    ) throws {
        let (ours, theirs) = try SocketPair.streams()
        self.store = store
        self.recorder = recorder
        self.screens = screens
        peer = Peer(stream: ours) { method, params in
            if method == Modification.Authorize.name {
                return try JSONValue(encoding: await authorize(params.decoded()))
            }
            guard method == Provider.Show.name else { return try recorder.answer(method, params) }
            try await screens.show(params.decoded())
            return .object([:])
        }
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

    /// A runtime around a controller of an account modification extension, started.
    package static func startedModification(
        authorize: @escaping Authorize = { _ in throw WireError(.providerExtension(0), "no") },
        _ principal: @escaping @MainActor () -> ASAccountAuthenticationModificationViewController
    ) async throws -> DaemonEnd {
        let end = try DaemonEnd(
            ExtensionRuntime(name: "Test", version: "1", making: .modification(principal)), authorize: authorize)
        _ = try await end.call(Provider.Start.self, .valid)
        return end
    }

    package func call<M: WireMethod>(_ method: M.Type, _ params: M.Params) async throws -> M.Answer {
        try await peer.call(method, params, timeout: .seconds(20))
    }

    package func provide(_ request: Int = 1, _ identity: IdentityStatement = .shiny) async throws -> CredentialStatement
    {
        try await call(Provider.ProvideCredential.self, .init(identity: identity, request: request)).credential
    }

    /// Asks for something that has an interface; `answer` waits for the end of it.
    package func begin<M: WireMethod>(_ method: M.Type, _ params: M.Params, _ request: Int)
    where M.Answer == CredentialAnswer {
        answers[request] = Task {
            defer { screens[request].finish() }
            return try await call(method, params).credential
        }
    }

    package func beginList(_ request: Int = 1, _ services: [ServiceStatement] = [], type: String? = nil) {
        let params = Provider.PrepareCredentialList.Params(services: services, type: type, request: request)
        begin(Provider.PrepareCredentialList.self, params, request)
    }

    package func beginInterface(_ request: Int = 1, _ identity: IdentityStatement = .shiny) {
        begin(Provider.PrepareInterface.self, .init(identity: identity, request: request), request)
    }

    /// What the request has ended with.
    package func answer(_ request: Int = 1) async throws -> CredentialStatement {
        guard let answer = answers[request] else { throw WireError(.notFound, "there is no such request") }
        return try await answer.value
    }

    /// The next interface that a request shows; throws what the request ends with where it shows none.
    package func interface(_ request: Int = 1) async throws -> InterfaceStatement {
        if let interface = await screens[request].next() {
            try interface.check()
            lists[request] = interface.elements.first { $0.kind == "list" }?.id
            return interface
        }
        _ = try await answer(request)
        throw WireError(.notFound, "the request has shown nothing more")
    }

    package func act(
        _ element: String?,
        _ action: String,
        request: Int = 1,
        row: String? = nil,
        text: String? = nil,
        fields: [String: String] = [:]
    ) async throws {
        let act = InterfaceAct(
            element: element ?? "",
            action: action,
            row: row,
            text: text.map { WireSecret(SecretBytes(utf8: $0)) },
            fields: fields.map { FieldContents(id: $0.key, text: WireSecret(SecretBytes(utf8: $0.value))) }
        )
        _ = try await call(Provider.Act.self, .init(request: request, act: act))
    }

    /// Asks for a list and waits until it is shown.
    package func list(_ request: Int = 1, _ services: [ServiceStatement] = []) async throws -> [ListSection] {
        beginList(request, services)
        return try await shownList(request)
    }

    /// The list in the next interface that a request shows.
    package func shownList(_ request: Int = 1) async throws -> [ListSection] {
        try await interface(request).elements.first { $0.kind == "list" }?.sections ?? []
    }

    package func choose(_ row: String, _ request: Int = 1) async throws {
        try await act(lists[request], "select", request: request, row: row)
    }

    /// Chooses a row and waits for the credential.
    package func select(_ row: String, _ request: Int = 1) async throws -> CredentialStatement {
        try await choose(row, request)
        return try await answer(request)
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
            key: .container
        )
    }
}

extension WireSecret {
    /// The base64 of the bytes 0 to 31.
    package static var container: WireSecret {
        WireSecret(SecretBytes(utf8: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="))
    }
}

extension IdentityStatement {
    package static var shiny: IdentityStatement { .shiny("r1") }

    /// An identity at shiny.example.com.
    package static func shiny(
        _ record: String?,
        user: String = "rmondello",
        type: String = "password"
    ) -> IdentityStatement {
        .init(
            type: type,
            service: .init(type: 0, identifier: "shiny.example.com"),
            user: user,
            recordIdentifier: record,
            rank: 0
        )
    }
}
