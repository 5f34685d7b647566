// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a page says of itself.
struct PageWords {
    let title: Concepts
    let path: Concepts

    init(_ page: PageDescription, reader: inout WordReader) {
        title = reader.concepts(page.title, limit: WordReader.Limit.heading)
        path = reader.concepts(page.path, limit: WordReader.Limit.path)
    }
}

/// What a form's own words stand for.
struct FormWords {
    private(set) var name: Concepts
    private(set) var action: Concepts
    private(set) var buttons: [Concepts] = []
    private(set) var headings: [Concepts] = []
    private(set) var links: [Concepts] = []
    private(set) var lead: Concepts
    /// The places of the texts, where they are known.
    private var places = (buttons: [Int?](), headings: [Int?](), links: [Int?]())

    init(_ context: FormContext, reader: inout WordReader) {
        name = reader.concepts(context.name, limit: WordReader.Limit.attribute)
            .union(reader.concepts(context.identifier, limit: WordReader.Limit.attribute))
            .union(reader.concepts(context.classes, limit: WordReader.Limit.attribute))
        action = reader.concepts(context.actionPath, limit: WordReader.Limit.path)
        lead = reader.concepts(context.lead, limit: WordReader.Limit.nearby)
        for button in context.buttons.prefix(WordReader.Limit.texts) {
            buttons.append(reader.concepts(button.text, limit: WordReader.Limit.button))
            places.buttons.append(button.place)
        }
        for heading in context.headings.prefix(WordReader.Limit.texts) {
            headings.append(reader.concepts(heading.text, limit: WordReader.Limit.heading))
            places.headings.append(heading.place)
        }
        for link in context.links.prefix(WordReader.Limit.links) {
            links.append(reader.concepts(link.text, limit: WordReader.Limit.button))
            places.links.append(link.place)
        }
    }

    /// Everything that is said, except where links lead to.
    var all: Concepts {
        (buttons + headings).reduce(name.union(action).union(lead)) { $0.union($1) }
    }

    /// The places of the buttons that say what a form is for.
    func purposefulButtons() -> [Int] {
        places(of: [.signIn, .signUp, .changePassword, .newsletter, .search], except: .otherService)
    }

    /// The places of the buttons that send something; one that sends a code does not end what it stands in.
    func sendingButtons() -> [Int] {
        places(of: [.proceed, .contact], except: [.otherService, .code, .oneTimeCode, .sent])
    }

    /// The places of the buttons that lead on.
    func leadingButtons() -> [Int] {
        places(of: .onward, except: [.otherService, .code, .oneTimeCode, .sent])
    }

    /// The places where both a button and a heading stand.
    func turningPoints() -> [Int] {
        let headings = Set(places.headings.compactMap(\.self))
        return places.buttons.compactMap(\.self).filter(headings.contains)
    }

    private func places(of wanted: Concepts, except others: Concepts) -> [Int] {
        zip(buttons, places.buttons).compactMap { words, place in
            words.containsAny(of: wanted) && words.isDisjoint(with: others) ? place : nil
        }
    }

    /// The words that belong to a part of a form: what stands above its fields, and the buttons and links after them.
    func part(of fields: ClosedRange<Int>, isFirst: Bool) -> FormWords {
        var part = self
        let isAbove = { (place: Int?) in place.map { fields.contains($0) } ?? true }
        let isBelow = { (place: Int?) in
            place.map { $0 > fields.lowerBound && $0 <= fields.upperBound + 1 || isFirst && $0 <= fields.lowerBound }
                ?? true
        }
        part.buttons = zip(buttons, places.buttons).filter { isBelow($0.1) }.map(\.0)
        part.headings = zip(headings, places.headings).filter { isAbove($0.1) }.map(\.0)
        part.links = zip(links, places.links).filter { isBelow($0.1) }.map(\.0)
        if !isFirst { part.lead = [] }
        return part
    }
}
