// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// A field that the user types into.
///
/// What was typed arrives with the press of a button or the choice of a row, not before. It is kept in locked memory
/// (`secret`) and becomes a `String` only where the provider asks for `text`.
@preconcurrency @MainActor
open class TextField: UIView, UITextInputTraits {
    /// What is to be typed, so that the renderer can help with it.
    @nonexhaustive(warn)
    public enum Contents: String, Sendable {
        /// A user name.
        case username
        /// An e-mail address.
        case email
        /// A number.
        case number
    }

    /// Stands beside the field.
    open var label = "" {
        didSet { interfaceDidChange() }
    }

    /// Stands in the field while it is empty.
    open var placeholder = "" {
        didSet { interfaceDidChange() }
    }

    /// Whether what is typed is not to be seen.
    open var isSecure = false {
        didSet { interfaceDidChange() }
    }

    /// What is to be typed.
    open var contents: Contents? {
        didSet { interfaceDidChange() }
    }

    /// The keyboard that fits. Kept, and without meaning here.
    open var keyboardType = UIKeyboardType.default

    /// What a new password has to be like. Kept, and without meaning here: it is a provider's own field.
    open var passwordRules: UITextInputPasswordRules?

    /// The same as `isSecure`, by UIKit's name.
    open var isSecureTextEntry: Bool {
        get { isSecure }
        set { isSecure = newValue }
    }

    /// What is to be typed, by UIKit's names; sets `contents` where the renderer can help.
    open var textContentType: UITextContentType! {
        didSet {
            switch textContentType {
            case .username: contents = .username
            case .emailAddress: contents = .email
            default: contents = nil
            }
        }
    }

    /// What stands in the field, as far as it is known: what was typed when a button was pressed last.
    public private(set) var secret = SecretText("")

    private var initialText = ""

    /// What stands in the field, in a `String`, which cannot be wiped.
    ///
    /// Setting it puts the text in the place of what the user has typed. A secure field is emptied instead: no secret of
    /// the provider's is sent to be shown.
    open var text: String {
        get { secret.unsafeString() }
        set {
            initialText = isSecure ? "" : newValue
            secret = SecretText(initialText)
            renameElement()
            interfaceDidChange()
        }
    }

    /// A field with a label.
    public convenience init(label: String, placeholder: String = "", isSecure: Bool = false) {
        self.init(frame: .zero)
        self.label = label
        self.placeholder = placeholder
        self.isSecure = isSecure
    }

    /// Takes what the user has typed. The renderer shows it already.
    func take(_ typed: SecretText) {
        secret = typed
    }

    override func element(in room: InterfaceRoom) -> InterfaceElement? {
        InterfaceElement(
            kind: isSecure ? "secure" : "text",
            id: elementName,
            label: label.inInterface,
            placeholder: placeholder.inInterface,
            value: isSecure ? nil : initialText.inInterface,
            contents: isSecure ? nil : contents?.rawValue
        )
    }
}
