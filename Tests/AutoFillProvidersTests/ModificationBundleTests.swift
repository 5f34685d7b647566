// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillRelease
import Foundation
import ShownText
import Testing

@testable import AutoFillProviders
@testable import DaemonTesting

/// Bundles of account authentication modification extensions, in their apps.
@Suite struct ModificationBundleTests {
    private static let prefix = "ASAccountAuthenticationModification"
    private static let changes = prefix + "SupportsStrongPasswordChange"
    private static let converts = prefix + "SupportsUpgradeToSignInWithApple"
    private static let requirements = prefix + "PasswordGenerationRequirements"
    private static let optOut = "OptOutOfSecurityPromptsOnSignIn"

    private let folder: TemporaryFolder
    private let folders: BundleFolders

    init() throws {
        folder = try TemporaryFolder()
        folders = BundleFolders(data: folder.path + "/data", system: [])
    }

    private func write(
        attributes: [String: Any] = [changes: true], beside: [String: Any] = [:],
        identifier: String = "com.example.shiny.upgrade",
        app: [String: Any]? = [
            "application-identifier": "E5336VM85F.com.example.shiny",
            "com.apple.developer.associated-domains": ["webcredentials:shiny.example.com"],
        ],
        entitlements: [String: Any] = [:],
        in place: String = "data/extensions/Shiny/PlugIns/Upgrade.appex"
    ) throws {
        var fake = FakeBundle(identifier: identifier, attributes: attributes)
        fake.info = [
            "NSExtension": [
                "NSExtensionPointIdentifier":
                    "com.apple.authentication-services-account-authentication-modification-ui",
                "NSExtensionAttributes": attributes,
            ].merging(beside) { $1 }
        ]
        fake.entitlements = [FakeBundle.entitlement: false].merging(entitlements) { $1 }
        try fake.write(in: folder, at: place)
        if let app { try FakeBundle.write(app, to: folder.path + "/data/extensions/Shiny/Shiny.entitlements") }
    }

    private var bundle: ProviderBundle? { folders.bundles().bundles.first }
    private var problem: String? { folders.bundles().problems.first?.reason }

    @Test func extensionInItsAppIsRead() throws {
        try write(attributes: [Self.changes: true, Self.requirements: "minlength: 16; required: digit"])
        let support = try #require(bundle?.modification)
        #expect(support.changesPasswords && !support.convertsToSignInWithApple)
        #expect(support.rules == "minlength: 16; required: digit")
        #expect(support.app.identifier.rawValue == "E5336VM85F.com.example.shiny")
        #expect(support.app.domains == ["webcredentials:shiny.example.com"])
        #expect(bundle?.provides == [])
        #expect(bundle?.savesPasswords == false && bundle?.generatesPasswords == false)
        #expect(bundle?.showsConfiguration == false)
    }

    @Test func keysCountBesideTheAttributesToo() throws {
        try write(
            attributes: [:], beside: [Self.changes: true, Self.converts: true, Self.requirements: "minlength: 9"])
        let support = try #require(bundle?.modification)
        #expect(support.changesPasswords && support.convertsToSignInWithApple)
        #expect(support.rules == "minlength: 9")
    }

    @Test func attributesCountMoreThanWhatIsBeside() throws {
        try write(attributes: [Self.changes: false, Self.converts: true], beside: [Self.changes: true])
        #expect(bundle?.modification?.changesPasswords == false)
    }

    @Test(arguments: [true, false]) func appMayWantNoPromptsOnSignIn(optsOut: Bool) throws {
        try write()
        try FakeBundle.write(
            [Self.prefix + Self.optOut: optsOut], to: folder.path + "/data/extensions/Shiny/Info.plist")
        #expect(bundle?.modification?.optsOutOfPromptsOnSignIn == optsOut)
    }

    @Test func promptsAreThereWhereTheAppSaysNothing() throws {
        // The key is the app's: in the extension it says nothing.
        try write(attributes: [Self.changes: true, Self.prefix + Self.optOut: true])
        #expect(bundle?.modification?.optsOutOfPromptsOnSignIn == false)
        try FakeBundle.write(["CFBundleName": "Shiny"], to: folder.path + "/data/extensions/Shiny/Info.plist")
        #expect(bundle?.modification?.optsOutOfPromptsOnSignIn == false)
    }

    @Test func refusesAnAppWhoseInformationCannotBeRead() throws {
        try write()
        try FakeBundle.write([Self.prefix + Self.optOut: "YES"], to: folder.path + "/data/extensions/Shiny/Info.plist")
        #expect(problem?.contains("its app's Info.plist") == true)
        try Data("no list".utf8).write(to: URL(fileURLWithPath: folder.path + "/data/extensions/Shiny/Info.plist"))
        #expect(problem?.contains("its app's Info.plist") == true)
    }

    @Test func credentialProvidersAreNone() throws {
        try FakeBundle().write(in: folder, at: "data/extensions/X.appex")
        #expect(bundle != nil && bundle?.modification == nil)
    }

