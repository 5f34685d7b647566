// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import UIKit

class NewLoginViewController: UIViewController {
    var completion: ((LoginItem) -> Void)?

    private let fields: [UITextField] = [
        ("Website", UITextContentType.URL, UIKeyboardType.URL), ("User name", .username, .emailAddress),
        ("Password", .newPassword, .default),
    ].map { placeholder, contentType, keyboardType in
        let field = UITextField()
        field.placeholder = placeholder
        field.textContentType = contentType
        field.keyboardType = keyboardType
        field.isSecureTextEntry = contentType == .newPassword
        field.spellCheckingType = .no
        return field
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "New login"
        fields.last?.passwordRules = UITextInputPasswordRules(
            descriptor: "required: upper; required: digit; max-consecutive: 2; minlength: 12;")
        fields.forEach(view.addSubview)
        view.addSubview(ButtonView("Save", style: .default) { [unowned self] in save() })
        fields.first?.becomeFirstResponder()
    }

    private func save() {
        let texts = fields.map { $0.text ?? "" }
        guard !texts.contains(where: { $0.isEmpty }) else {
            fields.first(where: { $0.text?.isEmpty ?? true })?.becomeFirstResponder()
            return
        }
        view.endEditing(true)
        completion?(LoginItem(host: texts[0], username: texts[1], password: texts[2]))
    }
}
