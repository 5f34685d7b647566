// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import PasswordRules

/// Stands in for UIKit's class of the same name: what an app says about the passwords it takes, in the password rules language.
///
/// On Linux no text field of an app is known to the system, so an app makes the password itself, out of these rules, by
/// `PasswordGenerator`, and has it saved by `ASCredentialDataManager`.
@preconcurrency @MainActor
open class UITextInputPasswordRules: NSObject, NSSecureCoding, NSCopying {
    private nonisolated let descriptor: String

    private nonisolated init(text: String) {
        descriptor = text
        super.init()
    }

    /// Rules as they are written, whatever is wrong in them: `required: upper; required: digit; minlength: 12`.
    public convenience init(descriptor passwordRulesDescriptor: String) {
        self.init(text: passwordRulesDescriptor)
    }

    /// The rules as they were written.
    open var passwordRulesDescriptor: String { descriptor }

    /// Reads what `encode(with:)` wrote; nothing where there are no rules.
    public required nonisolated init?(coder: NSCoder) {
        guard let text = coder.text("passwordRulesDescriptor") else { return nil }
        descriptor = text
        super.init()
    }

    /// Writes the rules.
    open nonisolated func encode(with coder: NSCoder) {
        coder.write(descriptor, "passwordRulesDescriptor")
    }

    /// Always true.
    open nonisolated class var supportsSecureCoding: Bool { true }

    /// Itself: it never changes.
    open nonisolated func copy(with zone: NSZone? = nil) -> Any { self }
}

extension PasswordRules {
    /// What an app's rules mean; what is wrong in them is passed over, as `init(_:)` does.
    @MainActor
    public init(_ rules: UITextInputPasswordRules) {
        self.init(rules.passwordRulesDescriptor)
    }
}
