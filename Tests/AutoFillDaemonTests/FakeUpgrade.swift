// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillCredentials
import AutoFillIPC
import Foundation
import ShownText
import Testing

@testable import AutoFillDaemon
@testable import AutoFillProviders
@testable import DaemonTesting

/// A Latchkey with an account at shiny.example.com, and an app's extension that changes its password; both ends are scripts.
struct FakeUpgrade {
    static let identifier = "com.example.Shiny.upgrade"

    let daemon: FakeInstallation
    let sites: ConfirmingSites
    var broker: Broker { daemon.broker }
    var capabilities: Capabilities { daemon.capabilities }

    /// A built-in provider that notes what it is to save.
    ///
    /// - Parameters:
    ///   - event: the event that it does not save.
    ///   - refused: the password that it does not save.
    ///   - record: the record that its one recommendation is about.
    ///   - made: the password that it makes.
    static func keeper(
        refusing event: String = "", refusingPassword refused: String = "", record: String = "r1",
        isHidden: Bool = false, made: String = "made-canary"
    ) -> FakeProvider.Script {
        { provider in
            try provider.began()
            let recommendation: JSONValue = [
                "id": .string(record), "services": ["shiny.example.com"], "user": "rmondello", "urgency": 80,
                "hidden": .bool(isHidden),
                "findings": [
                    ["kind": "weak", "number": 1, "accounts": [], "reason": "It is weak.", "advice": "Change it."]
                ],
            ]
            var pending: [JSONValue] = []
            while true {
                let asked = try provider.ask()
                switch asked.method {
                case "provider.provideCredential": try provider.credential(asked)
                case "provider.generatePasswords":
                    provider.note("rules", asked["fieldRules"] ?? "-")
                    try provider.reply(
                        asked, ["passwords": [["kind": "STRONG", "password": .secret(utf8: made)]]])
                case "provider.savePassword":
                    let (named, password) = (asked["event"]?.string, asked["password"]?.secretText ?? "")
                    guard named != event, password != refused else {
                        try provider.fail(asked, 1000)
                        continue
                    }
                    if named == "generatedPasswordFilled" { pending.append(asked.params) }
                    provider.note("saved", .string("\(named ?? "-") \(asked.user) \(password)"))
                    try provider.reply(asked)
                case "manage.recommendations":
                    let isMeant = asked["id"] == nil || asked["id"] == .string(record)
                    try provider.reply(asked, ["judged": 1, "recommendations": isMeant ? [recommendation] : []])
                case "manage.generated":
                    let generated = pending.enumerated().map { number, params -> JSONValue in
                        [
                            "id": .string("\(number)"), "service": "shiny.example.com", "user": params["user"] ?? "",
                            "kind": "STRONG", "created": 1,
                        ]
                    }
                    try provider.reply(asked, ["generated": .array(generated)])
                case "manage.revealGenerated":
                    try provider.reply(asked, ["password": pending[try index(asked, pending)]["password"] ?? .null])
                case "manage.edit":
                    provider.note("edited", asked.params)
                    try provider.reply(
                        asked, ["item": ["id": "r1", "services": [], "user": "", "created": 1, "modified": 1]])
                case "manage.removeGenerated":
                    let removed = pending.remove(at: try index(asked, pending))
                    provider.note("removed", .string(removed["password"]?.secretText ?? ""))
                    try provider.reply(asked)
                default: try provider.fail(asked)
                }
            }
        }
    }

    /// Which of the pending passwords a request names.
    private static func index(_ asked: FakeProvider.Arrival, _ pending: [JSONValue]) throws -> Int {
        guard let index = asked["id"]?.string.flatMap(Int.init), pending.indices.contains(index) else {
            throw FakeProvider.Ended()
        }
        return index
    }

    /// An extension; `change` and `interface` are what it does when it is asked.
    static func script(
        change: @escaping FakeProvider.Handler = { try $0.changed($1) },
        interface: @escaping FakeProvider.Handler = { try $0.changed($1) }
    ) -> FakeProvider.Script {
        { provider in
            var asked = try provider.began([])
            while true {
                let arrival = try provider.receive()
                switch arrival.method {
                case "provider.changePassword", "provider.prepareChangePassword":
                    let service = arrival["service"]?["identifier"]?.string ?? "-"
                    let words = [
                        arrival.method, service, arrival.user, arrival["password"]?.secretText ?? "-",
                        arrival["newPassword"]?.secretText ?? "-",
                    ]
                    // What was saved before it is asked.
                    provider.note("before", .array(provider.notes.values("saved")))
                    provider.note("asked", .string(words.joined(separator: " ")))
                    asked = arrival
                    try (arrival.method == "provider.changePassword" ? change : interface)(provider, arrival)
                case "provider.act":
                    try provider.reply(arrival)
                    try provider.changed(asked)
                case "provider.cancel":
                    provider.note("canceled")
                    try provider.fail(asked, 1001)
                default: break
                }
            }
        }
    }

    /// Shows a button, for extensions with an interface.
    static let button: FakeProvider.Handler = { try $0.show(FakeProvider.button("Go"), for: $1) }

    init(
        keeper: @escaping FakeProvider.Script = FakeUpgrade.keeper(),
        script: @escaping FakeProvider.Script = FakeUpgrade.script(),
        attributes: [String: Any] = [
            "ASAccountAuthenticationModificationSupportsStrongPasswordChange": true,
            "ASAccountAuthenticationModificationPasswordGenerationRequirements": "minlength: 12",
        ],
        domains: [String] = ["webcredentials:shiny.example.com"], confirming: [String] = [FakeApp.identifier],
        isEnabled: Bool = true, app: [String: Any] = [:], identities: [CredentialIdentity] = [.shiny],
        fetchedBy others: (any AssociationFetching)? = nil
    ) async throws {
        sites = ConfirmingSites(confirming)
        daemon = try await FakeInstallation(provider: keeper, sites: others ?? sites)
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
            try await capabilities.settings.providers.providers().providers.first { $0.identifier == Self.identifier })
        _ = try await capabilities.settings.providers.enable(
            .init(identifier: Self.identifier, digest: try #require(found.digest)))
    }

    /// What a script has noted.
    func notes(_ name: String) -> [String] {
        daemon.notes.texts(name)
    }

    /// Returns once the extension has been asked.
    func asked() async {
        await daemon.notes.wait(for: "asked")
    }

    func unsettled() async throws -> [UnsettledStatement] {
        try await capabilities.upgrades.accounts.upgrades(.init()).unsettled
    }

    func lines() async throws -> [AuditLine] {
        try await capabilities.shared.auditTrail.auditLines(
            .init(), on: FakeBrowser(number: 99, role: .settings).client
        ).lines
    }
}

extension FakeProvider {
    /// Answers that a password was changed: to the one that was proposed, or to another.
    func changed(_ asked: Arrival, to password: JSONValue? = nil, user: String? = nil) throws {
        try reply(
            asked,
            ["user": .string(user ?? asked.user), "password": password ?? asked["newPassword"] ?? .null])
    }

    /// Answers as an extension that has failed.
    func failed(_ asked: Arrival, _ code: Int = 1000, reason: String? = nil) throws {
        try fail(asked, code, reason: reason)
    }

    /// Ends as a process that crashes.
    func crash() throws {
        throw Ended()
    }
}
