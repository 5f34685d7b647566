// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import AutoFillCredentials
internal import FoundationEssentials
internal import PasswordRules

/// The statements of an account modification extension and of its app.
package struct ModificationClaims: Equatable, Sendable {
    package static let extensionPoint = "com.apple.authentication-services-account-authentication-modification-ui"

    package let changesPasswords: Bool
    package let convertsToSignInWithApple: Bool
    /// The password rules, or `nil` if the extension states none.
    package let rules: String?
    /// Whether it states its registration with Apple and the return URL.
    package let namesAppleClient: Bool
    /// The first domain of its app.
    package let host: String

    /// - Parameters:
    ///   - points: `NSExtensionAttributes` and `NSExtension`, innermost first.
    ///   - identifier: The extension's identifier.
    ///   - app: The content of the app's entitlements file.
    package init(_ points: [[String: Any]], identifier: String, app: [String: Any]) throws(ConformanceFault) {
        func first<Value>(_ key: String, as type: Value.Type) -> Value? {
            points.lazy.compactMap { $0[key] as? Value }.first
        }
        let prefix = "ASAccountAuthenticationModification"
        changesPasswords = first(prefix + "SupportsStrongPasswordChange", as: Bool.self) ?? false
        convertsToSignInWithApple = first(prefix + "SupportsUpgradeToSignInWithApple", as: Bool.self) ?? false
        guard changesPasswords || convertsToSignInWithApple else {
            throw ConformanceFault("Info.plist declares support for neither kind of upgrade")
        }
        rules = first(prefix + "PasswordGenerationRequirements", as: String.self)
        if let rules { try Self.check(rules) }
        namesAppleClient =
            first("LatchkeySignInWithAppleClientIdentifier", as: String.self) != nil
            && first("LatchkeySignInWithAppleReturnURL", as: String.self) != nil
        guard let name = (app["application-identifier"] as? String).flatMap(AppIdentifier.init) else {
            throw ConformanceFault("its app's application-identifier is missing, or not PREFIX.bundle.identifier")
        }
        guard identifier.hasPrefix(name.bundle.rawValue + ".") else {
            throw ConformanceFault("CFBundleIdentifier does not begin with its app's, \(name.bundle.rawValue)")
        }
        let entries = app["com.apple.developer.associated-domains"] as? [String] ?? []
        let domains = entries.compactMap { try? AssociatedDomain(entry: $0) }
        guard let domain = domains.first(where: { $0.service == .webCredentials }) else {
            throw ConformanceFault("its app states no domain for webcredentials")
        }
        host = domain.host
    }

    private static func check(_ rules: String) throws(ConformanceFault) {
        let reading = PasswordRulesReading(rules)
        if let fault = reading.diagnostics.first {
            throw ConformanceFault("its password rules are not valid: \(fault.message)")
        }
        guard let generator = try? PasswordGenerator(rules: reading.rules) else {
            throw ConformanceFault("no password satisfies its rules")
        }
        guard generator.warning == nil else {
            throw ConformanceFault("its password rules force passwords that are easy to guess")
        }
    }

    /// Generates a password as the system would.
    package func makePassword() -> String {
        let rules = rules.map { PasswordRulesReading($0).rules } ?? .unstated
        return (try? PasswordGenerator(rules: rules))?.password() ?? "conformance-Made-Up-1"
    }
}
