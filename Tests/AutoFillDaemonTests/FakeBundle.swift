// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import AutoFillDaemon

/// Bundles of providers that behave as a test says.
struct FakeBundle {
    static let point = "com.apple.authentication-services-credential-provider-ui"
    static let entitlement = "com.apple.developer.authentication-services.autofill-credential-provider"

    var identifier = "com.example.shiny"
    var name = "Shiny Passwords"
    var script = FakeBundle.script()
    var attributes: [String: Any] = [:]
    var entitlements: [String: Any] = [:]
    var info: [String: Any] = [:]

    /// Saves one identity and answers for it; `delivery` is what it does when it is asked.
    static func script(user: String = "rmondello", rank: Int = 0, delivery: String = "credential(m)") -> String {
        """
        began([])
        identity = dict(type="password", service=dict(type=0, identifier="shiny.example.com"), user="\(user)",
                        recordIdentifier="other", rank=\(rank))
        request("s", "store.state")
        while True:
            message = receive()
            if message.get("id") == "s" and not message["result"]["supportsIncrementalUpdates"]:
                request("r", "store.replace", dict(identities=[identity]))
            m = message
            if m.get("method") in ("provider.provideCredential",): \(delivery)
            elif m.get("method") == "provider.prepareInterface":
                request("i", "interface.show", {"request": m["params"]["request"], "interface":
                    {"title": "T", "elements": [{"kind": "button", "id": "b", "label": "Fill"}]}})
                asked = m
            elif m.get("method") == "provider.prepareCredentialList":
                request("i", "interface.show", {"request": m["params"]["request"], "interface":
                    {"title": "T", "elements": [{"kind": "list", "id": "l", "sections":
                        [{"title": "All", "rows": [{"id": "0", "title": "listed", "subtitle": ""}]}]}]}})
                asked = dict(m, params=dict(m["params"], identity=dict(user="listed")))
            elif m.get("method") == "provider.configure":
                request("i", "interface.show", {"request": m["params"]["request"], "interface":
                    {"title": "T", "elements": [{"kind": "button", "id": "b", "label": "Done"}]}})
                asked = m
            elif m.get("method") == "provider.act":
                send(id=m["id"], result={})
                if asked["method"] == "provider.configure": send(id=asked["id"], result={})
                else: credential(asked)
            elif m.get("method") == "provider.cancel": note("cancelled")
        """
    }

    /// Writes the bundle and returns the path of its `.appex`.
    @discardableResult func write(in folder: TemporaryFolder, at place: String) throws -> String {
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
        // What it notes stands outside of the bundle, whose digest counts.
        _ = try FakeProvider.write(script, in: folder, name: place + "/provider", notes: folder.path)
        return path
    }

    static func write(_ list: [String: Any], to path: String) throws {
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        try data.write(to: URL(fileURLWithPath: path))
    }
}
