// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// What is left of the bounds of an interface.
struct InterfaceRoom {
    var rows = InterfaceStatement.rowLimit
    /// Bytes of the message, less what surrounds the interface.
    var bytes = Frame.maximumSize - 16384
}

/// Puts together what a tree of views shows, within the bounds of an interface.
@MainActor
struct InterfaceBuilder {
    private(set) var elements: [InterfaceElement] = []
    /// The views that are shown, by the names of their elements.
    private(set) var views: [String: UIView] = [:]
    private var room = InterfaceRoom()

    /// What a view and all it holds show, as far as there is room.
    init(_ view: UIView) {
        add(view)
    }

    private mutating func add(_ view: UIView) {
        guard !view.isHidden, elements.count < InterfaceStatement.elementLimit else { return }
        if let element = view.element(in: room) {
            let size = element.sizeBound
            if size <= room.bytes {
                elements.append(element)
                views[element.id] = view
                room.bytes -= size
                room.rows -= element.lineCount
            }
        }
        for subview in view.subviews { add(subview) }
    }
}

extension InterfaceElement {
    /// What surrounds the texts of an element, a section or a row in a message, in bytes at most.
    static let overhead = 160

    /// At least as many bytes as the element takes in a message.
    var sizeBound: Int {
        let texts = [kind, id, text, label, placeholder, value, contents, style]
        let own = texts.reduce(Self.overhead) { $0 + ($1?.wireSize ?? 0) }
        return (sections ?? []).reduce(own) { size, section in
            section.rows.reduce(size + section.title.wireSize + Self.overhead) { $0 + $1.sizeBound }
        }
    }

    /// Rows, and sections without any.
    fileprivate var lineCount: Int {
        (sections ?? []).reduce(0) { $0 + max(1, $1.rows.count) }
    }
}

extension ListRow {
    /// At least as many bytes as the row takes in a message.
    var sizeBound: Int { title.wireSize + subtitle.wireSize + id.wireSize + InterfaceElement.overhead }
}

extension String {
    /// The text as an interface can show it: cut after the last whole character within 1,024 bytes.
    var inInterface: String {
        guard utf8.count > InterfaceStatement.textLimit else { return self }
        var end = startIndex
        var size = 0
        while end < endIndex {
            let next = index(after: end)
            size += self[end..<next].utf8.count
            guard size <= InterfaceStatement.textLimit else { break }
            end = next
        }
        return String(self[..<end])
    }
}
