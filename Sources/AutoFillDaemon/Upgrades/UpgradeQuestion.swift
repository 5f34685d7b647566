// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillMatching

/// The question whether an app may have the password of one of its accounts changed. Drawn by a renderer, never by the app.
enum UpgradeQuestion {
    static let agree = "agree"
    static let refuse = "refuse"

    static func interface(user: String, origin: Origin, program: String) -> InterfaceStatement {
        InterfaceStatement(
            title: "Use a strong password",
            elements: [
                .init(
                    kind: "message", id: "who",
                    text: String(
                        "The password of \(user.prefix(128)) for \(origin.written) is to be changed to a strong one. "
                            .prefix(900)) + "It is saved for you."),
                .init(kind: "message", id: "program", text: String("The app that asks is \(program).".prefix(900))),
                .init(kind: "button", id: agree, label: "Change Password", enabled: true),
                .init(kind: "button", id: refuse, label: "Not Now", enabled: true),
            ])
    }
}
