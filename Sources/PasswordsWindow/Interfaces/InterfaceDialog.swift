// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import CAdwaita
internal import MainLoop
internal import ShownText

/// Draws a provider's interface in a window before the app's own.
@DesktopActor final class InterfaceDialog {
    private let act: @DesktopActor (InterfaceAct) -> Void
    private let cancel: @DesktopActor () -> Void
    private let window: Widget
    private let header: Widget
    private let who: Widget
    private let body: Widget
    private var texts: [(id: String, entry: Widget)] = []
    private var secrets: [(id: String, field: SecretField)] = []
    /// The list whose search field has the keyboard: the field stays when the rows below it are drawn anew.
    private var searched: (id: String, rows: Widget)?
    private var statement: InterfaceStatement?
    private var isClosed = false

    /// - Parameters:
    ///   - act: Called with what the user does.
    ///   - cancel: Called when the user closes the window.
    init(
        before parent: UnsafeMutablePointer<GtkWindow>?, act: @escaping @DesktopActor (InterfaceAct) -> Void,
        cancel: @escaping @DesktopActor () -> Void
    ) {
        self.act = act
        self.cancel = cancel
        window = adw_window_new()
        header = Widgets.header("")
        who = Widgets.label("", wraps: true).style("dim-label")
        body = Widgets.column(spacing: 12)
        gtk_window_set_transient_for(cast(window), parent)
        gtk_window_set_modal(cast(window), 1)
        gtk_window_set_default_size(cast(window), 420, 520)
        gtk_widget_set_size_request(window, 340, 300)
        let column = Widgets.column()
        column.append(header)
        let content = Widgets.column(spacing: 12).margin(12)
        content.append(who)
        content.append(body)
        column.append(Widgets.scrolled(Widgets.clamped(content)), expands: true)
        adw_window_set_content(cast(window), column)
        window.onKey { [weak self] key in
            guard key == GDK_KEY_Escape, let self else { return false }
            gtk_window_close(cast(window))
            return true
        }
        window.on("close-request") { [weak self] in
            guard let self, !isClosed else { return }
            isClosed = true
            self.cancel()
        }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        gtk_window_destroy(cast(window))
    }

    /// Draws what the daemon says the interface is now.
    func show(_ prompt: Renderer.Prompt.Answer) {
        guard !isClosed, let interface = prompt.interface, interface != statement else { return }
        // A search changes the rows alone: the field that is being typed into stays.
        if let searched, let statement, let rows = Self.rows(from: statement, to: interface, list: searched.id) {
            self.statement = interface
            return fill(searched.rows, with: rows, of: searched.id)
        }
        let kept = keeping(statement, in: interface)
        let isFirst = statement == nil
        statement = interface
        body.removeAll()
        (texts, secrets, searched) = ([], [], nil)
        let name = prompt.provider?.text ?? "Latchkey"
        gtk_window_set_title(cast(window), "\(name): \(interface.title)")
        Widgets.setTitle(of: header, name, prompt.site?.text ?? "")
        // The provider cannot change this line.
        Widgets.set(who, "This is shown by \(name).")
        body.append(heading(interface.title))
        for element in interface.elements { draw(element) }
        for (id, text) in kept.texts { texts.first { $0.id == id }.map { Widgets.put(text, into: $0.entry) } }
        for (id, secret) in kept.secrets { secrets.first { $0.id == id }?.field.put(secret) }
        gtk_window_present(cast(window))
        if isFirst {
            gtk_widget_child_focus(body, GTK_DIR_TAB_FORWARD)
        } else {
            // A key that is meant for what was there before is to reach nothing else.
            gtk_window_set_focus(cast(window), nil)
            texts.first { $0.id == kept.focused }.map { _ = gtk_widget_grab_focus($0.entry) }
            secrets.first { $0.id == kept.focused }?.field.takeFocus()
        }
    }

