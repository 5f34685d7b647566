// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import Foundation
import Synchronization

@testable import AutoFillDaemon

/// A Latchkey with an account at shiny.example.com, an app's extension that converts it to Sign in with Apple, a browser, and an
/// identity provider whose word is read by a script.
struct FakeConversion {
    let world: FakeUpgrade
    let settings = FakeBrowser(number: 3, role: .settings)
    var broker: Broker { world.broker }

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

    /// A built-in provider that notes what it is to remove.
    ///
    /// - Parameters:
    ///   - services: what its one item was saved for.
    ///   - removal: what it does when it is to remove it.
    static func keeper(
        services: String = "[\"shiny.example.com\"]", capabilities: String = "[\"manage\"]", removal: String = "ok(m)"
    ) -> String {
        """
        began(\(capabilities))
        item = dict(id="r1", services=\(services), user="rmondello", created=1, modified=1)
        def ok(m):
            note("removed", m["params"]["id"])
            item["removed"] = 2
            send(id=m["id"], result=dict(item=item))
        def no(m, code=1000): send(id=m["id"], error=dict(code=code, message="no"))
        while True:
            m = ask()
            method, params = m["method"], m["params"]
            if method == "provider.provideCredential": credential(m)
            elif method == "manage.get":
                note("got")
                send(id=m["id"], result=dict(item=item))
            elif method == "manage.restore":
                item.pop("removed", None)
                send(id=m["id"], result=dict(item=item))
            elif method == "manage.edit":
                note("edited", json.dumps(params))
                item["services"] = params["services"]
                send(id=m["id"], result=dict(item=item))
            elif method == "manage.remove": \(removal)
            else: send(id=m["id"], error=dict(code=-32601, message="no"))
        """
    }

    /// An extension; `convert` and `interface` are what it does when it is asked.
    static func script(convert: String = "usual(m)", interface: String = "usual(m)") -> String {
        """
        began([])
        def done(m, **more): send(id=m["id"], result=more)
        def failed(m, code=1000, **data): send(id=m["id"], error=dict(code=code, message="no", data=data))
        def authorize(m, state="s1", nonce="n1", id="a", number=None):
            params = dict(request=number or m["params"]["request"])
            if state is not None: params["state"] = state
            if nonce is not None: params["nonce"] = nonce
            request(id, "modification.authorize", params)
            while True:
                answer = receive()
                if answer.get("method") == "provider.cancel": note("canceled")
                elif "method" not in answer:
                    note("answer", json.dumps(answer.get("result") or answer["error"]["code"], sort_keys=True))
                    return answer
        def usual(m, **more):
            answer = authorize(m, **more)
            if "result" in answer: done(m)
            else: failed(m, answer["error"]["code"])
        asked = None
        while True:
            m = receive()
            method, params = m.get("method"), m.get("params", {})
            if method in ("provider.convertToSignInWithApple", "provider.prepareConvertToSignInWithApple"):
                asked = m
                note("asked", " ".join([method, params["service"]["identifier"], params["user"],
                    params.get("password", {}).get("secret", "-")]))
            if method == "provider.convertToSignInWithApple":
                \(convert)
            elif method == "provider.prepareConvertToSignInWithApple":
                \(interface)
            elif method == "provider.act":
                send(id=m["id"], result={})
                usual(asked, state="s2", nonce="n2")
            elif method == "provider.cancel":
                note("canceled")
                send(id=asked["id"], error=dict(code=1001, message="canceled"))
        """
    }

    /// The reader of identity tokens: those that are called good are.
    private static func fetcher(_ folder: String, reachable: Bool) -> String {
        """
        #!/usr/bin/python3
        import json, sys
        request = json.load(sys.stdin)["request"]
        fields = request["fields"]
        with open("\(folder)/fetched", "a") as file: file.write(json.dumps(request, sort_keys=True) + "\\n")
        if not \(reachable ? "True" : "False"): result = dict(unreachable="no network")
        elif fields.get("id_token") != "good": result = dict(refusal="the identity token is not believed")
        else: result = dict(user="000042.person", code=fields["code"], token="good", email="a@example.com",
            givenName="Johnny")
        print(json.dumps(dict(result=result)))

        """
    }

    init(
        script: String = FakeConversion.script(), keeper: String = FakeConversion.keeper(),
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
        try world.daemon.folder.write(
            Self.fetcher(world.daemon.folder.path, reachable: isReachable), to: "latchkey-fetch", mode: 0o700)
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
        return try await broker.upgrade(
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
        try await broker.upgrades(.init()).converted ?? []
    }

    func notes(_ name: String) -> [String] { world.notes(name) }
}
