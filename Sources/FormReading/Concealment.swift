// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What static HTML says about who sees an element; style sheets are not read.
enum Concealment {
    /// Whether an element hides itself and what is in it.
    static func hides(_ element: Element) -> Bool {
        if element["hidden"] != nil || element["popover"] != nil { return true }
        guard let style = element["style"] else { return false }
        return hides(style: style)
    }

    /// Whether an element is shown only after something opens it.
    static func hidesByName(_ element: Element) -> Bool {
        (element.name == "dialog" || element.name == "details") && element["open"] == nil
    }

    /// Whether a control is kept from people by its own attributes, as traps for programs are.
    static func isTrap(_ element: Element) -> Bool {
        if element["hidden"] != nil || element["aria-hidden"]?.lowercased() == "true" { return true }
        return element["style"].map(hides(style:)) ?? false
    }

    /// Whether a style shows dots for what is typed.
    static func masks(style: String) -> Bool {
        let text = String(decoding: style.utf8.prefix(2000).filter { $0 > 0x20 }, as: UTF8.self).lowercased()
        return ["disc", "circle", "square"].contains { text.contains("-webkit-text-security:" + $0) }
    }

    private static func hides(style: String) -> Bool {
        for declaration in style.utf8.prefix(2000).split(separator: UInt8(ascii: ";")) {
            let text = String(decoding: declaration.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
            let name = text.prefix { $0 != ":" }
            var value = text.dropFirst(name.count + 1)
            if let mark = value.firstIndex(of: "!") { value = value[..<mark] }
            switch (name, value) {
            case ("display", "none"), ("visibility", "hidden"), ("visibility", "collapse"), ("opacity", "0"),
                ("opacity", "0.0"):
                return true
            case ("left", _), ("right", _), ("top", _), ("bottom", _), ("margin-left", _), ("margin-top", _):
                if isFarAway(value) { return true }
            default:
                break
            }
        }
        return false
    }

    /// Whether a length leads further out of sight than anything that slides in waits: "-9999px".
    private static func isFarAway(_ value: Substring) -> Bool {
        guard value.first == "-" else { return false }
        let digits = value.dropFirst().prefix { $0.isASCII && $0.isNumber }
        let unit = value.dropFirst(1 + digits.count)
        return (unit == "px" && digits.count >= 4) || (["em", "rem", "vw"].contains(unit) && digits.count >= 3)
    }
}
