// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

/// One field, for the code of the person's authenticator.
@MainActor
final class CodeScreen {
    var onContinue: (String) -> Void = { _ in }

    private let message: MessageView
    private let code = TextField(label: "Code")

    init(user: String) {
        message = MessageView("Shiny wants the code of your authenticator for \(user).")
        code.contents = .number
    }

    func add(to view: UIView) {
        view.addSubview(message)
        view.addSubview(code)
        view.addSubview(
            ButtonView("Continue", style: .default) { [weak self] in
                guard let self else { return }
                onContinue(code.text)
            })
    }

    func say(_ text: String) {
        message.text = text
    }
}
