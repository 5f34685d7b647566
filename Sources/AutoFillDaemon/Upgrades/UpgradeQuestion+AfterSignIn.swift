// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillMatching

/// The question after a sign-in with a password that should be changed, when no app has asked for the change.
extension UpgradeQuestion {
    static let done = "done"

    static func afterSignIn(user: String, origin: Origin, program: String, reason: String) -> InterfaceStatement {
        var question = interface(user: user, origin: origin, program: program)
        question.elements = question.elements.flatMap { element -> [InterfaceElement] in
            guard element.id == "program" else { return [element] }
            return [
                .init(kind: "message", id: "reason", text: String(reason.prefix(250))),
                .init(
                    kind: "message", id: element.id,
                    text: "You have just signed in with it in \(program.suffix(200)), whose own extension changes it."),
            ]
        }
        return question
    }

    /// The interface shown while the extension works.
    static let working = InterfaceStatement(
        title: "Use a strong password",
        elements: [InterfaceElement(kind: "progress", id: "wait", label: "Changing the password")])

    /// The interface that shows the outcome; `nil` is a success.
    static func ended(_ error: WireError?) -> InterfaceStatement {
        let texts =
            error.map { [$0.message, $0.hint].compactMap(\.self) } ?? ["The password was changed, and saved for you."]
        return InterfaceStatement(
            title: "Use a strong password",
            elements: texts.enumerated().map { index, text in
                .init(kind: "message", id: "end-\(index)", text: String(text.prefix(250)))
            } + [.init(kind: "button", id: done, label: "Done", style: "default", enabled: true)])
    }
}
