// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import AutoFillCredentials
internal import Foundation
internal import PasswordRules

/// What an account authentication modification extension does, and for which app (`docs/account-upgrades.md`).
struct ModificationSupport: Sendable, Equatable {
    /// Why a bundle cannot be such an extension.
    struct Refusal: Error, Equatable {
        let reason: String
    }

    static let extensionPoint = "com.apple.authentication-services-account-authentication-modification-ui"

    /// What the app around it states: who it is, and its domains.
    let app: AppEntitlement
    let changesPasswords: Bool
    let convertsToSignInWithApple: Bool
    /// In the language of password rules; they can be satisfied. Nothing where the extension has none.
    let rules: String?

    /// The keys of `Info.plist`, which count inside of `NSExtensionAttributes` and beside it.
    struct Attributes: Decodable {
        var changesPasswords: Bool?
        var convertsToSignInWithApple: Bool?
        var rules: String?

        enum CodingKeys: String, CodingKey {
            case changesPasswords = "ASAccountAuthenticationModificationSupportsStrongPasswordChange"
            case convertsToSignInWithApple = "ASAccountAuthenticationModificationSupportsUpgradeToSignInWithApple"
            case rules = "ASAccountAuthenticationModificationPasswordGenerationRequirements"
        }
    }

    /// - Parameters:
    ///   - stated: what `Info.plist` has, the innermost first.
    ///   - identifier: the extension's.
    ///   - root: the app's folder, which holds its entitlements file.
    init(_ stated: [Attributes], identifier: String, root: String) throws(Refusal) {
        changesPasswords = stated.lazy.compactMap(\.changesPasswords).first ?? false
        convertsToSignInWithApple = stated.lazy.compactMap(\.convertsToSignInWithApple).first ?? false
        guard changesPasswords || convertsToSignInWithApple else {
            throw Refusal(reason: "its Info.plist says of neither kind of upgrade that it supports it")
        }
        rules = try stated.lazy.compactMap(\.rules).first.map { text throws(Refusal) in try Self.checked(text) }
        app = try Self.app(in: root)
        // As on iOS: nobody is the extension of another one's app.
        guard identifier.hasPrefix(app.identifier.bundle.rawValue + ".") else {
            throw Refusal(reason: "its identifier does not begin with its app's, \(app.identifier.bundle.rawValue)")
        }
    }

    /// Rules that nobody can follow would make a password that the service refuses, after its user has agreed to it.
    private static func checked(_ text: String) throws(Refusal) -> String {
        guard text.utf8.count <= 1_024 else { throw Refusal(reason: "its password rules are too long") }
        let reading = PasswordRulesReading(text)
        if let fault = reading.diagnostics.first {
            throw Refusal(reason: "its password rules are not what they should be: \(fault.message)")
        }
        let generator: PasswordGenerator
        do throws(PasswordGenerationFailure) {
            generator = try PasswordGenerator(rules: reading.rules)
        } catch {
            throw Refusal(reason: "no password satisfies its rules: \(error)")
        }
        // What is called a change to a strong password is one.
        guard generator.warning == nil else {
            throw Refusal(reason: "its password rules force passwords that are easy to guess")
        }
        return text
    }

    private static func app(in root: String) throws(Refusal) -> AppEntitlement {
        guard !root.hasSuffix(".appex") else {
            throw Refusal(reason: "it is in no app: it belongs into the PlugIns of its app's folder")
        }
        let files = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [])
            .filter { $0.hasSuffix(AppEntitlement.suffix) }
        guard let file = files.first, files.count == 1 else {
            throw Refusal(reason: "its app's folder has no entitlements file, or several")
        }
        do throws(AppEntitlement.Refusal) {
            guard let app = try AppEntitlement(file: root + "/" + file) else {
                throw AppEntitlement.Refusal(reason: "it cannot be read")
            }
            return app
        } catch {
            throw Refusal(reason: "its app's entitlements file does not count: \(error.reason)")
        }
    }
}
