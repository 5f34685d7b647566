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
                    text: clipped("The program \(program) wants you to sign in on \(page.host).")),
                .init(
                    kind: "message", id: "what",
                    text:
                        "A window of your browser opens. What you type there goes to that site. The program receives the address that the site "
                        + "redirects to, which usually lets it act for you there."),
                .init(kind: "button", id: agree, label: "Continue", enabled: true),
            ])
    }

    /// Cuts a text that is too long, and keeps its end: the end of a path identifies the program.
    private static func clipped(_ text: String) -> String {
        guard text.utf8.count > InterfaceStatement.textLimit else { return text }
        return "…" + String(decoding: text.utf8.suffix(InterfaceStatement.textLimit - 8), as: UTF8.self)
    }
}
