// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import UIKit

class NewAccountViewController: UIViewController {
    var onSave: ((_ host: String, _ user: String, _ password: String) -> Void)?

    private let hostField = NewAccountViewController.makeField("Website", .URL)
    private let userField = NewAccountViewController.makeField("User name", .username)
    private let passwordField = NewAccountViewController.makeField("Password", .newPassword)

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "New Account"
        passwordField.isSecureTextEntry = true
        passwordField.passwordRules = UITextInputPasswordRules(descriptor: "required: digit; minlength: 12")
        for field in [hostField, userField, passwordField] {
            view.addSubview(field)
        }
        view.addSubview(ButtonView("Save") { [weak self] in self?.didPressSave() })
    }

    private func didPressSave() {
        guard let host = hostField.text, !host.isEmpty, let user = userField.text, !user.isEmpty,
            let password = passwordField.text, !password.isEmpty
        else { return }
        onSave?(host, user, password)
    }

    private static func makeField(_ placeholder: String, _ contentType: UITextContentType) -> UITextField {
        let field = UITextField(frame: .zero)
        field.placeholder = placeholder
        field.accessibilityLabel = placeholder
        field.textContentType = contentType
        return field
    }
}
