// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLibXML2

/// A document as a person goes through it: its elements in order, and between them lines of text and fields.
///
/// Made in one walk, without recursion, since pages nest as deep as they like.
struct Outline {
    /// An element, and what lies inside it.
    struct Place {
        let element: Element
        /// The place of the parent; `nil` for the root.
        let parent: Int?
        /// The innermost element that hides this one, itself included.
        let hiddenBy: Int?
        /// Whether it stands in a template or in what is shown without scripts only: no part of the page.
        let isInert: Bool
        /// The innermost form around it, itself included.
        let form: Int?
        /// The fields in it, as a range of `fields`.
        var fields: Range<Int>
        /// What happens in it, as a range of `events`.
        var events: Range<Int>
    }

    /// Something that a reader comes across.
    struct Event {
        enum Kind {
            case text, heading, link, button, field
        }

        var kind: Kind
        let text: String
        let place: Int
        /// How many controls come before it.
        let control: Int
    }

    private(set) var places: [Place] = []
    private(set) var events: [Event] = []
    /// Places of `input`, `select` and `textarea`, hidden ones too.
    private(set) var controls: [Int] = []
    /// Those of the controls that a person types into or chooses from.
    private(set) var fields: [Int] = []
    private(set) var forms: [Int] = []
    private(set) var labels: [Int] = []
    private(set) var identifiers: [String: Int] = [:]
    /// The texts of places with an identifier that begin or end within a line.
    private(set) var inlineTexts: [Int: String] = [:]
    private(set) var title = ""
    private(set) var language = ""
    /// The path of the address that the page gives as its own.
    private(set) var path = ""

    private var line = TextLine()
    private var open: [Int] = []
    private var isInTitle = false
    /// Where in the line the open places with an identifier began.
    private var marks: [Int: Int] = [:]

    init(_ document: borrowing HTMLDocument) {
        var next = document.pointer.pointee.children
        while let node = next {
            enter(node)
            if let child = node.pointee.children, node.pointee.type == XML_ELEMENT_NODE {
                next = child
                continue
            }
            leave(node)
            var current = node
            while current.pointee.next == nil, let parent = current.pointee.parent,
                parent.pointee.type == XML_ELEMENT_NODE
            {
                leave(parent)
                current = parent
            }
            next = current.pointee.next
        }
        flush()
    }

    private mutating func enter(_ node: xmlNodePtr) {
        switch node.pointee.type {
        case XML_ELEMENT_NODE:
            if let element = Element(node) { begin(element) }
        case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
            guard let content = node.pointee.content else { return }
            if isInTitle, title.isEmpty {
                title = TextLine.cleaned(String(cString: content))
            } else if !line.isSilent {
                line.append(content)
            }
        default:
            break
        }
    }

    private mutating func begin(_ element: Element) {
        let name = element.name
        let role = element.hasAttributes ? element["role"]?.lowercased() ?? "" : ""
        if !ElementNames.inline.contains(name) || !role.isEmpty { flush() }
        let parent = open.last
        let above = parent.map { places[$0] }
        let position = places.count
        let hides = element.hasAttributes && Concealment.hides(element) || Concealment.hidesByName(element)
        let isShadow = name == "template" && element["shadowrootmode"] != nil
        places.append(
            Place(
                element: element, parent: parent, hiddenBy: hides ? position : above?.hiddenBy,
                isInert: above?.isInert ?? false || (name == "template" && !isShadow) || name == "noscript",
                form: name == "form" ? position : above?.form,
                fields: fields.count..<fields.count, events: events.count..<events.count))
        open.append(position)
        line.enter(name: isShadow ? "div" : name, role: role)
        if let identifier = element["id"], identifiers[identifier] == nil {
            identifiers[identifier] = position
            marks[position] = line.length
        }
        switch name {
        case "html": language = element["lang"] ?? element["xml:lang"] ?? ""
        case "title": isInTitle = true
        case "link" where element["rel"]?.lowercased() == "canonical": path = PagePath.path(of: element["href"] ?? "")
        case "meta" where path.isEmpty && element["property"]?.lowercased() == "og:url":
            path = PagePath.path(of: element["content"] ?? "")
        case "form": forms.append(position)
        case "label": labels.append(position)
        case "img":
            if let text = element["alt"], !line.isSilent { line.append(text) }
        case "input", "select", "textarea": beginControl(element, position)
        default: break
        }
    }

    private mutating func beginControl(_ element: Element, _ position: Int) {
        flush()
        controls.append(position)
        let type = element["type"]?.lowercased() ?? ""
        if element.name == "input", ElementNames.buttonTypes.contains(type) {
            let text = TextLine.cleaned(
                [element["value"], element["alt"], element["aria-label"], element["title"]].compactMap(\.self)
                    .first { !$0.isEmpty } ?? "")
            if !text.isEmpty, type != "reset" {
                events.append(Event(kind: .button, text: text, place: position, control: controls.count))
            }
        } else if element.name != "input" || type != "hidden" {
            fields.append(position)
            events.append(Event(kind: .field, text: "", place: position, control: controls.count))
        }
    }

    private mutating func leave(_ node: xmlNodePtr) {
        guard node.pointee.type == XML_ELEMENT_NODE, let position = open.popLast() else { return }
        let element = places[position].element
        if let mark = marks.removeValue(forKey: position) {
            // Other elements end their line below, and have it among their events, as what was flushed before is.
            if ElementNames.inline.contains(element.name), !line.isSpecial {
                let text = line.text(from: places[position].events.lowerBound == events.count ? mark : 0)
                if !text.isEmpty { inlineTexts[position] = text }
            }
        }
        let isHeading = ElementNames.headings.contains(element.name)
        let kind = line.kind
        if !ElementNames.inline.contains(element.name) || line.isSpecial { flush(at: position) }
        if element.name == "title" { isInTitle = false }
        let start = places[position].events.lowerBound
        if kind == .button, line.leavesButton, events.count == start {
            nameSilentButton(element, position)
        } else if isHeading, !events[start...].contains(where: { $0.kind == .heading }) {
            // A heading that is one link is a heading.
            for index in start..<events.count where events[index].kind == .link { events[index].kind = .heading }
        }
        line.leave()
        places[position].fields = places[position].fields.lowerBound..<fields.count
        places[position].events = start..<events.count
    }

    private mutating func nameSilentButton(_ element: Element, _ position: Int) {
        let text = TextLine.cleaned(element["aria-label"] ?? element["title"] ?? element["value"] ?? "")
        if !text.isEmpty { events.append(Event(kind: .button, text: text, place: position, control: controls.count)) }
    }

    private mutating func flush(at position: Int? = nil) {
        guard let text = line.take() else { return }
        events.append(Event(kind: line.kind, text: text, place: position ?? open.last ?? 0, control: controls.count))
    }
}
