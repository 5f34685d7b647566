// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillMatching

/// The question whether a program may have the user sign in somewhere.
enum WebSignInQuestion {
    static let agree = "continue"

    static func interface(page: Origin, program: String) -> InterfaceStatement {
        InterfaceStatement(
            title: "Sign in on the web",
            elements: [
                .init(
                    kind: "message", id: "who",
                    text: InterfaceStatement.clipped("The program \(program) wants you to sign in on \(page.host).")),
                .init(
                    kind: "message", id: "what",
                    text:
                        "A window of your browser opens. What you type there goes to that site. The program receives the address that the site "
                        + "redirects to, which usually lets it act for you there."),
                .init(kind: "button", id: agree, label: "Continue", enabled: true),
            ])
    }
}
