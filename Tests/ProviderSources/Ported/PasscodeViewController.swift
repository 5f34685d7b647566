// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import UIKit

class PasscodeViewController: UIViewController {
    var onPasscode: ((String) -> Void)?

    private let passcodeField: UITextField = {
        let field = UITextField()
        field.placeholder = "Passcode"
        field.isSecureTextEntry = true
        field.keyboardType = .numberPad
        field.textContentType = .password
        return field
    }()

    override var childForStatusBarStyle: UIViewController? {
        return nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Unlock"
        view.addSubview(passcodeField)
        view.addSubview(ButtonView("Unlock") { [weak self] in self?.didPressUnlock() })
    }

    private func didPressUnlock() {
        onPasscode?(passcodeField.text ?? "")
    }
}
