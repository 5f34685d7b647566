// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import MainLoop

typealias Widget = UnsafeMutablePointer<GtkWidget>

/// What C's macros are for: a widget as what it also is.
func cast<Kind>(_ widget: Widget?, to kind: Kind.Type = Kind.self) -> UnsafeMutablePointer<Kind>? {
    widget.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: kind) }
}

/// The same for types of GTK whose contents are nobody else's.
func cast(_ widget: Widget?) -> OpaquePointer? {
    widget.map { OpaquePointer($0) }
}

/// A closure that a signal runs. It lives as long as what sends the signal.
private final class Action {
    let run: @DesktopActor (UnsafeMutableRawPointer?) -> Bool

    init(_ run: @escaping @DesktopActor (UnsafeMutableRawPointer?) -> Bool) {
        self.run = run
    }

    /// GTK calls this on the main thread, within its loop.
    static func call(_ data: UnsafeMutableRawPointer?, with argument: UnsafeMutableRawPointer?) -> Bool {
        guard let data else { return false }
        let action = Unmanaged<Action>.fromOpaque(data).takeUnretainedValue()
        // It is GTK's until the callback returns, and the closure runs within it, on this thread.
        nonisolated(unsafe) let argument = argument
        let run = action.run
        return DesktopActor.assumeIsolated { run(argument) }
    }
}

/// The signals of any object of GLib's.
@DesktopActor enum Signal {
    /// The forms that GTK's callbacks have.
    enum Form {
        /// `(object, data)`
        case plain
        /// `(object, argument, data)`
        case withArgument
        /// `(object, number, data)`; the argument is `nil`.
        case withNumber
        /// `(object, number, number, data)`; the argument has the first number as its address.
        case withNumbers
        /// `(controller, key, code, state, data)`; the argument has the key's value as its address, with the bit 32 set for Control.
        case key
    }

    static func connect(
        _ object: UnsafeMutableRawPointer, _ name: String, _ form: Form,
        _ run: @escaping @DesktopActor (UnsafeMutableRawPointer?) -> Bool
    ) {
        let callback: GCallback
        switch form {
        case .plain:
            let plain: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> gboolean = { _, data in
                Action.call(data, with: nil) ? 1 : 0
            }
            callback = unsafeBitCast(plain, to: GCallback.self)
        case .withArgument:
            let one:
                @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?)
                    -> gboolean = { _, argument, data in Action.call(data, with: argument) ? 1 : 0 }
            callback = unsafeBitCast(one, to: GCallback.self)
        case .withNumber:
            let one: @convention(c) (UnsafeMutableRawPointer?, guint, UnsafeMutableRawPointer?) -> gboolean = {
                _, number, data in
                Action.call(data, with: UnsafeMutableRawPointer(bitPattern: UInt(number))) ? 1 : 0
            }
            callback = unsafeBitCast(one, to: GCallback.self)
        case .withNumbers:
            let two: @convention(c) (UnsafeMutableRawPointer?, gint, gint, UnsafeMutableRawPointer?) -> gboolean = {
                _, number, _, data in
                Action.call(data, with: UnsafeMutableRawPointer(bitPattern: UInt(max(0, number)))) ? 1 : 0
            }
            callback = unsafeBitCast(two, to: GCallback.self)
        case .key:
            let key:
                @convention(c) (UnsafeMutableRawPointer?, guint, guint, guint, UnsafeMutableRawPointer?) -> gboolean = {
                    _, key, _, state, data in
                    let isControl = state & GDK_CONTROL_MASK.rawValue != 0
                    let value = UInt(key) | (isControl ? 1 << 32 : 0)
                    return Action.call(data, with: UnsafeMutableRawPointer(bitPattern: value)) ? 1 : 0
                }
            callback = unsafeBitCast(key, to: GCallback.self)
        }
        g_signal_connect_data(
            object, name, callback, Unmanaged.passRetained(Action(run)).toOpaque(),
            { data, _ in
                if let data { Unmanaged<Action>.fromOpaque(data).release() }
            }, GConnectFlags(rawValue: 0))
    }
}

@DesktopActor extension Widget {
    /// Runs a closure whenever a signal is sent that says nothing more.
    func on(_ signal: String, _ run: @escaping @DesktopActor () -> Void) {
        Signal.connect(self, signal, .plain) { _ in
            run()
            return false
        }
    }

    /// Runs a closure for a signal with one object as its argument.
    func onArgument(_ signal: String, _ run: @escaping @DesktopActor (UnsafeMutableRawPointer?) -> Void) {
        Signal.connect(self, signal, .withArgument) { argument in
            run(argument)
            return false
        }
    }

    /// Runs a closure for a signal with a position as its argument.
    func onNumber(_ signal: String, _ run: @escaping @DesktopActor (Int) -> Void) {
        Signal.connect(self, signal, .withNumber) { argument in
            run(Int(bitPattern: argument))
            return false
        }
    }

    /// Runs a closure when a property changes.
    func onChange(of property: String, _ run: @escaping @DesktopActor () -> Void) {
        onArgument("notify::\(property)") { _ in run() }
    }

    /// Runs a closure when a check button is pressed.
    func onToggle(_ run: @escaping @DesktopActor () -> Void) { on("toggled", run) }

