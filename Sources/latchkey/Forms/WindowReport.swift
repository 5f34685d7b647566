// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import ShownText
import TerminalRendering

/// What AutoFill sees in the window that the user goes to next: for `latchkey explain --window` and `latchkey doctor --window`.
struct WindowReport {
    private let answer: Desktop.Inspect.Answer

    /// Waits for a field that gets the focus in any window.
    static func next() async throws -> WindowReport {
        Output.note("Go to a field of the window that is meant, within a minute.")
        return .init(answer: try await DaemonConnection.open().call(Desktop.Inspect.self))
    }

    init(answer: Desktop.Inspect.Answer) {
        self.answer = answer
    }

    /// All of it, for a script.
    var json: JSONText {
        let fields = answer.fields.map { field in
            JSONText.object([
                ("label", .string(field.label.text)), ("identifier", .string(field.identifier.text)),
                ("role", field.role.map(JSONText.string) ?? .null),
                ("reasons", .array(field.reasons.map(JSONText.string))),
                ("secure", .bool(field.secure)), ("focused", .bool(field.focused)),
                ("takesText", .bool(field.takesText)),
            ])
        }
        let offers = (answer.offers ?? []).map { offer in
            JSONText.object([
                ("user", .string(offer.user.text)), ("service", .string(offer.service.text)),
                ("ground", .string(offer.ground)),
            ])
        }
        return .object([
            ("program", answer.program.map { .string($0.text) } ?? .null), ("title", .string(answer.title.text)),
            ("fields", .array(fields)), ("refusal", answer.refusal.map { .string($0.text) } ?? .null),
            ("state", answer.state.map(JSONText.string) ?? .null), ("offers", .array(offers)),
            ("advice", .array(advice.map(JSONText.string))),
        ])
    }

    private var head: [String] {
        ["Program  \(answer.program?.text ?? "unknown")", "Window   “\(answer.title.text)”", "", "Fields"]
            + answer.fields.map { field in
                let mark = field.focused ? "→" : " "
                let reasons = field.reasons.isEmpty ? "" : " (\(field.reasons.joined(separator: "; ")))"
                return "\(mark) \(Self.name(of: field)): \(field.role ?? "nothing that is filled")\(reasons)"
            }
    }

    private static func name(of field: Desktop.InspectedField) -> String {
        field.label.text.isEmpty ? "a field without a label" : "“\(field.label.text)”"
    }

    // MARK: For a user

    /// Why something is offered at the field, or nothing is.
    var explanation: [String] {
        var lines = head + [""]
        if let refusal = answer.refusal {
            return lines + ["Nothing is offered here: \(refusal.text)."]
        }
        switch answer.state {
        case "locked": lines.append("Latchkey is locked, so only the way to unlock it is offered.")
        case "uninitialized": lines.append("Latchkey has no keys here; `latchkey status` says what to do.")
        default:
            lines.append("A panel is offered here, with “All Passwords…”.")
            for offer in answer.offers ?? [] {
                let ground =
                    offer.ground == "association" ? "the site names this app" : "you have bound it to this program"
                lines.append("  \(offer.user.text) — \(offer.service.text): \(ground)")
            }
            if answer.offers?.isEmpty == true {
                lines.append("  Nothing that is saved belongs to this program yet. Choose in “All Passwords…” once.")
            }
        }
        return lines
    }

    // MARK: For an author

    /// A sentence for each field that its program could describe better, with what to write.
    var advice: [String] {
        answer.fields.flatMap { field -> [String] in
            var sentences: [String] = []
            let name = Self.name(of: field)
            if field.label.text.isEmpty {
                sentences.append(
                    "\(name): give it one, by gtk_label_set_mnemonic_widget or QLabel::setBuddy, or an accessible name."
                )
            }
            if field.role != nil, !Self.tags.contains(field.identifier.text) {
                sentences.append(
                    "\(name): say what it is for by its accessible identifier: \(Self.tag(for: field.role)) is what it is taken for."
                )
            }
            if field.role?.hasSuffix("password") == true, !field.secure {
                sentences.append("\(name): it does not hide what is typed; let the toolkit do that.")
            }
            if field.role != nil, !field.takesText {
                sentences.append(
                    "\(name): it takes no text through the accessibility bus (EditableText), so it is not filled.")
            }
            return sentences
        }
    }

    private static let tags: Set<String> = ["username", "emailAddress", "password", "newPassword", "oneTimeCode"]

    private static func tag(for role: String?) -> String {
        switch role {
        case "current-password": "password"
        case "new-password": "newPassword"
        case "one-time-code": "oneTimeCode"
        default: "username"
        }
    }

    /// What an author sees.
    var examination: [String] {
        let advice = advice
        return head + [""]
            + (answer.refusal.map { ["Nothing is offered here: \($0.text)."] } ?? [])
            + (advice.isEmpty ? ["There is nothing to fix."] : advice)
    }
}
