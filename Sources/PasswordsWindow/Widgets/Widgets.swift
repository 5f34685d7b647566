// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import MainLoop

/// The parts that pages are made of.
@DesktopActor enum Widgets {
    static func column(spacing: Int32 = 0) -> Widget { gtk_box_new(GTK_ORIENTATION_VERTICAL, spacing) }

    static func line(spacing: Int32 = 6) -> Widget { gtk_box_new(GTK_ORIENTATION_HORIZONTAL, spacing) }

    /// A text that is shown as it is: nothing in it is markup.
    static func label(_ text: String, wraps: Bool = false) -> Widget {
        let label: Widget = gtk_label_new(text)
        gtk_label_set_xalign(cast(label), 0)
        if wraps {
            gtk_label_set_wrap(cast(label), 1)
            gtk_label_set_wrap_mode(cast(label), PANGO_WRAP_WORD_CHAR)
        } else {
            gtk_label_set_ellipsize(cast(label), PANGO_ELLIPSIZE_END)
        }
        return label
    }

    static func set(_ label: Widget, _ text: String) { gtk_label_set_text(cast(label), text) }

    static func button(_ text: String, _ press: (@DesktopActor () -> Void)? = nil) -> Widget {
        let button: Widget = gtk_button_new_with_label(text)
        if let press { button.on("clicked", press) }
        return button
    }

    /// A button with an icon; its name is what a screen reader says and what stands in the tooltip.
    static func iconButton(_ icon: String, _ name: String, _ press: (@DesktopActor () -> Void)? = nil) -> Widget {
        let button: Widget = gtk_button_new_from_icon_name(icon)
        gtk_widget_set_tooltip_text(button, name)
        gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
        if let press { button.on("clicked", press) }
        return button.named(name)
    }

