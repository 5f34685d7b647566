// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What stands beside one field.
struct FieldSurroundings {
    /// The text before the field, or in the box that it has for itself.
    let nearby: String

    /// The surroundings of every field of `outline.fields`; one pass over the document.
    static func all(in outline: Outline) -> [FieldSurroundings] {
        var found: [FieldSurroundings] = []
        var eventOfField: [Int: Int] = [:]
        for (index, event) in outline.events.enumerated() where event.kind == .field {
            eventOfField[event.place] = index
        }
        var free = 0
        for (number, field) in outline.fields.enumerated() {
            guard let position = eventOfField[field] else {
                found.append(FieldSurroundings(nearby: ""))
                continue
            }
            let boxes = boxes(around: field, number: number, outline)
            found.append(FieldSurroundings(nearby: nearby(position, from: free, boxes, outline)))
            // What stands in the box of one field is not said of the next.
            let end = boxes.last.map { outline.places[$0].events.upperBound } ?? position
            free = max(free, min(end, position + 3), position + 1)
        }
        return found
    }

    /// The elements around a field that hold no other, the inmost first.
    private static func boxes(around field: Int, number: Int, _ outline: Outline) -> [Int] {
        var boxes: [Int] = []
        var next = outline.places[field].parent
        while let place = next, boxes.count < 5 {
            let box = outline.places[place]
            if box.fields != number..<(number + 1) || box.element.name == "form" || box.element.name == "body" { break }
            boxes.append(place)
            next = box.parent
        }
        return boxes
    }

    private static func nearby(_ position: Int, from free: Int, _ boxes: [Int], _ outline: Outline) -> String {
        let outer = outline.events[free..<max(free, position)].suffix(8)
        let before = outer.last { $0.kind == .text }
        let inBox = boxes.first { box in
            outline.events[outline.places[box].events].prefix(12).contains { $0.kind == .text }
        }
        guard let inBox else { return before?.text ?? "" }
        let events = outline.places[inBox].events
        if let own = outline.events[events.lowerBound..<max(events.lowerBound, position)].last(where: {
            $0.kind == .text
        }) {
            return own.text
        }
        let after = outline.events[min(position + 1, events.upperBound)..<events.upperBound].prefix(4)
            .first { $0.kind == .text }
        guard let after else { return before?.text ?? "" }
        guard let before else { return after.text }
        return TextLine.cleaned(before.text + " " + after.text)
    }
}
