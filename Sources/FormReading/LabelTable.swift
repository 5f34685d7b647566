// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The labels of a page's fields.
struct LabelTable {
    private let outline: Outline
    private var byIdentifier: [String: [Int]] = [:]
    private var byControl: [Int: [Int]] = [:]

    init(_ outline: Outline) {
        self.outline = outline
        for label in outline.labels {
            let place = outline.places[label]
            if let target = place.element["for"], !target.isEmpty {
                byIdentifier[target, default: []].append(label)
            } else if let first = place.fields.first {
                byControl[outline.fields[first], default: []].append(label)
            }
        }
    }

    /// The text of a control's labels, or of the elements that it names as its labels.
    func text(for control: Int) -> String {
        let element = outline.places[control].element
        var labels = byControl[control] ?? []
        if let identifier = element["id"], outline.identifiers[identifier] == control {
            labels += own(byIdentifier[identifier] ?? [], of: control)
        }
        let own = text(of: labels)
        if !own.isEmpty { return own }
        let named = (element["aria-labelledby"] ?? "").split(whereSeparator: \.isWhitespace).prefix(8)
        return text(of: named.compactMap { outline.identifiers[String($0)] })
    }

    /// The labels that mean a control. Where several name it and some stand beside it, those behind other fields were
    /// copied with another field's label.
    private func own(_ labels: [Int], of control: Int) -> [Int] {
        guard labels.count > 1 else { return labels }
        let number = outline.places[control].fields.lowerBound
        let beside = labels.prefix(8).filter {
            let fields = outline.places[$0].fields
            return fields.lowerBound <= number + 1 && fields.upperBound >= number
        }
        return beside.isEmpty ? labels : beside
    }

    private func text(of places: [Int]) -> String {
        var texts: [String] = []
        for place in places.prefix(4) {
            for event in outline.events[outline.places[place].events].prefix(16)
            where event.kind != .field && event.kind != .button {
                texts.append(event.text)
            }
            if let text = outline.inlineTexts[place] { texts.append(text) }
        }
        return TextLine.cleaned(texts.joined(separator: " "))
    }
}
