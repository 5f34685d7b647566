// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Stands in for UIKit's protocol of the same name: what a text field says about what is typed into it.
///
/// What Objective-C calls optional has a default here: a conformer that leaves a member out has the member's default, and
/// what is set there is dropped.
@preconcurrency @MainActor
public protocol UITextInputTraits: NSObjectProtocol {
    /// The keyboard that fits. Kept, and without meaning here: nothing is drawn on a screen for typing.
    var keyboardType: UIKeyboardType { get set }
    /// Whether what is typed is not to be seen.
    var isSecureTextEntry: Bool { get set }
    /// What is to be typed.
    var textContentType: UITextContentType! { get set }
    /// What a new password has to be like. Kept, and without meaning in a provider's own interface.
    var passwordRules: UITextInputPasswordRules? { get set }
    /// What is written in capitals by itself. Kept, and without meaning here.
    var autocapitalizationType: UITextAutocapitalizationType { get set }
    /// Whether what is typed is corrected. Kept, and without meaning here.
    var autocorrectionType: UITextAutocorrectionType { get set }
    /// Whether spelling is checked. Kept, and without meaning here.
    var spellCheckingType: UITextSpellCheckingType { get set }
    /// What stands on the return key. Kept, and without meaning here.
    var returnKeyType: UIReturnKeyType { get set }
}

extension UITextInputTraits {
    /// The default keyboard.
    public var keyboardType: UIKeyboardType {
        get { .default }
        set {}
    }

    /// False.
    public var isSecureTextEntry: Bool {
        get { false }
        set {}
    }

    /// `nil`.
    public var textContentType: UITextContentType! {
        get { nil }
        set {}
    }

    /// `nil`.
    public var passwordRules: UITextInputPasswordRules? {
        get { nil }
        set {}
    }

    /// Sentences.
    public var autocapitalizationType: UITextAutocapitalizationType {
        get { .sentences }
        set {}
    }

    /// As the user has it.
    public var autocorrectionType: UITextAutocorrectionType {
        get { .default }
        set {}
    }

    /// As the user has it.
    public var spellCheckingType: UITextSpellCheckingType {
        get { .default }
        set {}
    }

    /// The usual one.
    public var returnKeyType: UIReturnKeyType {
        get { .default }
        set {}
    }
}

/// Stands in for UIKit's type of the same name: a keyboard for a kind of text; the raw values are Apple's.
@nonexhaustive(warn)
public enum UIKeyboardType: Int, Sendable {
    /// The usual one.
    case `default` = 0
    /// For ASCII.
    case asciiCapable = 1
    /// For numbers and punctuation.
    case numbersAndPunctuation = 2
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// For a URL.
    case URL = 3
    /// For digits.
    case numberPad = 4
    /// For a telephone number.
    case phonePad = 5
    /// For a name or a telephone number.
    case namePhonePad = 6
    /// For an e-mail address.
    case emailAddress = 7
    /// For numbers with a decimal point.
    case decimalPad = 8
    /// For short messages.
    case twitter = 9
    /// For a search.
    case webSearch = 10
    /// For ASCII digits.
    case asciiCapableNumberPad = 11

    /// Another name of `asciiCapable`.
    public static var alphabet: UIKeyboardType { .asciiCapable }
}
