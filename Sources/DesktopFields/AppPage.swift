// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import MainLoop

/// A page that is the whole of a program's window: the program's author has made it, or decides what stands there.
///
/// Elsewhere a page, a mail or a frame in a page was written by somebody else, who would get what is bound to the program. The page's
/// address counts for nothing, since it is the program's own word. These rules keep out what shows other people's pages beside something
/// of its own. They cannot keep out a program that shows such a page in the whole of a window without any place for an address.
@DesktopActor struct AppPage {
    let window: AccessibleObject
    let document: AccessibleObject

    private static let depthLimit = 60
    private static let objectLimit = 800

    /// The page around a field, if it is the only one around it and Chromium draws it.
    init?(around field: AccessibleObject) {
        var documents: [AccessibleObject] = []
        var (current, found): (AccessibleObject, AccessibleObject?) = (field, nil)
        for _ in 0..<Self.depthLimit {
            guard let parent = current.parent, parent.busName == field.busName, let role = parent.role else {
                return nil
            }
            if role == .application { break }
            if role.isDocument {
                // A frame in a page may be anybody's. Only Chromium's pages, since other toolkits' programs show mails that way.
                guard role == .documentWeb, documents.isEmpty, found == nil else { return nil }
                documents.append(parent)
            }
            if role == .frame || role == .dialog || role == .window { found = parent }
            current = parent
        }
        guard let window = found, let document = documents.first, field.isOfChromium else { return nil }
        self.window = window
        self.document = document
    }

    /// Whether nothing beside the page says that it is a visitor in its window: no place for an address, no tabs, no tools, no other page.
    func fillsWindow(until isLate: () -> Bool) -> Bool {
        guard let outer = window.place(onScreen: true), let inner = document.place(onScreen: true), outer.width > 0,
            inner.x <= outer.x, inner.x + inner.width >= outer.x + outer.width,
            inner.y + inner.height >= outer.y + outer.height,
            // A title and a menu.
            inner.y - outer.y <= max(40, outer.height / 6)
        else { return false }
        var waiting = [window]
        var count = 0
        while let object = waiting.popLast() {
            count += 1
            guard count <= Self.objectLimit, !isLate(), object.busName == window.busName else { return false }
            if object.isSame(as: document) { continue }
            guard let role = object.role, !role.isDocument, !saysVisitor(object, role) else { return false }
            waiting += object.children(atMost: Self.objectLimit)
        }
        return true
    }

    /// Whether an object belongs to a window that shows one page after another.
    private func saysVisitor(_ object: AccessibleObject, _ role: AccessibleRole) -> Bool {
        guard role.isField || [.pageTab, .toolBar, .comboBox].contains(role) else { return false }
        guard let states = object.states else { return true }
        // A browser that fills the whole screen has hidden its address, and still has a field to type one into.
        if role.isField, states.contains(.editable) { return true }
        guard states.contains(.showing), let place = object.place(onScreen: true) else { return false }
        return place.width > 0 && place.height > 0
    }
}
