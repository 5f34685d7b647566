// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices

/// What views look like on the wire, and what comes back to them.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct InterfaceElementsTests {
    private func elements(_ views: UIView...) -> [InterfaceElement] {
        let root = UIView()
        for view in views { root.addSubview(view) }
        return InterfaceBuilder(root).elements
    }

    @Test
    func everyViewHasAnElement() {
        let field = TextField(label: "E-mail", placeholder: "you@example.com")
        field.contents = .email
        field.text = "me"
        let button = ButtonView("Sign In", style: .default)
        let disabled = ButtonView("Erase", style: .destructive)
        disabled.isEnabled = false
        let found = elements(
            MessageView("Sign In", style: .heading), MessageView("Please do."), MessageView("No.", style: .error),
            field, TextField(label: "Password", isSecure: true), button, ButtonView("Help"), disabled,
            ToggleView("Remember", isOn: true), ProgressView("Syncing", fraction: 2), ProgressView("Waiting")
        )
        var expected: [InterfaceElement] = [
            .init(kind: "heading", id: "", text: "Sign In"), .init(kind: "message", id: "", text: "Please do."),
            .init(kind: "message", id: "", text: "No.", style: "error"),
            .init(
                kind: "text",
                id: "",
                label: "E-mail",
                placeholder: "you@example.com",
                value: "me",
                contents: "email"
            ),
            .init(kind: "secure", id: "", label: "Password", placeholder: ""),
            .init(kind: "button", id: "", label: "Sign In", style: "default", enabled: true),
            .init(kind: "button", id: "", label: "Help", enabled: true),
            .init(kind: "button", id: "", label: "Erase", style: "destructive", enabled: false),
            .init(kind: "toggle", id: "", label: "Remember", on: true),
            .init(kind: "progress", id: "", label: "Syncing", fraction: 1),
            .init(kind: "progress", id: "", label: "Waiting"),
        ]
        for index in expected.indices { expected[index].id = found[index].id }
        #expect(found == expected)
        #expect(Set(found.map(\.id)).count == found.count)
    }

    @Test
    func leavesOutWhatIsHiddenEmptyOrNotReady() {
        let hidden = UIView()
        hidden.isHidden = true
        hidden.addSubview(MessageView("inside"))
        #expect(elements(hidden, MessageView(""), UIView(), ListView()).isEmpty)
    }

    @Test
    func goesThroughTheTreeInOrder() {
        let (outer, inner) = (UIView(), UIView())
        inner.addSubview(MessageView("2"))
        outer.addSubview(inner)
        outer.addSubview(MessageView("3"))
        #expect(elements(MessageView("1"), outer, MessageView("4")).map(\.text) == ["1", "2", "3", "4"])
    }

    @Test(arguments: [
        ("x", 1024), ("é", 512), ("日", 341), ("👩‍👩‍👧‍👦", 40), ("e\u{301}", 341), ("\u{1}", 1024),
    ])
    func cutsTextsAtACharacter(character: Character, count: Int) throws {
        let text = String(repeating: character, count: 2000)
        let element = try #require(elements(MessageView(text)).first)
        #expect(element.text == String(repeating: character, count: count))
        let interface = InterfaceStatement(title: text.inInterface, elements: [element])
        try interface.check()
    }

    @Test
    func aCharacterThatIsTooLongIsLeftOut() {
        #expect(("a" + "e" + String(repeating: "\u{301}", count: 1000)).inInterface == "a")
    }

    @Test
    func keepsWithinTheBounds() throws {
        let root = UIView()
        for _ in 0..<100 { root.addSubview(TextField(label: String(repeating: "\u{1}", count: 5000))) }
        let list = ListView()
        list.sections = [.init(title: "", rows: (0..<600).map { .init(identifier: "\($0)", title: "\($0)") })]
        root.addSubview(list)
        let found = InterfaceBuilder(root).elements
        #expect(found.count == 64)
        try InterfaceStatement(title: "", elements: found).check()
        let params = Provider.Show.Params(request: 1, interface: .init(title: "", elements: found))
        let message = Message.request(id: .integer(1), method: "", params: try JSONValue(encoding: params))
        #expect(message.encoded().count <= Frame.maximumSize)
    }

    @Test
    func neverSaysMoreThan500Rows() throws {
        let root = UIView()
        for index in 0..<7 {
            let list = ListView()
            list.sections = [
                .init(title: "", rows: (0..<200).map { .init(identifier: "\(index) \($0)", title: "\($0)") })
            ]
            root.addSubview(list)
        }
        let found = InterfaceBuilder(root).elements
        #expect(found.map { $0.sections?.flatMap(\.rows).count } == [100, 100, 100, 100, 100, 0, 0])
        #expect(found.allSatisfy { $0.more == true })
        try InterfaceStatement(title: "", elements: found).check()
    }

    @Test
    func aSecretIsNeverSentToBeShown() throws {
        let field = TextField(label: "Password", isSecure: true)
        field.text = "hunter2"
        #expect(field.text == "")
        #expect(elements(field).first?.value == nil)
        field.take(SecretText("hunter2"))
        #expect(field.text == "hunter2")
        #expect(!"\(field.secret)".contains("hunter2"))
        #expect(elements(field).first?.value == nil)
    }

    @Test
    func settingATextTakesThePlaceOfWhatWasTyped() throws {
        let field = TextField(label: "User")
        let before = try #require(elements(field).first)
        field.label = "User name"
        #expect(elements(field).first?.id == before.id)
        field.text = "new"
        let after = try #require(elements(field).first)
        #expect(after.id != before.id)
        #expect(after.value == "new")
        #expect(field.text == "new")
    }

    @Test(
        arguments: [
            ("press", nil, nil), ("select", nil, nil), ("change", "On", nil), ("change", "", nil), ("change", nil, nil),
            ("search", "x", nil), ("more", nil, nil), ("", nil, nil), ("nonsense", nil, nil),
        ] as [(String, String?, String?)])
    func togglesRefuse(action: String, text: String?, row: String?) {
        let toggle = ToggleView("t") { _ in Issue.record("it was changed") }
        let text = text.map { WireSecret(SecretBytes(utf8: $0)) }
        #expect(throws: WireError.self) {
            try toggle.response(to: InterfaceAct(element: "", action: action, row: row, text: text))()
        }
        #expect(!toggle.isOn)
    }

    @Test(arguments: ["", "select", "change", "search", "more", "Press"])
    func othersRefuseWhatTheyDoNotHave(action: String) {
        let act = InterfaceAct(element: "", action: action, row: "1", text: WireSecret(SecretBytes(utf8: "on")))
        let views = [MessageView("m"), TextField(label: "f"), ButtonView("b"), ProgressView("p"), UIView()]
        for view in views { #expect(throws: WireError.self) { try view.response(to: act)() } }
    }

    @Test
    func aButtonThatIsNotEnabledCannotBePressed() {
        let button = ButtonView("b") { Issue.record("it was pressed") }
        button.isEnabled = false
        #expect(throws: WireError.self) { try button.response(to: .init(element: "", action: "press"))() }
    }
}
