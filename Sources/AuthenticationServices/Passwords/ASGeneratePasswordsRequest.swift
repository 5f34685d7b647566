// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A request for passwords that a site or app would take.
///
/// Sendable unchecked: nothing in it changes.
open class ASGeneratePasswordsRequest: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// What the password is to be for.
    open private(set) var serviceIdentifier: ASCredentialServiceIdentifier
    /// The rules that the password's field states.
    open private(set) var passwordFieldPasswordRules: String?
    /// The rules that the field for repeating the password states; only a page has such a field.
    open private(set) var confirmPasswordFieldPasswordRules: String?
    /// The rules that are known of the service though it does not state them.
    open private(set) var passwordRulesFromQuirks: String?

    /// A request with the rules that there are, in the password rules language.
    public init(
        serviceIdentifier: ASCredentialServiceIdentifier,
        passwordFieldPasswordRules: String?,
        confirmPasswordFieldPasswordRules: String?,
        passwordRulesFromQuirks: String?
    ) {
        self.serviceIdentifier = serviceIdentifier
        self.passwordFieldPasswordRules = passwordFieldPasswordRules
        self.confirmPasswordFieldPasswordRules = confirmPasswordFieldPasswordRules
        self.passwordRulesFromQuirks = passwordRulesFromQuirks
        super.init()
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let service = coder.member(ASCredentialServiceIdentifier.self, "serviceIdentifier") else { return nil }
        serviceIdentifier = service
        passwordFieldPasswordRules = coder.text("passwordFieldPasswordRules")
        confirmPasswordFieldPasswordRules = coder.text("confirmPasswordFieldPasswordRules")
        passwordRulesFromQuirks = coder.text("passwordRulesFromQuirks")
        super.init()
    }

    /// Writes every member.
    open func encode(with coder: NSCoder) {
        coder.encode(serviceIdentifier, forKey: "serviceIdentifier")
        coder.write(passwordFieldPasswordRules, "passwordFieldPasswordRules")
        coder.write(confirmPasswordFieldPasswordRules, "confirmPasswordFieldPasswordRules")
        coder.write(passwordRulesFromQuirks, "passwordRulesFromQuirks")
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
