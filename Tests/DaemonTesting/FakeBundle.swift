// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Foundation

/// Bundles of providers that behave as a test says.
package struct FakeBundle {
    package static let point = "com.apple.authentication-services-credential-provider-ui"
    package static let entitlement = "com.apple.developer.authentication-services.autofill-credential-provider"

    package var identifier = "com.example.shiny"
    package var name = "Shiny Passwords"
    package var script = FakeBundle.script()
    package var attributes: [String: Any] = [:]
    package var entitlements: [String: Any] = [:]
    package var info: [String: Any] = [:]

    /// Saves one identity and answers for it.
    ///
    /// - Parameters:
    ///   - delivery: what it does when it is asked.
    ///   - hasty: what it does as soon as its interface was taken. Without it, it waits for an act.
    package static func script(
        user: String = "rmondello", rank: Int = 0,
        delivery: @escaping FakeProvider.Handler = { try $0.credential($1) }, hasty: FakeProvider.Handler? = nil
    ) -> FakeProvider.Script {
        { provider in
            let start = try provider.began([])
            let service: JSONValue = ["type": 0, "identifier": "shiny.example.com"]
            let identity: JSONValue = [
                "type": "password", "service": service, "user": .string(user), "recordIdentifier": "other",
                "rank": .integer(Int64(rank)),
            ]
            try provider.request("s", "store.state")
            var asked = start
            // The request whose interface has not been taken yet. An answer before that could overtake it.
            var showing: FakeProvider.Arrival?
            while true {
                let arrival = try provider.receive()
                switch (arrival.method, arrival.answer) {
                case ("", .success(let state)?) where arrival.id == .string("s"):
                    if state["supportsIncrementalUpdates"] == true {
                        provider.note("filled", start["identifier"] ?? "")
                    } else {
                        try provider.request("r", "store.replace", ["identities": [identity]])
                    }
                case ("", .success?) where arrival.id == .string("r"):
                    provider.note("filled", start["identifier"] ?? "")
                case ("", _) where arrival.id == .string("i"):
                    if let shown = showing { try hasty?(provider, shown) }
                    showing = nil
                case ("provider.provideCredential", _): try delivery(provider, arrival)
                case ("provider.prepareInterface", _):
                    try provider.show(FakeProvider.button("Fill"), for: arrival)
                    asked = arrival
                    showing = arrival
                case ("provider.prepareCredentialList", _):
                    try provider.show(FakeProvider.list, for: arrival)
                    asked = arrival
                    asked.params = ["user": "listed"]
                    showing = arrival
                case ("provider.configure", _):
                    try provider.show(FakeProvider.button("Done"), for: arrival)
                    asked = arrival
                case ("provider.act", _):
                    try provider.reply(arrival)
                    if asked.method == "provider.configure" {
                        try provider.reply(asked)
                    } else {
                        try provider.credential(asked)
                    }
                case ("provider.cancel", _): provider.note("cancelled")
                default: break
                }
            }
        }
    }

    /// Writes the bundle and returns the path of its `.appex`.
    @discardableResult package func write(in folder: TemporaryFolder, at place: String) throws -> String {
        let path = folder.path + "/" + place
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        var info: [String: Any] = [
            "CFBundleIdentifier": identifier, "CFBundleDisplayName": name, "CFBundleShortVersionString": "1.0",
            "CFBundleExecutable": "provider",
            "NSExtension": [
                "NSExtensionPointIdentifier": Self.point, "NSExtensionPrincipalClass": "Provider",
                "NSExtensionAttributes": attributes,
            ],
        ]
        info.merge(self.info) { $1 }
        try Self.write(info, to: path + "/Info.plist")
        try Self.write(
            [Self.entitlement: true].merging(entitlements) { $1 }, to: path + "/provider.entitlements")
        try FakeProviders.write(script, to: path + "/provider")
        return path
    }

    package static func write(_ list: [String: Any], to path: String) throws {
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        try data.write(to: URL(fileURLWithPath: path))
    }
}
