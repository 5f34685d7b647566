// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets

/// An interface on display and the text typed into it. Independent of terminals.
package struct InterfaceForm {
    /// The interface on display, or `nil` until the provider has shown one.
    package private(set) var interface: InterfaceStatement?
    private var typed: [Key: TypedText] = [:]
    private var searched: [String: TypedText] = [:]

    package init() {}

    private struct Key: Hashable {
        var id: String
        var kind: String
    }

    /// Shows another interface. Typed text is kept for elements with the same name and kind.
    package mutating func show(_ next: InterfaceStatement?) {
        interface = next
        var kept: [Key: TypedText] = [:]
        for element in fieldElements {
            let key = Key(id: element.id, kind: element.kind)
            kept[key] = typed[key] ?? TypedText(element.kind == "text" ? element.value ?? "" : "")
        }
        typed = kept
        let lists = Set(elements.filter { $0.kind == "list" }.map(\.id))
        searched = searched.filter { lists.contains($0.key) }
    }

    package var elements: [InterfaceElement] { interface?.elements ?? [] }

    private var fieldElements: [InterfaceElement] {
        elements.filter { $0.kind == "text" || $0.kind == "secure" }
    }

    package func element(_ id: String) -> InterfaceElement? {
        elements.first { $0.id == id }
    }

    /// All elements that can be acted on, from top to bottom.
    package var targets: [InterfaceTarget] { elements.flatMap(Self.targets) }

    package static func targets(of element: InterfaceElement) -> [InterfaceTarget] {
        switch element.kind {
        case "text", "secure": return [.field(element.id)]
        case "button": return element.enabled == false ? [] : [.button(element.id)]
        case "toggle": return [.toggle(element.id)]
        case "list":
            let rows = (element.sections ?? []).flatMap(\.rows)
            return (element.search == true ? [.search(element.id)] : [])
                + rows.map { .row(list: element.id, row: $0.id) } + (element.more == true ? [.more(element.id)] : [])
        default: return []
        }
    }

    /// The button pressed by Return.
    package var defaultButton: InterfaceTarget? {
        elements.first { $0.kind == "button" && $0.style == "default" && $0.enabled != false }.map { .button($0.id) }
    }

    package func text(of target: InterfaceTarget) -> TypedText {
        switch target {
        case .field(let id): element(id).flatMap { typed[Key(id: id, kind: $0.kind)] } ?? TypedText()
        case .search(let id): searched[id] ?? TypedText()
        case .toggle, .button, .row, .more: TypedText()
        }
    }

    package mutating func setText(_ text: TypedText, of target: InterfaceTarget) {
        switch target {
        case .field(let id):
            guard let element = element(id) else { return }
            typed[Key(id: id, kind: element.kind)] = text
        case .search(let id): searched[id] = text
        case .toggle, .button, .row, .more: return
        }
    }

    /// The act to send when a target is activated, or `nil` for a field, which only takes text.
    package func act(on target: InterfaceTarget) -> InterfaceAct? {
        switch target {
        case .field: return nil
        case .button(let id): return InterfaceAct(element: id, action: "press", fields: fields)
        case .row(let list, let row): return InterfaceAct(element: list, action: "select", row: row, fields: fields)
        case .more(let id): return InterfaceAct(element: id, action: "more")
        case .search(let id):
            return InterfaceAct(element: id, action: "search", text: WireSecret(text(of: target).bytes))
        case .toggle(let id):
            let isOn = element(id)?.on == true
            return InterfaceAct(element: id, action: "change", text: WireSecret(SecretBytes(utf8: isOn ? "off" : "on")))
        }
    }

    private var fields: [FieldContents] {
        fieldElements.map { FieldContents(id: $0.id, text: WireSecret(text(of: .field($0.id)).bytes)) }
    }
}
