// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a person would see of a page's controls, once what they are in is shown.
///
/// A form that is hidden as a whole, or a step of one, waits to be opened; one field that is hidden in a form that is not
/// is a trap for programs, or for later.
struct Sight {
    private var seen: Set<Int> = []
    /// Those of the seen that may be shown later than others: what waits to be opened while something else is shown, and
    /// short forms beside one with a password.
    private var later: Set<Int> = []

    init(_ outline: Outline, scopes: [FormScope]) {
        let fields = Set(outline.fields)
        for scope in scopes {
            let own = scope.controls.filter(fields.contains)
            let present = own.filter { !outline.places[$0].isInert }
            let shown = present.filter { Self.isShown($0, outline, count: own.count) }
            // Where nothing is to be seen, the whole of it waits.
            seen.formUnion(shown.isEmpty ? present : shown)
            seen.subtract(Self.boxesForLater(present, outline))
            seen.subtract(Self.codesForLater(present, outline))
        }
        later = Self.later(seen, outline, scopes: scopes)
        seen.formUnion(outline.controls.filter { !fields.contains($0) && Self.isButton($0, outline) })
    }

    func isVisible(_ control: Int) -> Bool { seen.contains(control) }

    /// Whether what a person sees of a control may not be there at first.
    func mayComeLater(_ control: Int) -> Bool { later.contains(control) }

    private static func later(_ seen: Set<Int>, _ outline: Outline, scopes: [FormScope]) -> Set<Int> {
        let waiting = seen.filter { outline.places[$0].hiddenBy != nil }
        var later = waiting.count == seen.count ? [] : waiting
        let isPassword = { (control: Int) in outline.places[control].element["type"]?.lowercased() == "password" }
        guard seen.contains(where: isPassword) else { return later }
        for scope in scopes {
            let own = scope.controls.filter(seen.contains)
            if own.count <= 8, !own.contains(where: isPassword) { later.formUnion(own) }
        }
        return later
    }

    private static func isShown(_ control: Int, _ outline: Outline, count: Int) -> Bool {
        let place = outline.places[control]
        if Concealment.isTrap(place.element) { return false }
        guard let hiding = place.hiddenBy, hiding != control else { return true }
        let hidden = outline.places[hiding].fields.count
        // A step of a form has a way on.
        if outline.events[outline.places[hiding].events].contains(where: { $0.kind == .button }) { return true }
        return hidden >= count || hidden > 1 || place.element["type"]?.lowercased() == "password"
    }

    private static func isButton(_ control: Int, _ outline: Outline) -> Bool {
        let place = outline.places[control]
        let isHidden = place.element.name == "input" && place.element["type"]?.lowercased() == "hidden"
        return !isHidden && !place.isInert && place.hiddenBy == nil
    }

    /// Boxes for a code in the same form as what the code is sent for: they are shown when it has been sent.
    private static func boxesForLater(_ fields: [Int], _ outline: Outline) -> [Int] {
        let isBox = fields.map { outline.places[$0].element["maxlength"] == "1" }
        let typed = fields.indices.filter { index in
            let element = outline.places[fields[index]].element
            let type = element["type"]?.lowercased() ?? "text"
            return element.name == "input" && !["checkbox", "radio", "file", "search"].contains(type)
        }
        // The first of a row may take all of the code, to hand it on to the others.
        let isOther = typed.contains { index in
            !isBox[index] && (outline.places[fields[index]].element["maxlength"].flatMap { Int($0) } ?? 99) > 8
        }
        guard typed.count(where: { isBox[$0] }) >= 4, isOther else { return [] }
        return fields.indices.filter { isBox[$0] }.map { fields[$0] }
    }

    /// Fields that are called after a code for one use, behind a password: they are shown when the password was right.
    private static func codesForLater(_ fields: [Int], _ outline: Outline) -> [Int] {
        guard let password = fields.first(where: { outline.places[$0].element["type"]?.lowercased() == "password" })
        else {
            return []
        }
        return fields.filter { field in
            guard field > password else { return false }
            let element = outline.places[field].element
            if element["autocomplete"]?.lowercased().contains("one-time-code") ?? false { return true }
            let names = ((element["name"] ?? "") + " " + (element["id"] ?? "")).lowercased()
            return ["otp", "twofactor", "two_factor", "two-factor", "2fa"].contains { names.contains($0) }
        }
    }
}
