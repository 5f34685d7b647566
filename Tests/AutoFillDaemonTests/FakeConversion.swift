// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import Foundation
import ShownText
import Synchronization

@testable import AutoFillDaemon
@testable import DaemonTesting

/// A Latchkey with an account at shiny.example.com, an app's extension that converts it to Sign in with Apple, a browser, and an
/// identity provider whose word is read by a program.
struct FakeConversion {
    let world: FakeUpgrade
    let settings = FakeBrowser(number: 3, role: .settings)
    var broker: Broker { world.broker }
    var capabilities: Capabilities { world.capabilities }

    static let returnURL = "https://shiny.example.com/auth/return"

    /// Sites that confirm the app, but for some.
    private final class Sites: AssociationFetching {
        let without: Set<String>

        init(without: Set<String>) {
            self.without = without
        }

        func ask(_ question: AssociationQuestion) async -> AssociationAnswer {
            AssociationAnswer(
                requests: [], finding: .apps(without.contains(question.host) ? [] : [FakeApp.identifier]))
        }
    }

    /// What the keeper does with its item when it is to remove it.
    typealias Removal = @Sendable (FakeProvider, FakeProvider.Arrival, _ item: inout JSONValue) throws -> Void

    static let removal: Removal = { provider, asked, item in
        provider.note("removed", asked["id"] ?? "")
        item = item.with("removed", 2)
        try provider.reply(asked, ["item": item])
    }

    /// A built-in provider that notes what it is to remove.
    ///
    /// - Parameters:
    ///   - services: what its one item was saved for.
    ///   - removal: what it does when it is to remove it.
    static func keeper(
        services: JSONValue = ["shiny.example.com"], capabilities: [String] = ["manage"],
        removal: @escaping Removal = FakeConversion.removal
    ) -> FakeProvider.Script {
        { provider in
            try provider.began(capabilities)
            var item: JSONValue = [
                "id": "r1", "services": services, "user": "rmondello", "created": 1, "modified": 1,
            ]
            while true {
                let asked = try provider.ask()
                switch asked.method {
                case "provider.provideCredential": try provider.credential(asked)
                case "manage.get": try provider.reply(asked, ["item": item])
                case "manage.restore":
                    item = item.with("removed", nil)
                    try provider.reply(asked, ["item": item])
                case "manage.edit":
                    provider.note("edited", asked.params)
                    item = item.with("services", asked["services"])
                    try provider.reply(asked, ["item": item])
                case "manage.remove": try removal(provider, asked, &item)
                default: try provider.fail(asked)
                }
            }
        }
    }

    /// An extension; `convert` and `interface` are what it does when it is asked, `change` what it does when it is asked for a
    /// password.
    static func script(
        convert: @escaping FakeProvider.Handler = { try $0.signIn($1) },
        interface: @escaping FakeProvider.Handler = { try $0.signIn($1) },
        change: FakeProvider.Handler? = nil
    ) -> FakeProvider.Script {
        { provider in
            var asked = try provider.began([])
            while true {
                let arrival = try provider.receive()
                switch arrival.method {
                case "provider.convertToSignInWithApple", "provider.prepareConvertToSignInWithApple":
                    asked = arrival
                    let service = arrival["service"]?["identifier"]?.string ?? "-"
                    let words = [arrival.method, service, arrival.user, arrival["password"]?.secretText ?? "-"]
                    provider.note("asked", .string(words.joined(separator: " ")))
                    let isSilent = arrival.method == "provider.convertToSignInWithApple"
                    try (isSilent ? convert : interface)(provider, arrival)
                case "provider.changePassword": try change?(provider, arrival)
                case "provider.act":
                    try provider.reply(arrival)
                    try provider.signIn(asked, state: "s2", nonce: "n2")
                case "provider.cancel":
                    provider.note("canceled")
                    try provider.fail(asked, 1001)
                default: break
                }
            }
        }
    }

    /// The reader of identity tokens, a program: those that are called good are.
    private static func fetcher(_ folder: String, reachable: Bool) -> String {
        """
        #!/bin/sh
        read -r request
        printf '%s\\n' "$request" >> '\(folder)/fetched'
        code=${request#*'"code":"'}; code=${code%%'"'*}
        person='"user":"000042.person","token":"good","email":"a@example.com","givenName":"Johnny"'
        case \(reachable)$request in
            false*) echo '{"result":{"unreachable":"no network"}}' ;;
            *'"id_token":"good"'*) printf '{"result":{"code":"%s",%s}}\\n' "$code" "$person" ;;
            *) echo '{"result":{"refusal":"the identity token is not believed"}}' ;;
        esac

        """
    }

