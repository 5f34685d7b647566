// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Stands in for UIKit's class of the same name: a `TextField` under the names that UIKit has.
///
/// As there, what was typed arrives with the press of a button or the choice of a row, not before.
@preconcurrency @MainActor
open class UITextField: UIView, UITextInputTraits {
    private let field = TextField(frame: .zero)

    /// The keyboard that fits. Kept, and without meaning here.
    open var keyboardType = UIKeyboardType.default
    /// What a new password has to be like. Kept, and without meaning here: it is a provider's own field.
    open var passwordRules: UITextInputPasswordRules?

    /// What is written in capitals by itself. Kept, and without meaning here.
    open var autocapitalizationType = UITextAutocapitalizationType.sentences
    /// Whether what is typed is corrected. Kept, and without meaning here.
    open var autocorrectionType = UITextAutocorrectionType.default
    /// Whether spelling is checked. Kept, and without meaning here.
    open var spellCheckingType = UITextSpellCheckingType.default
    /// What stands on the return key. Kept, and without meaning here: the default button is what Return presses.
    open var returnKeyType = UIReturnKeyType.default

    /// A field of a size, which the renderer decides.
    public override init(frame: CGRect) {
        super.init(frame: frame)
        addSubview(field)
    }

    /// Interface Builder's way in. There are no archives of views here, so the result is an empty field.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        addSubview(field)
    }

    /// What stands in the field, as far as it is known, in a `String`, which cannot be wiped; never `nil`.
    ///
    /// Setting it puts the text in the place of what the user has typed, and empties a secure field.
    open var text: String? {
        get { field.text }
        set { field.text = newValue ?? "" }
    }

    /// Stands in the field while it is empty.
    open var placeholder: String? {
        didSet { field.placeholder = placeholder ?? "" }
    }

    /// Stands beside the field, and is read to people who do not see it.
    open var accessibilityLabel: String? {
        didSet { field.label = accessibilityLabel ?? "" }
    }

    /// Whether what is typed is not to be seen.
    open var isSecureTextEntry: Bool {
        get { field.isSecureTextEntry }
        set { field.isSecureTextEntry = newValue }
    }

    /// What is to be typed.
    open var textContentType: UITextContentType! {
        get { field.textContentType }
        set { field.textContentType = newValue }
    }
}