    /// Runs a closure for each key that is pressed in this widget; it says whether it has taken the key.
    func onKey(_ run: @escaping @DesktopActor (Int32) -> Bool) {
        guard let controller = gtk_event_controller_key_new() else { return }
        Signal.connect(UnsafeMutableRawPointer(controller), "key-pressed", .key) { key in
            run(Int32(truncatingIfNeeded: Int(bitPattern: key) & 0xFFFF_FFFF))
        }
        gtk_widget_add_controller(self, controller)
    }

    /// Runs a closure when Tab, or Shift and Tab, would move the focus on from something in this widget; it says whether it has moved it.
    ///
    /// A list of GTK 4.8 goes through each of its rows otherwise, of which there may be thousands.
    func onTab(_ run: @escaping @DesktopActor (_ isForward: Bool) -> Bool) {
        guard let controller = gtk_event_controller_key_new() else { return }
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        Signal.connect(UnsafeMutableRawPointer(controller), "key-pressed", .key) { key in
            switch Int32(truncatingIfNeeded: Int(bitPattern: key) & 0xFFFF_FFFF) {
            case GDK_KEY_Tab: run(true)
            case GDK_KEY_ISO_Left_Tab: run(false)
            default: false
            }
        }
        gtk_widget_add_controller(self, controller)
    }

    /// Runs a closure at each key that is pressed anywhere in this widget, whatever becomes of the key.
    func onAnyKey(_ run: @escaping @DesktopActor () -> Void) {
        guard let controller = gtk_event_controller_key_new() else { return }
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        Signal.connect(UnsafeMutableRawPointer(controller), "key-pressed", .key) { _ in
            run()
            return false
        }
        gtk_widget_add_controller(self, controller)
    }

    /// Runs a closure for each key that is pressed together with Control anywhere in this widget, before what has the focus gets it.
    func onShortcut(_ run: @escaping @DesktopActor (Int32) -> Bool) {
        guard let controller = gtk_event_controller_key_new() else { return }
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        Signal.connect(UnsafeMutableRawPointer(controller), "key-pressed", .key) { key in
            let value = Int(bitPattern: key)
            return value >> 32 & 1 != 0 && run(Int32(truncatingIfNeeded: value & 0xFFFF_FFFF))
        }
        gtk_widget_add_controller(self, controller)
    }

    /// Puts a widget into this box, below or behind what is there.
    func append(_ child: Widget, expands: Bool = false) {
        if expands { gtk_widget_set_vexpand(child, 1) }
        gtk_box_append(cast(self), child)
    }

    /// Takes everything out of this box.
    func removeAll() {
        while let child = gtk_widget_get_first_child(self) { gtk_box_remove(cast(self), child) }
    }

    func style(_ names: String...) -> Widget {
        for name in names { gtk_widget_add_css_class(self, name) }
        return self
    }

    func margin(_ size: Int32) -> Widget {
        gtk_widget_set_margin_top(self, size)
        gtk_widget_set_margin_bottom(self, size)
        gtk_widget_set_margin_start(self, size)
        gtk_widget_set_margin_end(self, size)
        return self
    }

    /// Does something to each widget of a type, anywhere inside of this one.
    func eachInside(_ type: String, _ body: (Widget) -> Void) {
        var child = gtk_widget_get_first_child(self)
        while let found = child {
            if latchkey_type_name(found).map({ String(cString: $0) }) == type { body(found) }
            found.eachInside(type, body)
            child = gtk_widget_get_next_sibling(found)
        }
    }

    /// Where the focus is inside of this widget: the number of each child on the way to it. `nil` if it is not inside.
    func placeOfFocus(in window: UnsafeMutablePointer<GtkWindow>?) -> [Int]? {
        guard let window, var one = gtk_window_get_focus(window), gtk_widget_is_ancestor(one, self) != 0 else {
            return nil
        }
        var place: [Int] = []
        while one != self, let parent = gtk_widget_get_parent(one) {
            var (number, sibling) = (0, gtk_widget_get_prev_sibling(one))
            while let before = sibling {
                number += 1
                sibling = gtk_widget_get_prev_sibling(before)
            }
            place.insert(number, at: 0)
            one = parent
        }
        return place
    }

    /// Puts the focus where it was before everything inside of this widget was drawn anew.
    func putFocus(at place: [Int]?) {
        guard let place, var one = gtk_widget_get_first_child(self), !place.isEmpty else { return }
        for (depth, number) in place.enumerated() {
            if depth > 0 {
                guard let child = gtk_widget_get_first_child(one) else { break }
                one = child
            }
            for _ in 0..<number {
                guard let next = gtk_widget_get_next_sibling(one) else { break }
                one = next
            }
        }
        // Where it is another kind of thing now, its row is what is nearest.
        if gtk_widget_grab_focus(one) == 0 { _ = gtk_widget_child_focus(self, GTK_DIR_TAB_FORWARD) }
    }

    /// The name by which a screen reader tells of it.
    func named(_ name: String) -> Widget {
        latchkey_set_accessible_name(self, name)
        return self
    }

    func show(_ isShown: Bool) { gtk_widget_set_visible(self, isShown ? 1 : 0) }

    func enable(_ isEnabled: Bool) { gtk_widget_set_sensitive(self, isEnabled ? 1 : 0) }
}
