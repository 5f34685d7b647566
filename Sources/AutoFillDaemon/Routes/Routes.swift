// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// Which method reaches what, for each role. What is not listed does not exist for that role.
struct Routes: Sendable {
    typealias Route = @Sendable (Broker, ClientConnection, JSONValue) async throws -> JSONValue

    private let routes: [String: Route]

    /// The routes of a role.
    static func of(_ role: PeerRole) -> Routes {
        switch role {
        case .settings: settings
        case .browser: browser
        case .none: Routes(routes: [:])
        }
    }

    func answer(_ method: String, _ params: JSONValue, broker: Broker, client: ClientConnection) async throws
        -> JSONValue
    {
        guard let route = routes[method] else {
            throw WireError(
                .methodNotFound, "There is no method \(method.prefix(64)) for the role \(client.role.name).")
        }
        do {
            return try await route(broker, client, params)
        } catch is CancellationError {
            throw WireError(.userCanceled, "The request was cancelled.")
        } catch {
            throw WireError(saying: error)
        }
    }

    /// A route with a method's own types.
    private static func on<M: WireMethod>(
        _ method: M.Type, _ body: @escaping @Sendable (Broker, ClientConnection, M.Params) async throws -> M.Answer
    ) -> (String, Route) {
        (M.name, { broker, client, params in try JSONValue(encoding: await body(broker, client, params.decoded())) })
    }

    /// A route whose parameters go on to the provider as they came, secrets in locked memory. What comes back is read with
    /// the method's own types and without secrets: nothing of a provider's passes here that the gate should see.
    private static func pass<M: WireMethod>(_ method: M.Type) -> (String, Route) {
        (
            M.name,
            { broker, _, params in
                let _: M.Params = try params.decoded()
                let answer: M.Answer = try await broker.manage(M.name, params).withoutSecrets.decoded()
                return try JSONValue(encoding: answer)
            }
        )
    }

    static let settings = Routes(
        routes: Dictionary(uniqueKeysWithValues: [
            on(Settings.Status.self) { broker, _, _ in await broker.status() },
            on(Settings.Initialize.self) { broker, _, params in
                .init(recoveryCode: WireSecret(try await broker.initialize(passphrase: params.passphrase.bytes)))
            },
            on(Settings.Unlock.self) { broker, _, params in
                try await broker.unlock(passphrase: params.passphrase.bytes)
                return Empty()
            },
            on(Settings.Lock.self) { broker, _, _ in
                await broker.lock(reason: "request")
                return Empty()
            },
            on(Settings.Authenticate.self) { broker, _, params in
                try await broker.authenticate(passphrase: params.passphrase.bytes)
                return Empty()
            },
            on(Settings.ChangePassphrase.self) { broker, _, params in
                try await broker.changePassphrase(from: params.passphrase.bytes, to: params.newPassphrase.bytes)
                return Empty()
            },
            on(Settings.Recover.self) { broker, _, params in
                .init(
                    recoveryCode: WireSecret(
                        try await broker.recover(
                            code: params.recoveryCode.bytes, newPassphrase: params.newPassphrase.bytes)))
            },
            on(Settings.SetPreferences.self) { broker, _, params in
                .init(preferences: try await broker.setPreferences(params))
            },
            on(Settings.Suggestions.self) { broker, _, params in
                .init(suggestions: try await broker.suggestions(url: params.url))
            },
            on(Settings.Audit.self) { broker, _, params in try await broker.auditLines(params) },
            on(Settings.WriteBackup.self) { broker, _, params in
                .init(bytes: try await broker.writeBackup(to: params.path))
            },
            on(Settings.RestoreBackup.self) { broker, _, params in
                .init(items: try await broker.restoreBackup(params))
            },
            on(Settings.Stop.self) { broker, _, _ in
                await broker.stop()
                return Empty()
            },
            pass(Items.List.self), pass(Items.Add.self), pass(Items.Edit.self), pass(Items.Remove.self),
            pass(Items.Restore.self),
            on(Items.Get.self) { broker, client, params in
                .init(item: try await broker.item(params, program: client.program))
            },
            on(Items.Reveal.self) { broker, client, params in
                try await broker.reveal(params, program: client.program)
            },
            on(Items.History.self) { broker, client, params in
                try await broker.history(params, program: client.program)
            },
        ]))

    static let browser = Routes(
        routes: Dictionary(uniqueKeysWithValues: [
            on(Browser.Focused.self) { broker, client, params in await broker.focused(params, on: client) },
            on(Browser.Left.self) { broker, client, params in
                await broker.left(params, on: client)
                return Empty()
            },
            on(Browser.Status.self) { broker, _, _ in
                let status = await broker.status()
                return .init(
                    initialized: status.initialized, locked: status.locked, autoFill: status.autoFill,
                    version: status.version)
            },
            on(Browser.Suggestions.self) { broker, client, params in
                try await broker.suggestions(session: params.session, on: client)
            },
            on(Browser.List.self) { broker, client, params in try await broker.list(params, on: client) },
            on(Browser.Choose.self) { broker, client, params in try await broker.choose(params, on: client) },
            on(Browser.Unlock.self) { broker, client, _ in
                try await broker.unlockByPrompt(over: client)
                return Empty()
            },
            on(Browser.Prompt.self) { broker, client, params in
                guard let shown = await broker.desk.show(params.prompt, on: client.number) else {
                    throw WireError(.expired, "The question has ended.")
                }
                return shown
            },
            on(Browser.Answer.self) { broker, client, params in
                try await broker.desk.answer(params, on: client.number)
                return Empty()
            },
        ]))
}
