// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Testing

/// The window of saved passwords of a running provider, as whoever draws it sees it and acts in it.
@MainActor
final class PasswordsWindow {
    private static let request = 7

    let provider: ProviderProcess
    /// The end of the request.
    let end: Task<Empty, any Error>
    /// What is shown now.
    private(set) var shown = InterfaceStatement(title: "", elements: [])
    /// Everything that was shown.
    private(set) var seen: [InterfaceStatement] = []

    /// Opens the window, and waits until its list is there.
    init(_ provider: ProviderProcess) async throws {
        self.provider = provider
        end = Task { try await provider.call(Provider.Configure.self, .init(request: Self.request)) }
        try await wait { $0.list != nil }
    }

    /// Waits until what is shown is as it is to be.
    func wait(until condition: @MainActor (PasswordsWindow) -> Bool) async throws {
        while !condition(self) {
            shown = try #require(await provider.interface())
            try shown.check()
            seen.append(shown)
        }
    }

    /// Waits until there is a button.
    func wait(for button: String) async throws {
        try await wait { $0.element("button", button) != nil }
    }

    /// Waits until something is said that went wrong, and says what.
    func problem() async throws -> String {
        try await wait { $0.problemShown != nil }
        return problemShown ?? ""
    }

    var list: InterfaceElement? { shown.elements.first { $0.kind == "list" } }

    var rows: [ListRow] { (list?.sections ?? []).flatMap(\.rows) }

    var texts: [String] { shown.elements.compactMap(\.text) }

    var problemShown: String? { shown.elements.first { $0.style == "error" }?.text }

    func element(_ kind: String, _ label: String) -> InterfaceElement? {
        shown.elements.first { $0.kind == kind && $0.label == label }
    }

    /// Presses a button with what stands in the fields: what they came with, or what is typed into those of some labels.
    func press(_ button: String, typing typed: [(label: String, text: String)] = []) async throws {
        var rest = typed
        var fields: [FieldContents] = []
        for field in shown.elements where field.kind == "text" || field.kind == "secure" {
            let place = rest.firstIndex { $0.label == field.label }
            let text = place.map { rest.remove(at: $0).text } ?? field.value ?? ""
            fields.append(FieldContents(id: field.id, text: WireSecret(SecretBytes(utf8: text))))
        }
        try #require(rest.isEmpty, "there is no field \(rest.first?.label ?? "")")
        let pressed = try #require(element("button", button), "there is no button \(button)")
        try await act(InterfaceAct(element: pressed.id, action: "press", fields: fields))
    }

    func act(_ act: InterfaceAct) async throws {
        _ = try await provider.call(Provider.Act.self, .init(request: Self.request, act: act))
    }

    /// Opens the page of an account in the list.
    func open(_ title: String) async throws {
        let row = try #require(rows.first { $0.title == title }, "there is no row \(title)")
        try await act(InterfaceAct(element: list?.id ?? "", action: "select", row: row.id))
        try await wait { $0.list == nil && $0.element("button", "Back") != nil }
    }

    /// From the list to a form.
    func edit(_ title: String) async throws {
        try await open(title)
        try await wait(for: "Edit")
        try await press("Edit")
        try await wait(for: "Save")
    }

    func search(for text: String) async throws {
        try await act(
            InterfaceAct(
                element: list?.id ?? "", action: "search", text: WireSecret(SecretBytes(utf8: text))))
    }
}
