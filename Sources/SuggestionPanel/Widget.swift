// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import DesktopFields
internal import MainLoop

typealias Widget = UnsafeMutablePointer<GtkWidget>

/// What C's macros are for: a widget as what it also is.
func cast<Kind>(_ widget: Widget?, to kind: Kind.Type = Kind.self) -> UnsafeMutablePointer<Kind>? {
    widget.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: kind) }
}

/// A closure that a widget's signal runs. It lives as long as the widget.
final class Action {
    let run: @DesktopActor () -> Void

    init(_ run: @escaping @DesktopActor () -> Void) {
        self.run = run
    }
}

@DesktopActor extension Widget {
    /// Runs a closure whenever the signal is sent.
    func on(_ signal: String, _ run: @escaping @DesktopActor () -> Void) {
        let callback: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = { _, data in
            guard let data else { return }
            let action = Unmanaged<Action>.fromOpaque(data).takeUnretainedValue()
            let run = action.run
            DesktopActor.assumeIsolated { run() }
        }
        connect(signal, unsafeBitCast(callback, to: GCallback.self), Action(run))
    }

    /// Runs a closure for a signal that says what it is about and takes whether it was handled.
    func onEvent(_ signal: String, _ run: @escaping @DesktopActor (UnsafeMutableRawPointer?) -> Bool) {
        let callback:
            @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> gboolean =
                {
                    _, event, data in
                    guard let data else { return 0 }
                    let action = Unmanaged<EventAction>.fromOpaque(data).takeUnretainedValue()
                    // It is GTK's until this callback returns, and the closure below runs within it, on this thread.
                    nonisolated(unsafe) let event = event
                    let run = action.run
                    return DesktopActor.assumeIsolated { run(event) } ? 1 : 0
                }
        connect(signal, unsafeBitCast(callback, to: GCallback.self), EventAction(run))
    }

    private func connect(_ signal: String, _ callback: GCallback, _ action: AnyObject) {
        g_signal_connect_data(
            self, signal, callback, Unmanaged.passRetained(action).toOpaque(),
            { data, _ in
                if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
            }, GConnectFlags(rawValue: 0))
    }

    /// Puts a widget inside this one.
    func add(_ child: Widget) { gtk_container_add(cast(self), child) }

    /// Puts a widget into this box.
    func pack(_ child: Widget, expands: Bool = false) {
        gtk_box_pack_start(cast(self), child, expands ? 1 : 0, expands ? 1 : 0, 0)
    }

    /// The name by which a screen reader tells of it.
    func setAccessibleName(_ name: String) {
        if let accessible = gtk_widget_get_accessible(self) { atk_object_set_name(accessible, name) }
    }
}

/// A closure for a signal with an event.
final class EventAction {
    let run: @DesktopActor (UnsafeMutableRawPointer?) -> Bool

    init(_ run: @escaping @DesktopActor (UnsafeMutableRawPointer?) -> Bool) {
        self.run = run
    }
}

@DesktopActor enum Widgets {
    static func column(spacing: Int32) -> Widget { gtk_box_new(GTK_ORIENTATION_VERTICAL, spacing) }

    /// A text that is shown as it is: nothing in it is markup.
    static func label(_ text: String, wraps: Bool = false) -> Widget {
        let label: Widget = gtk_label_new(text)
        gtk_label_set_xalign(cast(label), 0)
        if wraps {
            gtk_label_set_line_wrap(cast(label), 1)
            gtk_label_set_line_wrap_mode(cast(label), PANGO_WRAP_WORD_CHAR)
            gtk_label_set_max_width_chars(cast(label), 48)
        } else {
            gtk_label_set_ellipsize(cast(label), PANGO_ELLIPSIZE_END)
        }
        return label
    }

    /// A button with its text at the left.
    static func row(_ text: String, _ press: @escaping @DesktopActor () -> Void) -> Widget {
        let button: Widget = gtk_button_new()
        gtk_button_set_relief(cast(button), GTK_RELIEF_NONE)
        button.add(label(text))
        button.setAccessibleName(text)
        button.on("clicked", press)
        return button
    }
}
