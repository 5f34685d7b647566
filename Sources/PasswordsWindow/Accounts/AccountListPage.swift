// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel

/// The sections All, Codes and Deleted: a list with a search and an order.
@DesktopActor final class AccountListPage {
    /// Which accounts are listed.
    enum Kind: Sendable {
        case all, codes, deleted
    }

    let widget: Widget
    let header: Widget
    private let context: PageContext
    private let search: Widget
    private let choice: Widget
    private let order: Widget
    /// Moves the focus to what comes behind the list; says whether it has.
    var leave: @DesktopActor () -> Bool = { false }
    /// The choices that stand in `choice`.
    private var choices: [AccountList.Choice] = []
    /// Names files that are damaged or cannot be written.
    private let faults = Widgets.label("", wraps: true)
    private let empty: Widget
    private let addButton: Widget
    private let importButton: Widget
    private var view: AccountListView?
    private var list = AccountList()
    private var kind = Kind.all
    /// Counts what was asked for, so that an answer for another section is dropped.
    private var turn = 0
    private var isShowing = false

    /// - Parameters:
    ///   - open: Called with the account that the user opens.
    ///   - add: Called when the user wants to add one.
    init(
        _ context: PageContext, open: @escaping @DesktopActor (AccountRow) -> Void,
        add: @escaping @DesktopActor () -> Void
    ) {
        self.context = context
        widget = Widgets.column()
        header = Widgets.header("All Accounts")
        search = gtk_search_entry_new()
        empty = Widgets.statusPage("dialog-password-symbolic", "No Accounts Yet", "")
        addButton = Widgets.iconButton("list-add-symbolic", "Add Account", add)
        importButton = Widgets.iconButton("document-open-symbolic", "Import Passwords from a File")
        adw_header_bar_pack_end(cast(header), addButton)
        adw_header_bar_pack_end(cast(header), importButton)
        widget.append(header)
        widget.append(faults.margin(12))
        gtk_label_set_selectable(cast(faults), 1)
        faults.show(false)
        let bar = Widgets.line().margin(6)
        gtk_widget_set_hexpand(search, 1)
        bar.append(search.named("Search accounts"))
        order = gtk_drop_down_new(Widgets.strings(AccountList.Order.allCases.map(\.name)), nil)
        gtk_widget_set_tooltip_text(order, "Sort by")
        bar.append(order.named("Sort by"))
        // The button inside is what has the focus.
        if let button = gtk_widget_get_first_child(order) { latchkey_set_accessible_name(button, "Sort by") }
        widget.append(bar)
        choice = gtk_drop_down_new(nil, nil)
        gtk_widget_set_tooltip_text(choice, "Show")
        widget.append(choice.named("Show").margin(6))
        choice.show(false)
        let view = AccountListView(open: open)
        self.view = view
        view.leave = { [weak self] isForward in
            guard let self else { return false }
            if isForward { return leave() }
            return gtk_widget_grab_focus(gtk_widget_get_visible(choice) != 0 ? choice : order) != 0
        }
        widget.append(view.widget, expands: true)
        widget.append(empty, expands: true)
        empty.show(false)
        // At each letter: the entry's own signal for searches comes a moment later.
        search.on("changed") { [weak self] in
            guard let self, !isShowing else { return }
            list.search(for: Widgets.text(of: search))
            draw()
        }
        search.on("activate") { [weak self] in
            if let first = self?.list.rows.first { open(first) }
        }
        search.onKey { [weak self] key in
            guard key == GDK_KEY_Down else { return false }
            self?.view?.takeFocus()
            return true
        }
        importButton.on("clicked") { [weak self] in FileImport.begin(context) { self?.reload() } }
        choice.onChange(of: "selected") { [weak self] in
            guard let self, !isShowing else { return }
            let index = Int(gtk_drop_down_get_selected(cast(choice)))
            guard choices.indices.contains(index) else { return }
            list.show(choices[index])
            draw()
        }
        order.onChange(of: "selected") { [weak self, order] in
            guard let order = AccountList.Order(rawValue: Int(gtk_drop_down_get_selected(cast(order)))) else { return }
            self?.list.sort(by: order)
            self?.draw()
        }
    }

