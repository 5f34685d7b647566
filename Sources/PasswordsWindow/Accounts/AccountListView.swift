// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CAdwaita
internal import MainLoop
internal import PasswordsModel
internal import ShownText

/// A list of accounts of any length: GTK makes widgets for the rows that are seen alone, and asks for the contents of each row by its
/// position.
@DesktopActor final class AccountListView {
    let widget: Widget
    private let view: Widget
    private let model: OpaquePointer?
    private let selection: OpaquePointer?
    private var rows: [AccountRow] = []
    private var chosen: String?
    /// Moves the focus out of the list, in the direction of Tab or against it; says whether it has.
    var leave: @DesktopActor (_ isForward: Bool) -> Bool = { _ in false }
    /// The items that have widgets now, with the row that each shows.
    private var bound: [OpaquePointer: AccountRow] = [:]

    /// - Parameter open: Called with the account that the user opens.
    init(open: @escaping @DesktopActor (AccountRow) -> Void) {
        // One item for each row; what the row shows stands in `rows`.
        let model = gtk_string_list_new(nil)
        let selection = gtk_single_selection_new(model)
        self.model = model
        self.selection = selection
        gtk_single_selection_set_autoselect(selection, 0)
        gtk_single_selection_set_can_unselect(selection, 1)
        let factory = gtk_signal_list_item_factory_new()
        view = gtk_list_view_new(selection, factory)
        gtk_list_view_set_single_click_activate(cast(view), 1)
        _ = view.named("Accounts").style("navigation-sidebar")
        widget = Widgets.scrolled(view)
        view.onTab { [weak self] isForward in self?.leave(isForward) ?? false }
        guard let factory else { return }
        let signals = UnsafeMutableRawPointer(factory)
        Signal.connect(signals, "setup", .withArgument) { item in
            gtk_list_item_set_child(item.map { OpaquePointer($0) }, Self.makeRow())
            return false
        }
        Signal.connect(signals, "bind", .withArgument) { [weak self] item in
            if let item { self?.bind(OpaquePointer(item)) }
            return false
        }
        Signal.connect(signals, "unbind", .withArgument) { [weak self] item in
            if let item { self?.bound.removeValue(forKey: OpaquePointer(item)) }
            return false
        }
        view.onNumber("activate") { [weak self] position in
            guard let self, rows.indices.contains(position) else { return }
            chosen = rows[position].id
            gtk_single_selection_set_selected(self.selection, guint(position))
            open(rows[position])
        }
    }

    /// Shows other rows in the place of all. Widgets stay where they are and get other contents: making 200 anew, as many as GTK keeps,
    /// takes longer than a letter may.
    func show(_ rows: [AccountRow]) {
        let before = g_list_model_get_n_items(model)
        self.rows = rows
        let count = guint(clamping: rows.count)
        if count > before {
            Widgets.splice(model, at: before, removing: 0, adding: Int(count - before))
        } else if count < before {
            Widgets.splice(model, at: count, removing: before - count, adding: 0)
        }
        for (item, shown) in bound where shown != row(of: item) { bind(item) }
        guard let chosen, let position = rows.firstIndex(where: { $0.id == chosen }) else {
            gtk_single_selection_set_selected(selection, Self.noPosition)
            return
        }
        gtk_single_selection_set_selected(selection, guint(position))
    }

    /// Marks the account that is open beside the list.
    func choose(_ id: String?) {
        chosen = id
        let position = id.flatMap { id in rows.firstIndex { $0.id == id } }
        gtk_single_selection_set_selected(selection, position.map { guint($0) } ?? Self.noPosition)
    }

    /// The row that is marked, by the user or by `choose`.
    var marked: AccountRow? {
        let position = gtk_single_selection_get_selected(selection)
        return position == Self.noPosition || !rows.indices.contains(Int(position)) ? nil : rows[Int(position)]
    }

    /// - Returns: Whether the list has the keyboard now.
    @discardableResult func takeFocus() -> Bool { gtk_widget_grab_focus(view) != 0 }

    /// GTK_INVALID_LIST_POSITION
    private static let noPosition = guint.max

    private static func makeRow() -> Widget {
        let line = Widgets.line(spacing: 10)
        line.append(Widgets.letterTile("", size: 32))
        let texts = Widgets.column()
        gtk_widget_set_valign(texts, GTK_ALIGN_CENTER)
        gtk_widget_set_hexpand(texts, 1)
        texts.append(Widgets.label(""))
        texts.append(Widgets.label("").style("dim-label", "caption"))
        line.append(texts)
        let star: Widget = gtk_image_new_from_icon_name("starred-symbolic")
        // The row's own name says it.
        latchkey_hide_from_screen_reader(star)
        line.append(star)
        return line
    }

    private func row(of item: OpaquePointer) -> AccountRow? {
        let position = Int(gtk_list_item_get_position(item))
        return rows.indices.contains(position) ? rows[position] : nil
    }

    private func bind(_ item: OpaquePointer) {
        guard let row = row(of: item), let line = gtk_list_item_get_child(item),
            let tile = gtk_widget_get_first_child(line), let texts = gtk_widget_get_next_sibling(tile),
            let title = gtk_widget_get_first_child(texts), let user = gtk_widget_get_next_sibling(title),
            let star = gtk_widget_get_next_sibling(texts)
        else { return }
        bound[item] = row
        adw_avatar_set_text(cast(tile), row.title.text)
        Widgets.set(title, row.title.text)
        Widgets.set(user, row.details(Widgets.moment).text)
        star.show(row.isFavorite)
        // The list's own item around the row is what a screen reader tells of.
        if let parent = gtk_widget_get_parent(line) {
            latchkey_set_accessible_name(parent, row.spoken(Widgets.moment).text)
        }
    }
}