    init(
        script: @escaping FakeProvider.Script = FakeConversion.script(),
        keeper: @escaping FakeProvider.Script = FakeConversion.keeper(),
        attributes: [String: Any] = [:], domains: [String] = ["webcredentials:shiny.example.com"],
        withoutConfirming hosts: Set<String> = [], isReachable: Bool = true, identities: [CredentialIdentity] = [.shiny]
    ) async throws {
        let own: [String: Any] = [
            "ASAccountAuthenticationModificationSupportsUpgradeToSignInWithApple": true,
            "LatchkeySignInWithAppleClientIdentifier": "com.example.shiny.signin",
            "LatchkeySignInWithAppleReturnURL": Self.returnURL,
        ]
        world = try await FakeUpgrade(
            keeper: keeper, script: script, attributes: own.merging(attributes) { $1 }, domains: domains,
            identities: identities, fetchedBy: Sites(without: hosts))
        let programs = world.daemon.programs
        try programs.write(
            Self.fetcher(programs.path, reachable: isReachable), to: "latchkey-fetch", mode: 0o700)
        await broker.connected(settings.client)
    }

    /// A browser in which somebody signs in; `fields` says what is posted in the end, from what the page was asked with.
    static func browser(
        _ fields: @escaping @Sendable ([String: String]) async throws -> [String: String] = posted
    ) -> FakeBrowser {
        FakeBrowser(number: 5) { method, params in
            guard method == WebAuthentication.Open.name else { return .object([:]) }
            let open: WebAuthentication.Open.Params = try params.decoded()
            let items = URLComponents(string: open.url)?.queryItems ?? []
            let asked = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
            return try JSONValue(encoding: WebAuthentication.Open.Answer(fields: try await fields(asked)))
        }
    }

    /// What is posted when all is well.
    static func posted(_ asked: [String: String]) -> [String: String] {
        ["state": asked["state"] ?? "", "code": "c0de", "id_token": "good", "user": "{}"]
    }

    func convert(_ browser: FakeBrowser?) async throws -> Upgrades.Run.Answer {
        if let browser { await broker.connected(browser.client) }
        return try await capabilities.upgrades.accounts.upgrade(
            .init(service: "shiny.example.com", kind: Modification.signInWithApple), on: settings.client)
    }

    func failure(_ browser: FakeBrowser?) async -> WireError? {
        do {
            _ = try await convert(browser)
            return nil
        } catch {
            return error as? WireError
        }
    }

    /// What the daemon knows of accounts that sign in with Apple.
    func converted() async throws -> [ConvertedStatement] {
        try await capabilities.upgrades.accounts.upgrades(.init()).converted ?? []
    }

    func notes(_ name: String) -> [String] { world.notes(name) }

    /// What the reader of identity tokens was asked.
    func fetched() -> [String] {
        String(decoding: world.daemon.programs.read("fetched"), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// What the extension was answered: a credential, or the number of an error.
    var answers: [JSONValue] { world.daemon.notes.values("answer") }
}

extension FakeProvider {
    /// Asks for Sign in with Apple, and returns the answer. Without a number, for the request that runs.
    @discardableResult func authorize(
        _ asked: Arrival, state: String? = "s1", nonce: String? = "n1", id: String = "a", number: Int64? = nil
    ) throws -> Result<JSONValue, WireError> {
        var params: [String: JSONValue] = ["request": .integer(number ?? asked.request)]
        params["state"] = state.map(JSONValue.string)
        params["nonce"] = nonce.map(JSONValue.string)
        try request(id, "modification.authorize", .object(params))
        while true {
            let arrival = try receive()
            if arrival.method == "provider.cancel" { note("canceled") }
            guard let answer = arrival.answer else { continue }
            switch answer {
            case .success(let credential): note("answer", credential)
            case .failure(let error): note("answer", .integer(Int64(error.code.rawValue)))
            }
            return answer
        }
    }

    /// Converts the account with what it is given, as extensions usually do.
    func signIn(_ asked: Arrival, state: String? = "s1", nonce: String? = "n1", number: Int64? = nil) throws {
        switch try authorize(asked, state: state, nonce: nonce, number: number) {
        case .success: try reply(asked)
        case .failure(let error): try fail(asked, error.code.rawValue)
        }
    }
}
