// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC

/// The methods for providers of the fake daemon.
enum FakeProviders {
    static let builtIn = ProviderStatement(
        identifier: "org.latchkey.passwords", name: "Passwords", version: "0.1.0", path: "/lib/latchkey-passwords",
        builtIn: true, state: "enabled", digest: "d0", running: true, identities: 2, provides: ["passwords"],
        showsConfiguration: false, debug: false, isolation: "bubblewrap", grants: GrantsStatement())

    /// A provider of somebody else's, disabled, that asks for something of each kind.
    static func acme(_ change: (inout ProviderStatement) -> Void = { _ in }) -> ProviderStatement {
        var provider = ProviderStatement(
            identifier: "com.example.acme", name: "Acme", version: "2.1", path: "/home/me/acme.appex", builtIn: false,
            state: "disabled", digest: "d1", running: false, provides: ["passwords", "one-time-codes"],
            showsConfiguration: true, debug: false, isolation: "bubblewrap",
            grants: GrantsStatement(
                network: true, folders: [FolderGrant(path: ".acme", write: true)], sockets: ["~/.acme/agent"],
                groups: ["group.com.example.acme"]))
        change(&provider)
        return provider
    }

    static func answer(_ method: String, _ params: JSONValue, _ state: inout FakeDaemon.State) throws -> JSONValue {
        if method == Providers.List.name {
            return try JSONValue(
                encoding: Providers.List.Answer(
                    providers: state.providers, isolation: state.isolation ?? IsolationStatement(available: true)))
        }
        if state.wantsAuthentication { throw WireError(.authenticationRequired, "This needs your passphrase.") }
        switch method {
        case Providers.Enable.name:
            let params: Providers.Enable.Params = try params.decoded()
            let place = try index(params.identifier, state)
            guard state.providers[place].digest == params.digest else {
                throw WireError(.refused, "It is another bundle by now.", reason: "its digest has changed")
            }
            state.providers[place].state = "enabled"
            return try JSONValue(encoding: ProviderAnswer(provider: state.providers[place]))
        case Providers.Disable.name:
            let place = try index(try params.decoded(as: ProviderReference.self).identifier, state)
            state.providers[place].state = "disabled"
            return try JSONValue(encoding: ProviderAnswer(provider: state.providers[place]))
        case Providers.Install.name:
            state.providers.append(acme())
            return try JSONValue(encoding: Providers.Install.Answer(providers: [acme()]))
        case Providers.Remove.name:
            let place = try index(try params.decoded(as: Providers.Remove.Params.self).identifier, state)
            guard !state.providers[place].builtIn else {
                throw WireError(.notPermitted, "It is in a system folder.", reason: "only its owner may remove it")
            }
            state.providers.remove(at: place)
            return .object([:])
        case Providers.Order.name, Providers.Debug.name, Providers.TellPaths.name: return .object([:])
        default: throw WireError(.methodNotFound, "There is no method \(method).")
        }
    }

    private static func index(_ identifier: String, _ state: FakeDaemon.State) throws -> Int {
        guard let place = state.providers.firstIndex(where: { $0.identifier == identifier }) else {
            throw WireError(.notFound, "There is no such provider.")
        }
        return place
    }
}
