// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import CGTK
package import DesktopFields
package import MainLoop

/// The panel beside a field of a native program: what is offered, and the way to everything else.
///
/// Its size is the same whatever is saved. Only a screen reader is told on the accessibility bus what stands in it: without one, the whole
/// program is not on that bus.
@DesktopActor package final class PanelWindow {
    /// What the panel offers.
    package enum Contents: Equatable, Sendable {
        case rows([String])
        case locked
        /// A sentence in place of rows: what became of a fill.
        case notice(String)
    }

    /// What the user chose.
    package enum Choice: Equatable, Sendable {
        /// The row of this index.
        case row(Int)
        case all
        case unlock
        case none
    }

    private static let width: Int32 = 320
    private static let height: Int32 = 112
    /// A press that comes sooner after the panel has appeared was meant for what was there before.
    private static let arming = Duration.milliseconds(500)

    private let chosen: @DesktopActor (Choice) -> Void
    private var window: Widget?
    private var shown = ContinuousClock.now
    /// Whether the user called it by the key: then it has the keyboard, and the program's window is not in front.
    package private(set) var takesKeyboard = false

    package init(chosen: @escaping @DesktopActor (Choice) -> Void) {
        self.chosen = chosen
    }

    package var isShown: Bool { window != nil }

    /// Whether the desktop has given the keyboard to the panel.
    package var hasKeyboard: Bool { window.map { gtk_window_is_active(cast($0)) != 0 } ?? false }

    /// How the panel comes to its place.
    package enum Placing: String, Sendable {
        /// Under the field. On X11 alone a program knows where its windows are and says where they are to be.
        case field
        /// Over all windows at an edge, without taking the keyboard from the program.
        case layer
        /// Where the desktop puts a small window. The desktop may give it the keyboard.
        case window
    }

    package static var placing: Placing {
        if DesktopLoop.isX11 { return .field }
        return LayerShell.shared == nil ? .window : .layer
    }

    /// Shows the panel, or what stands in it anew.
    ///
    /// - Parameters:
    ///   - field: Where the field is on the screen; without it the panel is a small window where the desktop puts it.
    ///   - takesKeyboard: Whether the user called it by the key, so that it gets the keyboard.
    package func show(
        _ contents: Contents, program: String, field: AccessibleObject.Place?, takesKeyboard: Bool
    ) {
        let wasShown = isShown && self.takesKeyboard == takesKeyboard
        if !wasShown { shown = .now }
        if window != nil, !wasShown { hide() }
        let isPlaced = Self.placing == .field && !takesKeyboard && field != nil
        let window = self.window ?? makeWindow(isPlaced: isPlaced, takesKeyboard: takesKeyboard)
        self.window = window
        self.takesKeyboard = takesKeyboard
        if let child = gtk_bin_get_child(cast(window)) { gtk_widget_destroy(child) }
        window.add(content(contents, program: program))
        gtk_widget_show_all(window)
        if isPlaced, let field { place(window, below: field) }
        // What is drawn anew by itself does not take the keyboard again.
        if takesKeyboard, !wasShown { gtk_window_present(cast(window)) }
    }

    /// What was pressed while this program was busy with another was pressed before the user could see what came of it.
    package func arm() {
        shown = .now
    }

    package func hide() {
        guard let window else { return }
        self.window = nil
        takesKeyboard = false
        gtk_widget_destroy(window)
    }

    private func makeWindow(isPlaced: Bool, takesKeyboard: Bool) -> Widget {
        let window: Widget = gtk_window_new(isPlaced ? GTK_WINDOW_POPUP : GTK_WINDOW_TOPLEVEL)
        gtk_window_set_title(cast(window), "Latchkey")
        gtk_window_set_resizable(cast(window), 0)
        gtk_widget_set_size_request(window, Self.width, Self.height)
        if !takesKeyboard {
            // It comes by itself: what the user is typing is not for it.
            gtk_window_set_accept_focus(cast(window), 0)
            gtk_window_set_focus_on_map(cast(window), 0)
        }
        if isPlaced {
            gtk_window_set_type_hint(cast(window), GDK_WINDOW_TYPE_HINT_COMBO)
        } else if let layers = LayerShell.shared {
            layers.place(window, takesKeyboard: takesKeyboard)
        } else {
            gtk_window_set_keep_above(cast(window), 1)
            gtk_window_set_type_hint(cast(window), GDK_WINDOW_TYPE_HINT_DIALOG)
        }
        window.onEvent("key-press-event") { [weak self] event in
            guard let event = event?.assumingMemoryBound(to: GdkEventKey.self),
                event.pointee.keyval == guint(GDK_KEY_Escape)
            else {
                // A desktop that gives every new window the keyboard: what is typed was meant for the program's.
                return self?.takesKeyboard != true
            }
            self?.press(.none)
            return true
        }
        window.onEvent("delete-event") { [weak self] _ in
            self?.press(.none)
            return true
        }
        return window
    }

    private func content(_ contents: Contents, program: String) -> Widget {
        let column = Widgets.column(spacing: 0)
        let scrolled: Widget = gtk_scrolled_window_new(nil, nil)
        gtk_scrolled_window_set_policy(cast(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        let rows = Widgets.column(spacing: 0)
        switch contents {
        case .rows(let texts):
            for (index, text) in texts.enumerated() {
                rows.pack(Widgets.row(text) { [weak self] in self?.press(.row(index)) })
            }
            if texts.isEmpty { rows.pack(Widgets.label("  Sign in to \(program)")) }
        case .locked:
            rows.pack(Widgets.row("Unlock Latchkey…") { [weak self] in self?.press(.unlock) })
        case .notice(let sentence): rows.pack(Widgets.label(sentence, wraps: true))
        }
        scrolled.add(rows)
        column.pack(scrolled, expands: true)
        column.pack(gtk_separator_new(GTK_ORIENTATION_HORIZONTAL))
        column.pack(Widgets.row("All Passwords…   \(program.lastPathPart)") { [weak self] in self?.press(.all) })
        let frame: Widget = gtk_frame_new(nil)
        frame.add(column)
        return frame
    }

    private func press(_ choice: Choice) {
        guard choice == .none || shown + Self.arming <= .now else { return }
        chosen(choice)
    }

    /// Puts the window right under a field, or above it where there is no room below.
    private func place(_ window: Widget, below field: AccessibleObject.Place) {
        let scale = max(1, gtk_widget_get_scale_factor(window))
        let area = Self.area(around: field, scale)
        let (x, y) = (field.x / scale, field.y / scale)
        var top = (field.y + field.height) / scale + 2
        if area.height > 0, top + Self.height > area.y + area.height { top = y - Self.height - 2 }
        let left = area.width > 0 ? max(area.x, min(x, area.x + area.width - Self.width)) : x
        gtk_window_move(cast(window), left, top)
    }

    /// The part of a field's monitor that a panel may be in, in GTK's pixels; empty if it is on none.
    private static func area(around field: AccessibleObject.Place, _ scale: Int32) -> GdkRectangle {
        var monitor = GdkRectangle()
        guard latchkey_monitor_at(field.x, field.y, &monitor) != 0 else { return GdkRectangle() }
        (monitor.x, monitor.y) = (monitor.x / scale, monitor.y / scale)
        (monitor.width, monitor.height) = (monitor.width / scale, monitor.height / scale)
        // Without the desktop's own panels.
        var (work, both) = (GdkRectangle(), GdkRectangle())
        if let known = gdk_display_get_monitor_at_point(
            gdk_display_get_default(), field.x / scale, field.y / scale)
        {
            gdk_monitor_get_workarea(known, &work)
        }
        return gdk_rectangle_intersect(&monitor, &work, &both) != 0 ? both : monitor
    }
}