    /// What stands in the fields that are the same in the next interface, and which of them has the keyboard.
    private func keeping(
        _ old: InterfaceStatement?, in new: InterfaceStatement
    ) -> (texts: [(String, String)], secrets: [(String, SecretBytes)], focused: String?) {
        let same = Set(new.elements.filter { old?.elements.contains($0) == true }.map(\.id))
        let focus = gtk_window_get_focus(cast(window))
        var focused: String?
        for (id, entry) in texts where focus.map({ gtk_widget_is_ancestor($0, entry) != 0 }) == true { focused = id }
        for (id, field) in secrets where field.has(focus) { focused = id }
        return (
            texts.filter { same.contains($0.id) }.map { ($0.id, Widgets.text(of: $0.entry)) },
            secrets.filter { same.contains($0.id) }.map { ($0.id, $0.field.secret.bytes) },
            focused.flatMap { same.contains($0) ? $0 : nil }
        )
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

    private func heading(_ text: String) -> Widget { Widgets.label(text, wraps: true).style("heading") }

    // MARK: Elements

    private func draw(_ element: InterfaceElement) {
        // What has no label of its own is called by its name, as on a terminal.
        let label = [element.label, element.placeholder].compactMap(\.self).first { !$0.isEmpty } ?? element.id
        switch element.kind {
        case "heading": body.append(heading(element.text ?? ""))
        case "message": body.append(Widgets.label(element.text ?? "", wraps: true))
        case "progress":
            let bar: Widget = gtk_progress_bar_new()
            gtk_progress_bar_set_text(cast(bar), label)
            gtk_progress_bar_set_show_text(cast(bar), element.label == nil ? 0 : 1)
            if let fraction = element.fraction { gtk_progress_bar_set_fraction(cast(bar), min(1, max(0, fraction))) }
            body.append(bar.named(label))
        case "text":
            let (row, entry) = Widgets.entryRow(label, element.value ?? "")
            gtk_entry_set_placeholder_text(cast(entry), element.placeholder)
            texts.append((element.id, entry))
            Widgets.add(row, to: group())
        case "secure":
            let field = SecretField(label)
            secrets.append((element.id, field))
            Widgets.add(field.row, to: group())
        case "toggle":
            let row = Widgets.switchRow(label, isOn: element.on == true) { [weak self] isOn in
                self?.act(
                    InterfaceAct(
                        element: element.id, action: "change", text: WireSecret(SecretBytes(utf8: isOn ? "on" : "off")))
                )
            }
            Widgets.add(row, to: group())
        case "button":
            let button = Widgets.button(label) { [weak self] in
                guard let self else { return }
                act(InterfaceAct(element: element.id, action: "press", fields: contents))
            }
            button.enable(element.enabled != false)
            body.append(button)
        case "list": drawList(element)
        default: break
        }
    }

    /// A group for rows at the end of what is drawn.
    private func group() -> Widget {
        let group = Widgets.group()
        body.append(group)
        return group
    }

    private func drawList(_ element: InterfaceElement) {
        let rows = Widgets.column(spacing: 12)
        if element.search == true {
            let entry: Widget = gtk_search_entry_new()
            entry.on("search-changed") { [weak self] in
                let words = WireSecret(SecretBytes(utf8: Widgets.text(of: entry)))
                self?.act(InterfaceAct(element: element.id, action: "search", text: words))
            }
            body.append(entry.named("Search"))
            searched = (element.id, rows)
        }
        body.append(rows)
        fill(rows, with: element.sections ?? [], of: element.id)
    }

    private func fill(_ rows: Widget, with sections: [ListSection], of list: String) {
        rows.removeAll()
        for section in sections {
            let group = Widgets.group(Widgets.escaped(section.title))
            for row in section.rows {
                let shown = Widgets.row(row.title, row.subtitle)
                gtk_list_box_row_set_activatable(cast(shown), 1)
                shown.on("activated") { [weak self] in
                    guard let self else { return }
                    act(InterfaceAct(element: list, action: "select", row: row.id, fields: contents))
                }
                Widgets.add(shown, to: group)
            }
            rows.append(group)
        }
        if sections.allSatisfy(\.rows.isEmpty) { rows.append(Widgets.label("Nothing is found.")) }
    }

    /// What stands in the fields; absent if there are none.
    private var contents: [FieldContents]? {
        let all =
            texts.map { FieldContents(id: $0.id, text: WireSecret(SecretBytes(utf8: Widgets.text(of: $0.entry)))) }
            + secrets.map { FieldContents(id: $0.id, text: $0.field.secret) }
        return all.isEmpty ? nil : all
    }
}