    @Test func refusesOneThatDoesNothing() throws {
        try write(attributes: [:])
        #expect(bundle == nil)
        #expect(problem?.contains("declares support") == true)
        try write(attributes: [Self.changes: false])
        #expect(bundle == nil)
    }

    @Test(arguments: [
        "minlength: 16; nonsense: 3", "required: digits", "minlength: 20; maxlength: 8",
        "required: [a]; maxlength: 4; max-consecutive: 1; allowed: [a]",
    ])
    func refusesRulesThatNobodyCanFollow(rules: String) throws {
        try write(attributes: [Self.changes: true, Self.requirements: rules])
        #expect(bundle == nil)
        #expect(problem?.contains("rules") == true)
    }

    @Test func refusesRulesThatAreTooLong() throws {
        try write(attributes: [
            Self.changes: true, Self.requirements: String(repeating: "required: digit; ", count: 90),
        ])
        #expect(bundle == nil)
    }

    // MARK: Sign in with Apple

    private static let client = "LatchkeySignInWithAppleClientIdentifier"
    private static let returnURL = "LatchkeySignInWithAppleReturnURL"
    private static let issuer = "LatchkeySignInWithAppleIssuer"
    private static var own: [String: Any] {
        [
            converts: true, client: "com.example.shiny.signin", returnURL: "https://shiny.example.com/return",
        ]
    }

    @Test func howAppleKnowsTheAppIsRead() throws {
        try write(attributes: Self.own)
        let support = try #require(bundle?.modification)
        #expect(support.apple?.identifier == "com.example.shiny.signin" && support.apple?.isOfApple == true)
        try write(attributes: [Self.converts: true], beside: Self.own)
        #expect(bundle?.modification?.apple?.host == "shiny.example.com")
        // Whoever does not say it cannot be asked for it, and is no broken bundle.
        try write(attributes: [Self.converts: true])
        #expect(bundle?.modification != nil && bundle?.modification?.apple == nil)
    }

    @Test func onlyADebugBuildHasAnotherIssuer() throws {
        let other = Self.own.merging([Self.issuer: "https://id.example.com"]) { $1 }
        try write(attributes: other)
        #expect(bundle == nil && problem?.contains("get-task-allow") == true)
        try write(attributes: other, entitlements: ["get-task-allow": false])
        #expect(bundle == nil)
        try write(attributes: other, entitlements: ["get-task-allow": true])
        #expect(bundle?.modification?.apple?.issuer == "https://id.example.com")
        try write(attributes: Self.own.merging([Self.issuer: "https://appleid.apple.com"]) { $1 })
        #expect(bundle?.modification?.apple?.isOfApple == true)
    }

    @Test(arguments: [
        [returnURL: "https://other.example.com/return"], [returnURL: "https://example.com/return"],
        [returnURL: "https://a.shiny.example.com/return"], [returnURL: "http://shiny.example.com/return"],
        [client: ""], [issuer: "http://id.example.com"],
    ])
    func refusesWhatCannotBeUsedForSignInWithApple(changed: [String: String]) throws {
        try write(attributes: Self.own.merging(changed) { $1 }, entitlements: ["get-task-allow": true])
        #expect(bundle == nil && problem?.contains("Sign in with Apple") == true)
    }

    @Test func refusesAReturnURLOfAnotherService() throws {
        try write(
            attributes: Self.own,
            app: [
                "application-identifier": "E5336VM85F.com.example.shiny",
                "com.apple.developer.associated-domains": ["applinks:shiny.example.com"],
            ])
        #expect(bundle == nil && problem?.contains("is not a domain of its app") == true)
    }

    @Test func refusesHalfOfIt() throws {
        for key in [Self.client, Self.returnURL] {
            try write(attributes: Self.own.filter { $0.key != key })
            #expect(bundle == nil)
        }
    }

    @Test func refusesOneWithoutAnApp() throws {
        try write(app: nil, in: "data/extensions/Upgrade.appex")
        #expect(bundle == nil)
        #expect(problem?.contains("not inside an app") == true)
    }

    @Test func refusesAnAppThatDoesNotSayWhoItIs() throws {
        try write(app: nil)
        #expect(problem?.contains("no entitlements file") == true)
        try write(app: ["com.apple.developer.associated-domains": ["webcredentials:shiny.example.com"]])
        #expect(problem?.contains("application-identifier") == true)
        try FakeBundle.write(
            ["application-identifier": "E5336VM85F.com.example.shiny"],
            to: folder.path + "/data/extensions/Shiny/Second.entitlements")
        #expect(problem?.contains("several") == true)
        #expect(bundle == nil)
    }

    @Test(arguments: ["com.example.other.upgrade", "com.example.shinyupgrade", "com.example.shiny"])
    func refusesTheExtensionOfAnotherApp(identifier: String) throws {
        try write(identifier: identifier)
        #expect(bundle == nil)
        #expect(problem?.contains("does not begin with its app's") == true)
    }
}
