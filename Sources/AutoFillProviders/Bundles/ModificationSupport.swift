// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import AutoFillCredentials
package import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation
internal import PasswordRules
package import PropertyLists

/// The upgrades that an account authentication modification extension supports, and its app
/// (`docs/account-upgrades.md`).
package struct ModificationSupport: Sendable, Equatable {
    /// The reason why a bundle is refused as such an extension.
    package struct Refusal: Error, Equatable {
        package let reason: String
    }

    package static let extensionPoint = "com.apple.authentication-services-account-authentication-modification-ui"

    /// The entitlement of the app around it: its identifier and its domains.
    package let app: AppEntitlement
    package let changesPasswords: Bool
    package let convertsToSignInWithApple: Bool
    /// Password rules that can be satisfied, or `nil` if the extension states none.
    package let rules: String?
    /// The app's registration with Apple, or `nil` if the extension states none; then its accounts cannot be converted here.
    package let apple: AppleClient?
    /// Whether the app opts out of prompts about its passwords after a sign-in. The user's own requests are not affected.
    package let optsOutOfPromptsOnSignIn: Bool

    /// The keys of `Info.plist`, which are read inside `NSExtensionAttributes` as well as beside it.
    package struct Attributes {
        package let changesPasswords: Bool?
        package let convertsToSignInWithApple: Bool?
        package let rules: String?
        package let client: String?
        package let returnURL: String?
        package let issuer: String?

        package init(_ members: PropertyListMembers) throws(PropertyListRefusal) {
            changesPasswords = try members.boolean(
                "ASAccountAuthenticationModificationSupportsStrongPasswordChange")
            convertsToSignInWithApple = try members.boolean(
                "ASAccountAuthenticationModificationSupportsUpgradeToSignInWithApple")
            rules = try members.string("ASAccountAuthenticationModificationPasswordGenerationRequirements")
            // These three keys are not Apple's. On Apple's systems the app's own identifier is enough.
            client = try members.string("LatchkeySignInWithAppleClientIdentifier")
            returnURL = try members.string("LatchkeySignInWithAppleReturnURL")
            issuer = try members.string("LatchkeySignInWithAppleIssuer")
        }
    }

    /// The only key that is read from the app's own `Info.plist`, at its top level.
    private static let optOutKey = "ASAccountAuthenticationModificationOptOutOfSecurityPromptsOnSignIn"

    /// - Parameters:
    ///   - stated: The attributes of `Info.plist`, innermost first.
    ///   - identifier: The extension's identifier.
    ///   - root: The app's folder, which contains its entitlements file.
    package init(_ stated: [Attributes], identifier: String, root: String) throws(Refusal) {
        changesPasswords = stated.lazy.compactMap(\.changesPasswords).first ?? false
        convertsToSignInWithApple = stated.lazy.compactMap(\.convertsToSignInWithApple).first ?? false
        guard changesPasswords || convertsToSignInWithApple else {
            throw Refusal(reason: "its Info.plist declares support for neither kind of upgrade")
        }
        rules = try stated.lazy.compactMap(\.rules).first.map { text throws(Refusal) in try Self.checked(text) }
        app = try Self.app(in: root)
        optsOutOfPromptsOnSignIn = try Self.optsOut(in: root)
        // As on iOS, an extension has to belong to the app that contains it.
        guard identifier.hasPrefix(app.identifier.bundle.rawValue + ".") else {
            throw Refusal(reason: "its identifier does not begin with its app's, \(app.identifier.bundle.rawValue)")
        }
        apple = try Self.client(in: stated, of: app)
    }

    /// Reads the registration for Sign in with Apple. The host of its return URL has to be one of the app's domains.
    private static func client(in stated: [Attributes], of app: AppEntitlement) throws(Refusal) -> AppleClient? {
        let identifier = stated.lazy.compactMap(\.client).first
        let returnURL = stated.lazy.compactMap(\.returnURL).first
        let issuer = stated.lazy.compactMap(\.issuer).first
        guard identifier != nil || returnURL != nil || issuer != nil else { return nil }
        let client: AppleClient
        do throws(AppleClient.Refusal) {
            client = try AppleClient(identifier: identifier, returnURL: returnURL, issuer: issuer)
        } catch {
            throw Refusal(reason: error.reason)
        }
        let isOwn = app.domains.contains { entry in
            guard let domain = try? AssociatedDomain(entry: entry) else { return false }
            return domain.service == .webCredentials && domain.covers(host: client.host)
        }
        guard isOwn else {
            throw Refusal(
                reason: "the host of its return URL for Sign in with Apple, \(client.host), is not a domain of its app")
        }
        return client
    }

    /// Checks password rules, because rules that cannot be satisfied would make passwords that the service refuses
    /// after the user agreed.
    private static func checked(_ text: String) throws(Refusal) -> String {
        guard text.utf8.count <= 1_024 else { throw Refusal(reason: "its password rules are too long") }
        let reading = PasswordRulesReading(text)
        if let fault = reading.diagnostics.first {
            throw Refusal(reason: "its password rules are not valid: \(fault.message)")
        }
        let generator: PasswordGenerator
        do throws(PasswordGenerationFailure) {
            generator = try PasswordGenerator(rules: reading.rules)
        } catch {
            throw Refusal(reason: "no password satisfies its rules: \(error)")
        }
        // A change to a strong password must not lead to a weak one.
        guard generator.warning == nil else {
            throw Refusal(reason: "its password rules force passwords that are easy to guess")
        }
        return text
    }

    /// Reads the opt-out from the app's `Info.plist`, which is `false` if there is no such file. A file that cannot be
    /// read is refused.
    private static func optsOut(in root: String) throws(Refusal) -> Bool {
        let path = root + "/Info.plist"
        guard FileManager.default.fileExists(atPath: path) else { return false }
        let shape = "its app's Info.plist is not a property list of the expected shape"
        guard let bytes = ProviderBundle.read(path) else { throw Refusal(reason: shape) }
        do throws(PropertyListRefusal) {
            return try PropertyListMembers(reading: bytes).boolean(optOutKey) ?? false
        } catch {
            throw Refusal(reason: "\(shape): \(error.reason)")
        }
    }

    private static func app(in root: String) throws(Refusal) -> AppEntitlement {
        guard !root.hasSuffix(".appex") else {
            throw Refusal(reason: "it is not inside an app: put it into the PlugIns folder of its app")
        }
        let files = (SmallFile.names(in: root, atMost: BundleTree.Bounds().entries) ?? [])
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
