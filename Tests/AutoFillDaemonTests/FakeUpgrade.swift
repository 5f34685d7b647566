// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillCredentials
import AutoFillIPC
import Foundation
import Testing

@testable import AutoFillDaemon

/// A Latchkey with an account at shiny.example.com, and an app's extension that changes its password; both ends are scripts.
struct FakeUpgrade {
    static let identifier = "com.example.Shiny.upgrade"

    let daemon: FakeInstallation
    let sites: ConfirmingSites
    var broker: Broker { daemon.broker }

    /// A built-in provider that notes what it is to save.
    ///
    /// - Parameter refusing: the event that it does not save.
    static func keeper(refusing: String = "", password: String = "made-canary") -> String {
        """
        began()
        pending = []
        while True:
            m = ask()
            method, params = m["method"], m["params"]
            if method == "provider.provideCredential": credential(m)
            elif method == "provider.generatePasswords":
                note("rules", params.get("fieldRules", "-"))
                send(id=m["id"], result=dict(passwords=[dict(kind="STRONG", password={"secret": "\(password)"})]))
            elif method == "provider.savePassword":
                if params["event"] == "\(refusing)": send(id=m["id"], error=dict(code=1000, message="no"))
                else:
                    if params["event"] == "generatedPasswordFilled": pending.append(params)
                    note("saved", params["event"] + " " + params["user"] + " " + params["password"]["secret"])
                    send(id=m["id"], result={})
            elif method == "manage.recommendations":
                found = [dict(id="r1", services=["shiny.example.com"], user="rmondello", urgency=80, hidden=False,
                    findings=[dict(kind="weak", number=1, accounts=[], reason="It is weak.", advice="Change it.")])]
                send(id=m["id"], result=dict(judged=1, recommendations=[
                    one for one in found if params.get("id") in (None, one["id"])]))
            elif method == "manage.generated":
                send(id=m["id"], result=dict(generated=[dict(id=str(i), service="shiny.example.com", user=p["user"],
                    kind="STRONG", created=1) for i, p in enumerate(pending)]))
            elif method == "manage.revealGenerated":
                send(id=m["id"], result=dict(password=pending[int(params["id"])]["password"]))
            elif method == "manage.edit":
                note("edited", json.dumps(params, sort_keys=True))
                send(id=m["id"], result=dict(item=dict(id="r1", services=[], user="", created=1, modified=1)))
            elif method == "manage.removeGenerated":
                note("removed", pending.pop(int(params["id"]))["password"]["secret"])
                send(id=m["id"], result={})
            else: send(id=m["id"], error=dict(code=-32601, message="no"))
        """
    }

    /// An extension; `change` and `interface` are what it does when it is asked.
    static func script(change: String = "changed(m)", interface: String = "changed(m)") -> String {
        """
        began([])
        def changed(m, password=None, **more):
            params = m["params"]
            send(id=m["id"], result=dict(user=params["user"], password=password or params["newPassword"], **more))
        def failed(m, code=1000, **data):
            send(id=m["id"], error=dict(code=code, message="no", data=data))
        asked = None
        while True:
            m = receive()
            method, params = m.get("method"), m.get("params", {})
            if method in ("provider.changePassword", "provider.prepareChangePassword"):
                note("asked", " ".join([method, params["service"]["identifier"], params["user"],
                    params.get("password", {}).get("secret", "-"), params["newPassword"]["secret"]]))
                note("before", open(folder + "/saved").read())
            if method == "provider.changePassword":
                asked = m
                \(change)
            elif method == "provider.prepareChangePassword":
                asked = m
                \(interface)
            elif method == "provider.act":
                send(id=m["id"], result={})
                changed(asked)
            elif method == "provider.cancel":
                note("canceled")
                send(id=asked["id"], error=dict(code=1001, message="canceled"))
        """
    }

    init(
        keeper: String = FakeUpgrade.keeper(), script: String = FakeUpgrade.script(),
        attributes: [String: Any] = [
            "ASAccountAuthenticationModificationSupportsStrongPasswordChange": true,
            "ASAccountAuthenticationModificationPasswordGenerationRequirements": "minlength: 12",
        ],
        domains: [String] = ["webcredentials:shiny.example.com"], confirming: [String] = [FakeApp.identifier],
        isEnabled: Bool = true, app: [String: Any] = [:], identities: [CredentialIdentity] = [.shiny],
        fetchedBy others: (any AssociationFetching)? = nil
    ) async throws {
        sites = ConfirmingSites(confirming)
        daemon = try FakeInstallation(provider: keeper, sites: others ?? sites)
        try await daemon.begin(identities)
        var bundle = FakeBundle(identifier: Self.identifier, name: "Shiny", script: script)
        bundle.info = [
            "NSExtension": [
                "NSExtensionPointIdentifier": ModificationSupport.extensionPoint, "NSExtensionAttributes": attributes,
            ]
        ]
        try bundle.write(in: daemon.folder, at: "data/latchkey/extensions/Shiny/PlugIns/Upgrade.appex")
        try FakeBundle.write(
            ["application-identifier": FakeApp.identifier, "com.apple.developer.associated-domains": domains],
            to: daemon.directories.data + "/extensions/Shiny/Shiny.entitlements")
        if !app.isEmpty { try FakeBundle.write(app, to: daemon.directories.data + "/extensions/Shiny/Info.plist") }
        if isEnabled { try await enable() }
    }

    func enable() async throws {
        let found = try #require(
            try await broker.providers().providers.first { $0.identifier == Self.identifier })
        _ = try await broker.enable(.init(identifier: Self.identifier, digest: try #require(found.digest)))
    }

    /// What a script has noted.
    func notes(_ name: String) -> [String] {
        guard let text = try? String(contentsOfFile: daemon.folder.path + "/" + name, encoding: .utf8) else {
            return []
        }
        return text.split(separator: "\n").map(String.init)
    }

    func unsettled() async throws -> [UnsettledStatement] {
        try await broker.upgrades(.init()).unsettled
    }

    func lines() async throws -> [AuditLine] {
        try await broker.auditLines(.init(), on: FakeBrowser(number: 99, role: .settings).client).lines
    }
}