    static func scrolled(_ child: Widget) -> Widget {
        let scrolled: Widget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_policy(cast(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(cast(scrolled), child)
        gtk_widget_set_vexpand(scrolled, 1)
        return scrolled
    }

    /// A page's content in a column of limited width, because long lines are hard to read.
    static func clamped(_ child: Widget, width: Int32 = 600) -> Widget {
        let clamp: Widget = adw_clamp_new()
        adw_clamp_set_maximum_size(cast(clamp), width)
        adw_clamp_set_child(cast(clamp), child)
        return clamp
    }

    static func header(_ title: String) -> Widget {
        let header: Widget = adw_header_bar_new()
        adw_header_bar_set_title_widget(cast(header), adw_window_title_new(title, ""))
        return header
    }

    static func setTitle(of header: Widget, _ title: String, _ subtitle: String = "") {
        guard let widget = adw_header_bar_get_title_widget(cast(header)) else { return }
        adw_window_title_set_title(cast(widget), title)
        adw_window_title_set_subtitle(cast(widget), subtitle)
    }

    // MARK: Models of lists

    /// Has a model of texts say that rows are there no longer, or are new. What a row shows is taken by its position.
    static func splice(_ model: OpaquePointer?, at start: guint = 0, removing before: guint, adding count: Int) {
        let empty: [CChar] = [0]
        empty.withUnsafeBufferPointer { empty in
            let additions = [UnsafePointer<CChar>?](repeating: empty.baseAddress, count: count) + [nil]
            gtk_string_list_splice(model, start, before, additions)
        }
    }

    // MARK: Rows of a page

    static func group(_ title: String = "", _ description: String = "") -> Widget {
        let group: Widget = adw_preferences_group_new()
        adw_preferences_group_set_title(cast(group), title)
        adw_preferences_group_set_description(cast(group), description.isEmpty ? nil : escaped(description))
        // With a title the group names its list itself.
        if title.isEmpty { group.eachInside("GtkListBox") { latchkey_set_accessible_name($0, "Fields") } }
        return group
    }

    static func add(_ row: Widget, to group: Widget) { adw_preferences_group_add(cast(group), row) }

    /// A row with a title and a text below it. Both are shown as they are.
    static func row(_ title: String, _ subtitle: String = "") -> Widget {
        let row: Widget = adw_action_row_new()
        adw_preferences_row_set_use_markup(cast(row), 0)
        adw_preferences_row_set_title(cast(row), title)
        adw_action_row_set_subtitle_lines(cast(row), 0)
        // Its title is its name already.
        setSubtitle(of: row, subtitle)
        return row
    }

    static func setSubtitle(of row: Widget, _ text: String) {
        adw_action_row_set_subtitle(cast(row), text)
        latchkey_set_accessible_description(row, text)
    }

    /// A row with a switch. `change` is called for what the user does alone, not for `set`.
    static func switchRow(
        _ title: String, _ subtitle: String = "", isOn: Bool, _ change: @escaping @DesktopActor (Bool) -> Void
    ) -> Widget {
        let row = row(title, subtitle)
        let toggle: Widget = gtk_switch_new()
        gtk_switch_set_active(cast(toggle), isOn ? 1 : 0)
        gtk_widget_set_valign(toggle, GTK_ALIGN_CENTER)
        adw_action_row_add_suffix(cast(row), toggle)
        adw_action_row_set_activatable_widget(cast(row), toggle)
        toggle.onChange(of: "active") { change(gtk_switch_get_active(cast(toggle)) != 0) }
        return row
    }

    /// A row in which one of several texts is chosen.
    static func choiceRow(
        _ title: String, _ choices: [String], chosen: Int, _ change: @escaping @DesktopActor (Int) -> Void
    ) -> Widget {
        let row: Widget = adw_combo_row_new()
        adw_preferences_row_set_title(cast(row), escaped(title))
        let names = strings(choices)
        adw_combo_row_set_model(cast(row), names)
        g_object_unref(names.map { UnsafeMutableRawPointer($0) })
        adw_combo_row_set_selected(cast(row), guint(max(0, chosen)))
        row.eachInside("GtkListView") { latchkey_set_accessible_name($0, title) }
        row.eachInside("GtkImage") { latchkey_hide_from_screen_reader($0) }
        latchkey_set_accessible_description(row, choices.indices.contains(chosen) ? choices[chosen] : "")
        row.onChange(of: "selected") {
            let index = Int(adw_combo_row_get_selected(cast(row)))
            guard choices.indices.contains(index) else { return }
            latchkey_set_accessible_description(row, choices[index])
            change(index)
        }
        return row
    }

    /// A model of texts, for what shows a choice. It is the caller's, who lets go of it once something else holds it.
    static func strings(_ texts: [String]) -> OpaquePointer? {
        let list = gtk_string_list_new(nil)
        for text in texts { gtk_string_list_append(list, text) }
        return list
    }

    /// A row with an ordinary text field. A secret takes a `SecretField` instead.
    ///
    /// It has an entry of GTK's: a screen reader is told of the focus in it, which libadwaita's row with an entry does not do.
    static func entryRow(_ title: String, _ text: String = "") -> (row: Widget, entry: Widget) {
        let entry: Widget = gtk_entry_new()
        gtk_editable_set_text(cast(entry), text)
        return (fieldRow(title, entry.named(title)), entry)
    }

    /// A row with a caption above a field.
    static func fieldRow(_ title: String, _ field: Widget) -> Widget {
        let row: Widget = adw_preferences_row_new()
        gtk_widget_set_focusable(row, 0)
        gtk_list_box_row_set_activatable(cast(row), 0)
        let column = Widgets.column(spacing: 4).margin(10)
        column.append(label(title, wraps: true).style("caption", "dim-label"))
        column.append(field)
        gtk_list_box_row_set_child(cast(row), column)
        return row.named(title)
    }

    static func text(of entry: Widget) -> String {
        gtk_editable_get_text(cast(entry)).map { String(cString: $0) } ?? ""
    }

    /// Puts a text into a field, with the cursor behind it.
    static func put(_ text: String, into entry: Widget) {
        gtk_editable_set_text(cast(entry), text)
        gtk_editable_set_position(cast(entry), -1)
    }

    static func clear(_ entry: Widget) { gtk_editable_set_text(cast(entry), "") }

    /// A circle with the first letter of a name. No picture is ever fetched.
    static func letterTile(_ name: String, size: Int32) -> Widget {
        let tile: Widget = adw_avatar_new(size, name, 1)
        latchkey_hide_from_screen_reader(tile)
        return tile
    }

    static func statusPage(_ icon: String, _ title: String, _ text: String) -> Widget {
        let page: Widget = adw_status_page_new()
        adw_status_page_set_icon_name(cast(page), icon)
        adw_status_page_set_title(cast(page), title)
        adw_status_page_set_description(cast(page), escaped(text))
        // It can be scrolled, so it takes the focus where nothing in it does.
        page.eachInside("GtkScrolledWindow") { latchkey_set_accessible_name($0, title) }
        return page
    }

    /// A text for the few places that only take markup.
    static func escaped(_ text: String) -> String {
        guard let escaped = g_markup_escape_text(text, -1) else { return "" }
        defer { g_free(escaped) }
        return String(cString: escaped)
    }

    /// A day and time as the user's locale writes them.
    static func moment(_ seconds: Int64) -> String {
        guard let time = g_date_time_new_from_unix_local(gint64(seconds)) else { return "" }
        defer { g_date_time_unref(time) }
        guard let text = g_date_time_format(time, "%x %H:%M") else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}