    /// Lists a section's accounts.
    func show(_ kind: Kind) {
        isShowing = true
        Widgets.clear(search)
        isShowing = false
        if kind != self.kind {
            view?.choose(nil)
            list.show(.everything)
        }
        // Those that are there and those that were deleted are never shown for one another.
        if (kind == .deleted) != (self.kind == .deleted) {
            list.replace(with: [])
            view?.show([])
            empty.show(false)
        }
        self.kind = kind
        list.search(for: "")
        list.showCodesOnly(kind == .codes)
        addButton.show(kind == .all)
        importButton.show(kind == .all)
        Widgets.setTitle(
            of: header, [.all: "All Accounts", .codes: "Codes", .deleted: "Deleted"][kind] ?? "")
        reload()
    }

    /// Asks for the accounts anew.
    ///
    /// - Parameter isQuiet: Whether the app asks by itself, which does not put off the idle lock.
    func reload(isQuiet: Bool = false) {
        turn += 1
        let asked = turn
        context.run { [self] in
            let items = try await context.daemon.items(removed: kind == .deleted, isQuiet: isQuiet) { [weak self] in
                await self?.begin(with: $0, of: asked)
            }
            guard asked == turn else { return }
            list.replace(with: items)
            draw()
            // Behind the list, because reading it finds out whether the vault is whole.
            let files = try await context.daemon.call(Settings.Status.self).files ?? []
            Widgets.set(faults, files.map { $0.problem + " " + $0.hint }.joined(separator: "\n"))
            faults.show(!files.isEmpty)
        }
    }

    /// Shows what has come first, where nothing is shown yet.
    private func begin(with items: [Item], of asked: Int) {
        guard asked == turn, list.isEmpty else { return }
        list.replace(with: items)
        draw()
    }

    /// Updates one account in the list. `nil` removes it from this section.
    func update(_ id: String, _ item: Item?) {
        list.update(id, item)
        draw()
    }

    func choose(_ id: String?) { view?.choose(id) }

    func focusSearch() { gtk_widget_grab_focus(search) }

    /// - Returns: Whether the list of accounts has the keyboard now.
    func focusList() -> Bool { view?.takeFocus() == true }

    /// What can be chosen, which is shown where there is more than everything.
    private func drawChoices() {
        guard list.choices != choices || choices.firstIndex(of: list.choice) != chosenIndex else { return }
        choices = list.choices
        isShowing = true
        let names = Widgets.strings(choices.map(\.name))
        gtk_drop_down_set_model(cast(choice), names)
        g_object_unref(names.map { UnsafeMutableRawPointer($0) })
        gtk_drop_down_set_selected(cast(choice), guint(choices.firstIndex(of: list.choice) ?? 0))
        isShowing = false
        if let button = gtk_widget_get_first_child(choice) { latchkey_set_accessible_name(button, "Show") }
        choice.show(choices.count > 1)
    }

    private var chosenIndex: Int { Int(gtk_drop_down_get_selected(cast(choice))) }

    private func draw() {
        drawChoices()
        view?.show(list.rows)
        view?.widget.show(!list.rows.isEmpty)
        empty.show(list.rows.isEmpty)
        Widgets.setTitle(
            of: header, [.all: "All Accounts", .codes: "Codes", .deleted: "Deleted"][kind] ?? "",
            list.rows.isEmpty ? "" : "\(list.rows.count)")
        guard list.rows.isEmpty else { return }
        let texts =
            if !list.search.isEmpty {
                ("Nothing Is Found", "No account has these words in its website, user name or tags.")
            } else if list.choice != .everything {
                ("Nothing Here", "No account of this section is one of “\(list.choice.name)”.")
            } else {
                switch kind {
                case .all:
                    (
                        "No Accounts Yet",
                        "What you save in a browser appears here. You can also add an account, or import a file."
                    )
                case .codes: ("No Codes Yet", "An account has codes once its set-up key is saved with it.")
                case .deleted: ("Nothing Is Deleted", "A deleted account can be brought back for 30 days.")
                }
            }
        adw_status_page_set_title(cast(empty), texts.0)
        empty.eachInside("GtkScrolledWindow") { latchkey_set_accessible_name($0, texts.0) }
        adw_status_page_set_description(cast(empty), Widgets.escaped(texts.1))
    }
}
