// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets
internal import CGTK
internal import Glibc
package import MainLoop
internal import ShownText

/// Draws an interface of the daemon's, or of a provider, in a window of its own.
@DesktopActor package final class InterfaceWindow {
    private let act: @DesktopActor (InterfaceAct) -> Void
    private let cancel: @DesktopActor () -> Void
    private let window: Widget
    /// What stands above the provider's part, which the provider cannot change.
    private let header: Widget
    private let body: Widget
    private var fields: [(id: String, entry: Widget)] = []
    /// The element of the search field that has the keyboard; it keeps its text when the list below is drawn anew.
    private var search: (id: String, entry: Widget, rows: Widget)?
    private var statement: InterfaceStatement?

    /// - Parameters:
    ///   - act: Called with what the user does.
    ///   - cancel: Called when the user closes the window.
    package init(act: @escaping @DesktopActor (InterfaceAct) -> Void, cancel: @escaping @DesktopActor () -> Void) {
        self.act = act
        self.cancel = cancel
        window = gtk_window_new(GTK_WINDOW_TOPLEVEL)
        gtk_window_set_title(cast(window), "Latchkey")
        gtk_window_set_default_size(cast(window), 420, 480)
        gtk_window_set_keep_above(cast(window), 1)
        gtk_window_set_position(cast(window), GTK_WIN_POS_CENTER)
        gtk_container_set_border_width(cast(window), 12)
        let column = Widgets.column(spacing: 8)
        header = Widgets.column(spacing: 4)
        body = Widgets.column(spacing: 6)
        column.pack(header)
        column.pack(body, expands: true)
        let cancelButton: Widget = gtk_button_new_with_label("Cancel")
        column.pack(cancelButton)
        window.add(column)
        cancelButton.on("clicked") { [weak self] in self?.cancel() }
        window.onEvent("delete-event") { [weak self] _ in
            self?.cancel()
            return true
        }
        window.onEvent("key-press-event") { [weak self] event in
            guard let event = event?.assumingMemoryBound(to: GdkEventKey.self),
                event.pointee.keyval == guint(GDK_KEY_Escape)
            else { return false }
            self?.cancel()
            return true
        }
    }

    package func close() {
        gtk_widget_destroy(window)
    }

    /// Draws what the daemon says the interface is now.
    package func show(_ prompt: Renderer.Prompt.Answer) {
        guard let interface = prompt.interface else { return }
        if interface == statement { return }
        // A search changes the rows alone: the field that is being typed into stays.
        if let search, let statement, let rows = Self.rows(from: statement, to: interface, list: search.id) {
            self.statement = interface
            fill(search.rows, with: rows, of: search.id)
            return
        }
        let kept = keeping(statement, in: interface)
        statement = interface
        clear(header)
        clear(body)
        fields = []
        search = nil
        let who = prompt.provider.map { "\($0.text) asks" } ?? "Latchkey"
        header.pack(Widgets.label("\(who) · for \(prompt.requester.text)", wraps: true))
        if let site = prompt.site { header.pack(Widgets.label(site.text)) }
        gtk_window_set_title(cast(window), "Latchkey: \(interface.title)")
        body.pack(heading(interface.title))
        for element in interface.elements { draw(element) }
        for (id, text) in kept.texts { fields.first { $0.id == id }.map { Self.put(text, into: $0.entry) } }
        gtk_widget_show_all(window)
        gtk_window_present(cast(window))
        if let focused = fields.first(where: { $0.id == kept.focused })?.entry {
            gtk_widget_grab_focus(focused)
            gtk_editable_set_position(OpaquePointer(focused), -1)
        } else if let first = search?.entry ?? fields.first?.entry {
            gtk_widget_grab_focus(first)
        }
    }

    /// What stands in the fields that are the same in the next interface, and which of them has the keyboard.
    private func keeping(_ old: InterfaceStatement?, in new: InterfaceStatement) -> (
        texts: [(id: String, text: WireSecret)], focused: String?
    ) {
        let same = Set(new.elements.filter { old?.elements.contains($0) == true }.map(\.id))
        let kept = fields.filter { same.contains($0.id) }
        let focus = gtk_window_get_focus(cast(window))
        return (kept.map { ($0.id, Self.text(of: $0.entry)) }, kept.first { $0.entry == focus }?.id)
    }

    /// The new rows of a list, if nothing else differs between two interfaces.
    private static func rows(
        from old: InterfaceStatement, to new: InterfaceStatement, list: String
    ) -> [ListSection]? {
        var (one, other) = (old, new)
        guard let before = one.elements.firstIndex(where: { $0.id == list }),
            let after = other.elements.firstIndex(where: { $0.id == list })
        else { return nil }
        let rows = other.elements[after].sections ?? []
        one.elements[before].sections = nil
        other.elements[after].sections = nil
        return one == other ? rows : nil
    }

    private func clear(_ box: Widget) {
        var children = gtk_container_get_children(cast(box))
        let first = children
        while let node = children {
            if let child = node.pointee.data { gtk_widget_destroy(child.assumingMemoryBound(to: GtkWidget.self)) }
            children = node.pointee.next
        }
        g_list_free(first)
    }

    private func heading(_ text: String) -> Widget {
        let label = Widgets.label(text, wraps: true)
        let attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_weight_new(PANGO_WEIGHT_BOLD))
        gtk_label_set_attributes(cast(label), attributes)
        pango_attr_list_unref(attributes)
        return label
    }

    // MARK: Elements

    private func draw(_ element: InterfaceElement) {
        switch element.kind {
        case "heading": body.pack(heading(element.text ?? ""))
        case "message": body.pack(Widgets.label(element.text ?? "", wraps: true))
        case "progress":
            body.pack(Widgets.label(element.label ?? "", wraps: true))
            let bar: Widget = gtk_progress_bar_new()
            if let fraction = element.fraction { gtk_progress_bar_set_fraction(cast(bar), min(1, max(0, fraction))) }
            body.pack(bar)
        case "text", "secure":
            body.pack(Widgets.label(element.label ?? "", wraps: true))
            let entry: Widget = gtk_entry_new()
            if element.kind == "secure" { gtk_entry_set_visibility(cast(entry), 0) }
            gtk_entry_set_text(cast(entry), element.value ?? "")
            gtk_entry_set_placeholder_text(cast(entry), element.placeholder)
            entry.setAccessibleName(element.label ?? element.placeholder ?? "")
            fields.append((element.id, entry))
            body.pack(entry)
        case "toggle":
            let toggle: Widget = gtk_check_button_new_with_label(element.label ?? "")
            gtk_toggle_button_set_active(cast(toggle), element.on == true ? 1 : 0)
            toggle.on("toggled") { [weak self] in
                let isOn = gtk_toggle_button_get_active(cast(toggle)) != 0
                self?.act(
                    InterfaceAct(
                        element: element.id, action: "change", text: WireSecret(SecretBytes(utf8: isOn ? "on" : "off")))
                )
            }
            body.pack(toggle)
        case "button":
            let button: Widget = gtk_button_new_with_label(element.label ?? "")
            gtk_widget_set_sensitive(button, element.enabled == false ? 0 : 1)
            button.on("clicked") { [weak self] in
                guard let self else { return }
                act(InterfaceAct(element: element.id, action: "press", fields: contents))
            }
            body.pack(button)
        case "list": drawList(element)
        default: break
        }
    }

    private func drawList(_ element: InterfaceElement) {
        let rows = Widgets.column(spacing: 0)
        if element.search == true {
            let entry: Widget = gtk_search_entry_new()
            entry.setAccessibleName("Search")
            entry.on("search-changed") { [weak self] in
                self?.act(InterfaceAct(element: element.id, action: "search", text: Self.text(of: entry)))
            }
            body.pack(entry)
            search = (element.id, entry, rows)
        }
        let scrolled: Widget = gtk_scrolled_window_new(nil, nil)
        gtk_scrolled_window_set_policy(cast(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_widget_set_size_request(scrolled, -1, 240)
        scrolled.add(rows)
        body.pack(scrolled, expands: true)
        fill(rows, with: element.sections ?? [], of: element.id)
    }

    private func fill(_ rows: Widget, with sections: [ListSection], of list: String) {
        clear(rows)
        for section in sections {
            if !section.title.isEmpty { rows.pack(heading(section.title)) }
            for row in section.rows {
                let text = row.subtitle.isEmpty ? row.title : "\(row.title) — \(row.subtitle)"
                rows.pack(
                    Widgets.row(text) { [weak self] in
                        guard let self else { return }
                        act(InterfaceAct(element: list, action: "select", row: row.id, fields: contents))
                    })
            }
        }
        if sections.allSatisfy(\.rows.isEmpty) { rows.pack(Widgets.label("Nothing is found.")) }
        gtk_widget_show_all(rows)
    }

    /// What stands in the fields; absent if there are none.
    private var contents: [FieldContents]? {
        guard !fields.isEmpty else { return nil }
        return fields.map { id, entry in
            FieldContents(id: id, text: Self.text(of: entry))
        }
    }

    private static func put(_ text: WireSecret, into entry: Widget) {
        // C wants the text to end with a zero; the copy is in locked memory, too.
        let terminated = SecretBytes(count: text.bytes.count + 1)
        terminated.withUnsafeMutableBytes { target in
            text.bytes.withUnsafeBytes { source in target.copyMemory(from: source) }
            target[text.bytes.count] = 0
        }
        terminated.withUnsafeBytes { bytes in
            gtk_entry_set_text(cast(entry), bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
        }
    }

    /// What stands in a field, in locked memory. GTK keeps a copy of its own while the field is there.
    private static func text(of entry: Widget) -> WireSecret {
        guard let text = gtk_entry_get_text(cast(entry)) else { return WireSecret(SecretBytes(utf8: "")) }
        return WireSecret(SecretBytes(copying: UnsafeRawBufferPointer(start: text, count: strlen(text))))
    }
}
