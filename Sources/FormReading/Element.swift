// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLibXML2

/// An element of a parsed document; valid as long as its `HTMLDocument`.
struct Element {
    let node: xmlNodePtr
    /// In small letters, as the parser keeps names.
    let name: String

    init?(_ node: xmlNodePtr?) {
        guard let node, node.pointee.type == XML_ELEMENT_NODE, let name = node.pointee.name else { return nil }
        self.node = node
        self.name = String(cString: name)
    }

    /// An attribute's value; `nil` where the element has none of that name.
    subscript(attribute: String) -> String? {
        var property = node.pointee.properties
        while let current = property {
            if let name = current.pointee.name, String(cString: name) == attribute {
                return Self.value(of: current)
            }
            property = current.pointee.next
        }
        return nil
    }

    /// Every attribute, in the order of the page.
    var attributes: [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        var property = node.pointee.properties
        while let current = property {
            if let name = current.pointee.name { found.append((String(cString: name), Self.value(of: current))) }
            property = current.pointee.next
        }
        return found
    }

    var hasAttributes: Bool { node.pointee.properties != nil }

    private static func value(of attribute: xmlAttrPtr) -> String {
        var value = ""
        var child = attribute.pointee.children
        while let current = child {
            if let content = current.pointee.content { value += String(cString: content) }
            child = current.pointee.next
        }
        return value
    }
}

/// The kinds of element that matter here.
enum ElementNames {
    static let controls: Set<String> = ["input", "select", "textarea"]
    static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6", "legend"]
    /// What they hold is not text of the page.
    static let silent: Set<String> = [
        "script", "style", "template", "noscript", "select", "textarea", "option", "datalist", "svg", "title", "head",
        "object", "iframe", "canvas", "math", "audio", "video",
    ]
    /// They do not end the line that they stand in.
    static let inline: Set<String> = [
        "span", "b", "strong", "i", "em", "u", "small", "font", "abbr", "sup", "sub", "mark", "bdi", "bdo", "code",
        "wbr", "img", "s", "q", "cite", "kbd", "var", "time", "data", "tt", "big", "nobr", "acronym",
    ]
    /// Types of `input` into which nobody types or chooses.
    static let buttonTypes: Set<String> = ["submit", "button", "image", "reset"]
}
