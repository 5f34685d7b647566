// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillMatching

/// The question whether to change how one of an app's accounts signs in. A renderer draws it, never the app.
enum UpgradeQuestion {
    static let agree = "agree"
    static let refuse = "refuse"

    static func interface(
        _ kind: UpgradeKind = .strongPassword, user: String, origin: Origin, program: String
    ) -> InterfaceStatement {
        let (title, what, then, label) =
            switch kind {
            case .strongPassword:
                (
                    "Use a strong password",
                    "The password of \(user.prefix(128)) for \(origin.written) is to be changed to a strong one. ",
                    "It is saved for you.", "Change Password"
                )
            case .signInWithApple:
                (
                    "Use Sign in with Apple",
                    "The account \(user.prefix(128)) of \(origin.written) is to sign in with Apple instead of a password. ",
                    "A window of your browser opens for that. A password that is saved for the account is removed.",
                    "Use Sign in with Apple"
                )
            }
        return InterfaceStatement(
            title: title,
            elements: [
                .init(kind: "message", id: "who", text: String(what.prefix(800)) + then),
                .init(kind: "message", id: "program", text: String("The app that asks is \(program).".prefix(900))),
                .init(kind: "button", id: agree, label: label, enabled: true),
                .init(kind: "button", id: refuse, label: "Not Now", enabled: true),
            ])
    }
}
