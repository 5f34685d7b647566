// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel

/// Shows one secret, in large type with digits and signs told apart.
///
/// It is drawn, so no text of it is on the accessibility bus. Where the user asks for it, the characters become the drawing's name, by
/// which a screen reader spells them.
@DesktopActor final class SecretView {
    /// How a secret is laid out.
    enum Style {
        /// Each character in a cell of its own.
        case characters
        /// As a text of several lines.
        case text
    }

    /// A row of a group.
    let widget: Widget
    private let name: String
    private let area: Widget
    private let drawing: SecretDrawing
    private let spell: Widget

    init(_ name: String, _ style: Style = .characters) {
        widget = adw_preferences_row_new()
        latchkey_set_accessible_name(widget, "\(name), shown")
        gtk_widget_set_focusable(widget, 0)
        let column = Widgets.column(spacing: 6).margin(12)
        area = latchkey_drawing_area()
        drawing = SecretDrawing(area, style)
        _ = area.named("\(name), shown on the screen only")
        gtk_widget_set_focusable(area, 1)
        let drawing = drawing
        let area = area
        spell = Widgets.button("Read to Screen Reader") {
            guard let secret = drawing.secret else { return }
            let text =
                style == .characters
                ? PasswordCharacter.spelled(secret)
                : secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            latchkey_set_accessible_name(area, text)
            gtk_widget_grab_focus(area)
        }
        gtk_widget_set_halign(spell, GTK_ALIGN_START)
        _ = spell.style("flat")
        column.append(area)
        column.append(spell)
        gtk_list_box_row_set_child(cast(widget), column)
        widget.show(false)
        self.name = name
    }

    func show(_ secret: SecretBytes) {
        drawing.secret = secret
        // What was read to a screen reader before was another one.
        latchkey_set_accessible_name(area, "\(name), shown on the screen only")
        widget.show(true)
    }

    func hide() {
        drawing.secret = nil
        latchkey_set_accessible_name(area, "\(name), shown on the screen only")
        widget.show(false)
    }

    var isShown: Bool { drawing.secret != nil }
}

/// Draws a secret with Pango, and keeps the only copy of it that this program has.
@DesktopActor private final class SecretDrawing {
    private let area: Widget
    private let style: SecretView.Style
    private var width: Int32 = 0

    var secret: SecretBytes? {
        didSet {
            resize()
            gtk_widget_queue_draw(area)
        }
    }

    init(_ area: Widget, _ style: SecretView.Style) {
        self.area = area
        self.style = style
        gtk_drawing_area_set_draw_func(
            cast(area),
            { _, context, width, height, data in
                guard let data else { return }
                let drawing = Unmanaged<SecretDrawing>.fromOpaque(data).takeUnretainedValue()
                // GTK lends it for the time of this call.
                nonisolated(unsafe) let context = context
                DesktopActor.assumeIsolated { drawing.draw(on: context, width: width) }
            }, Unmanaged.passRetained(self).toOpaque(),
            { data in
                if let data { Unmanaged<SecretDrawing>.fromOpaque(data).release() }
            })
        Signal.connect(area, "resize", .withNumbers) { [weak self] argument in
            let width = Int32(clamping: Int(bitPattern: argument))
            guard let self, width != self.width else { return false }
            self.width = width
            // Not while sizes are being given out.
            Task { @DesktopActor in self.resize() }
            return false
        }
    }

    private var characters: [Character] {
        guard let secret else { return [] }
        return secret.withUnsafeBytes { Array(String(decoding: $0, as: UTF8.self)) }
    }

    private func layout(_ text: String, size: Int32) -> OpaquePointer? {
        guard let layout = gtk_widget_create_pango_layout(area, text) else { return nil }
        let font = pango_font_description_from_string("Monospace \(size)")
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        return layout
    }

    /// The size of a cell of one character.
    private var cell: (width: Int32, height: Int32) {
        guard let layout = layout("W", size: 18) else { return (24, 36) }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        var (width, height): (Int32, Int32) = (0, 0)
        pango_layout_get_pixel_size(layout, &width, &height)
        return (width + 8, height + 8)
    }

    private func resize() {
        guard secret != nil else { return gtk_drawing_area_set_content_height(cast(area), 0) }
        switch style {
        case .characters:
            let cell = cell
            let columns = max(1, max(width, 160) / cell.width)
            let lines = (Int32(clamping: characters.count) + columns - 1) / columns
            gtk_drawing_area_set_content_height(cast(area), min(4_000, max(1, lines) * cell.height))
        case .text:
            guard let layout = wrapped(max(width, 160)) else { return }
            defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
            var (textWidth, height): (Int32, Int32) = (0, 0)
            pango_layout_get_pixel_size(layout, &textWidth, &height)
            gtk_drawing_area_set_content_height(cast(area), min(20_000, height + 8))
        }
    }

    private func wrapped(_ width: Int32) -> OpaquePointer? {
        guard let secret else { return nil }
        let text = secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        guard let layout = layout(text, size: 12) else { return nil }
        pango_layout_set_width(layout, width * PANGO_SCALE)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        return layout
    }

    private func draw(on context: OpaquePointer?, width: Int32) {
        guard secret != nil else { return }
        var text = GdkRGBA()
        gtk_style_context_get_color(gtk_widget_get_style_context(area), &text)
        guard style == .characters else {
            guard let layout = wrapped(width) else { return }
            defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
            gdk_cairo_set_source_rgba(context, &text)
            cairo_move_to(context, 0, 4)
            pango_cairo_show_layout(context, layout)
            return
        }
        let cell = cell
        let columns = max(1, width / cell.width)
        // A password reads from left to right in every language.
        for (index, character) in characters.enumerated() {
            let x = Double(Int32(index) % columns * cell.width)
            let y = Double(Int32(index) / columns * cell.height)
            let kind = PasswordCharacter.kind(of: character)
            if kind == .digit {
                // Not by colour alone: each digit has a line below it.
                gdk_cairo_set_source_rgba(context, &text)
                cairo_rectangle(context, x + 5, y + Double(cell.height) - 4, Double(cell.width) - 10, 1.5)
                cairo_fill(context)
            }
            guard let layout = layout(String(character), size: 18) else { continue }
            defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
            let colour = Self.colour(of: kind)
            if let colour, latchkey_is_a11y_high_contrast() == 0 {
                cairo_set_source_rgb(context, colour.0, colour.1, colour.2)
            } else {
                gdk_cairo_set_source_rgba(context, &text)
            }
            cairo_move_to(context, x + 4, y + 2)
            pango_cairo_show_layout(context, layout)
        }
    }

    /// `nil` for the colour of all text. Both have a contrast of 4.5 at least with the window behind them.
    private static func colour(of kind: PasswordCharacter.Kind) -> (Double, Double, Double)? {
        let isDark = adw_style_manager_get_dark(adw_style_manager_get_default()) != 0
        return switch kind {
        case .letter: nil
        case .digit: isDark ? (0.60, 0.76, 0.95) : (0.10, 0.37, 0.71)
        case .other: isDark ? (0.97, 0.55, 0.50) : (0.65, 0.11, 0.18)
        }
    }
}
