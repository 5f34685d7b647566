// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import CGTK

// A sign-in form in a window, as any program has it. It contains no code for AutoFill: it only labels its fields and says what they are for.

typealias Widget = UnsafeMutablePointer<GtkWidget>

func cast<Kind>(_ widget: Widget?, to kind: Kind.Type = Kind.self) -> UnsafeMutablePointer<Kind>? {
    widget.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: kind) }
}

func connect(_ widget: Widget, _ signal: String, _ act: @escaping @convention(c) (Widget?, gpointer?) -> Void) {
    g_signal_connect_data(
        widget, signal, unsafeBitCast(act, to: GCallback.self), nil, nil, GConnectFlags(rawValue: 0))
}

/// A field with the label that belongs to it, tagged with what it is for, as `textContentType` does on iOS.
@MainActor func field(_ label: String, contentType: String, row: Int32, in grid: Widget) -> Widget {
    let name: Widget = gtk_label_new_with_mnemonic(label)
    let entry: Widget = gtk_entry_new()
    gtk_label_set_mnemonic_widget(cast(name), entry)
    gtk_label_set_xalign(cast(name), 0)
    atk_object_set_accessible_id(gtk_widget_get_accessible(entry), contentType)
    gtk_entry_set_activates_default(cast(entry), 1)
    gtk_widget_set_hexpand(entry, 1)
    gtk_grid_attach(cast(grid), name, 0, row, 1, 1)
    gtk_grid_attach(cast(grid), entry, 1, row, 1, 1)
    return entry
}

@MainActor enum Shiny {
    static var user: Widget?
    static var password: Widget?
    static var state: Widget?

    /// What a server would answer: that somebody signed in, never with what.
    static func signIn() {
        let name = gtk_entry_get_text(cast(user)).map { String(cString: $0) } ?? ""
        let length = gtk_entry_get_text_length(cast(password))
        let isFilled = !name.isEmpty && length > 0
        gtk_label_set_text(
            cast(state), isFilled ? "Signed in as \(name)." : "A user name and a password are needed.")
    }
}

gtk_init(nil, nil)
let window: Widget = gtk_window_new(GTK_WINDOW_TOPLEVEL)
gtk_window_set_title(cast(window), "Shiny")
gtk_window_set_default_size(cast(window), 420, 220)
gtk_window_set_position(cast(window), GTK_WIN_POS_CENTER)
gtk_container_set_border_width(cast(window), 18)
let grid: Widget = gtk_grid_new()
gtk_grid_set_row_spacing(cast(grid), 10)
gtk_grid_set_column_spacing(cast(grid), 10)
let user = field("_Username", contentType: "username", row: 0, in: grid)
let password = field("_Password", contentType: "password", row: 1, in: grid)
gtk_entry_set_visibility(cast(password), 0)
gtk_entry_set_input_purpose(cast(password), GTK_INPUT_PURPOSE_PASSWORD)
let button: Widget = gtk_button_new_with_mnemonic("_Log In")
gtk_widget_set_can_default(button, 1)
gtk_grid_attach(cast(grid), button, 1, 2, 1, 1)
let state: Widget = gtk_label_new("Not signed in.")
gtk_grid_attach(cast(grid), state, 0, 3, 2, 1)
gtk_container_add(cast(window), grid)
gtk_window_set_default(cast(window), button)
(Shiny.user, Shiny.password, Shiny.state) = (user, password, state)
connect(button, "clicked") { _, _ in MainActor.assumeIsolated { Shiny.signIn() } }
connect(window, "destroy") { _, _ in gtk_main_quit() }
gtk_widget_show_all(window)
gtk_widget_grab_focus(user)
gtk_main()
