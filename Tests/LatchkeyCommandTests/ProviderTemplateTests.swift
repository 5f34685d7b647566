// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProcessTesting
import Testing

@testable import ProviderConformance
@testable import TerminalRendering
@testable import latchkey

/// `latchkey providers new`
@Suite struct ProviderTemplateTests {
    @Test(arguments: [
        "", "keeper", "1Keeper", "Kee per", "../Keeper", "Keeper/..", "Käse", "Keeper\n", "Foundation", "Swift",
        String(repeating: "K", count: 41),
    ])
    func refuses(name: String) {
        #expect(throws: CommandFailure.self) { try ProviderTemplate(name: name) }
    }

    @Test(arguments: [" x", "com.example/../x", "org.latchkey.passwords", ""])
    func refusesIdentifier(identifier: String) {
        #expect(throws: CommandFailure.self) { try ProviderTemplate(name: "Keeper", identifier: identifier) }
    }

    @Test func nothingIsLeftToFillIn() throws {
        let files = try ProviderTemplate(name: "Keeper").files
        #expect(files.count == 12)
        for (path, text) in files {
            #expect(!path.contains("__") && !text.contains("__"), "\(path)")
            #expect(!text.isEmpty)
        }
    }

    @Test func extensionThatChangesPasswordsIsOfItsApp() throws {
        let files = Dictionary(
            uniqueKeysWithValues: try ProviderTemplate(name: "Keeper", identifier: "org.acme.keeper").modificationFiles
                .map { ($0, $1) })
        #expect(files.count == 10)
        for (path, text) in files {
            #expect(!path.contains("__") && !text.contains("__") && !text.isEmpty, "\(path)")
        }
        func list(_ path: String) throws -> [String: Any] {
            let text = try #require(files[path])
            return try #require(
                PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? [String: Any])
        }
        let app = try list("Bundle/Keeper.entitlements")
        #expect(app["application-identifier"] as? String == "E5336VM85F.org.acme.keeper")
        #expect(
            app["com.apple.developer.associated-domains"] as? [String] == ["webcredentials:keeper.acme.org"])
        let info = try list("Bundle/Info.plist")
        #expect(info["CFBundleIdentifier"] as? String == "org.acme.keeper.upgrade")
        let point = (info["NSExtension"] as? [String: Any])?["NSExtensionPointIdentifier"] as? String
        #expect(point == "com.apple.authentication-services-account-authentication-modification-ui")
    }

    @Test func theBundleIsOneThatLatchkeyTakes() throws {
        let files = Dictionary(
            uniqueKeysWithValues: try ProviderTemplate(name: "Keeper", identifier: "org.acme.keeper").files.map {
                ($0, $1)
            })
        func list(_ path: String) throws -> [String: Any] {
            let text = try #require(files[path])
            return try #require(
                PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? [String: Any])
        }
        let bundle = try TestedBundle(
            info: try list("Bundle/Info.plist"), entitlements: try list("Bundle/Keeper.entitlements"),
            folder: "/Keeper.appex")
        #expect(bundle.identifier == "org.acme.keeper")
        #expect(bundle.executable == "/Keeper.appex/Keeper")
        #expect(bundle.provides == ["passwords"])
        #expect(bundle.showsConfiguration)
    }

    @Test(.tags(.startsProcess)) func writesAFolderOnceOnly() async throws {
        let home = TestHome()
        let run = await home.run("providers", "new", "Keeper", "--directory", "data")
        #expect(run.status == 0)
        #expect(run.output.contains("Keeper/Sources/KeeperExtension/main.swift\n"))
        let again = await home.run("providers", "new", "Keeper", "--directory", "data")
        #expect(again.status == 12)
        #expect(await home.run("providers", "new", "keeper").status == 13)
    }
}
