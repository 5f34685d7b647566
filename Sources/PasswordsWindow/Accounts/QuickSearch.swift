// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel
internal import ShownText

/// A small window that a key of the desktop opens: an account is found in it, and its password copied.
@DesktopActor final class QuickSearch {
    private let window: Widget
    private let context: PageContext
    private let search: Widget
    private let nothing: Widget
    private var view: AccountListView?
    private var list = AccountList()
    private let open: @DesktopActor (String) -> Void
    private let closed: @DesktopActor () -> Void
    private var isClosed = false
    /// Whether all accounts have come; before that the first row may change under a key that is on its way.
    private var isWhole = false
    private var isCopying = false

    /// - Parameters:
    ///   - open: Called with the id of the account that is to be opened in the app's own window.
    ///   - closed: Called when this window is gone.
    init(
        application: GTKApplication, daemon: any DaemonAsking, commands: any CommandRunning,
        settings: any WindowSettings,
        copy: @escaping PageContext.Copy, open: @escaping @DesktopActor (String) -> Void,
        closed: @escaping @DesktopActor () -> Void
    ) {
        let window: Widget? = adw_application_window_new(application.pointer)
        let toasts: Widget = adw_toast_overlay_new()
        self.window = window ?? toasts
        self.open = open
        self.closed = closed
        context = PageContext(
            daemon: daemon, commands: commands, settings: settings, copy: copy, toasts: toasts
        ) { window }
        search = gtk_search_entry_new()
        nothing = Widgets.statusPage("edit-find-symbolic", "Nothing Is Found", "")
        gtk_window_set_title(cast(window), "Search Passwords")
        gtk_window_set_icon_name(cast(window), "org.latchkey.Passwords")
        gtk_window_set_default_size(cast(window), 440, 420)
        gtk_widget_set_size_request(window, 340, 300)
        let view = AccountListView { [weak self] row in self?.copyPassword(of: row) }
        self.view = view
        let column = Widgets.column()
        column.append(Widgets.header("Search Passwords"))
        let bar = Widgets.line().margin(6)
        gtk_widget_set_hexpand(search, 1)
        bar.append(search.named("Search accounts"))
        column.append(bar)
        column.append(view.widget, expands: true)
        column.append(nothing, expands: true)
        nothing.show(false)
        let keys =
            "Return copies the password, Control+U the user name, Control+K the code. Control+O opens the account."
        column.append(Widgets.label(keys, wraps: true).style("dim-label", "caption").margin(8))
        adw_toast_overlay_set_child(cast(toasts), column)
        adw_application_window_set_content(cast(window), toasts)
        search.on("changed") { [weak self] in
            guard let self else { return }
            list.search(for: Widgets.text(of: search))
            draw()
        }
        search.on("activate") { [weak self] in
            if let row = self?.chosen { self?.copyPassword(of: row) }
        }
        search.onKey { [weak self] key in
            guard key == GDK_KEY_Down else { return false }
            self?.view?.takeFocus()
            return true
        }
        // The search field takes Escape to be emptied; here it closes, as it does everywhere else in the window.
        search.on("stop-search") { [weak self] in self?.close() }
        self.window.onKey { [weak self] key in
            guard key == GDK_KEY_Escape else { return false }
            self?.close()
            return true
        }
        self.window.onShortcut { [weak self] key in self?.pressed(key) ?? false }
        self.window.on("close-request") { [weak self] in self?.end() }
    }

    /// Shows the window, and reads the accounts.
    ///
    /// - Parameter words: What is searched for at first.
    func begin(_ words: String) {
        gtk_editable_set_text(cast(search), words)
        gtk_editable_set_position(cast(search), -1)
        gtk_window_present(cast(window))
        gtk_widget_grab_focus(search)
        context.run { [self] in
            list.replace(
                with: try await context.daemon.items(removed: false) { [weak self] items in
                    await self?.show(items)
                })
            isWhole = true
            draw()
        }
    }

    private func show(_ items: [Item]) {
        list.replace(with: items)
        draw()
    }

    private func draw() {
        guard !isClosed else { return }
        view?.show(list.rows)
        view?.widget.show(!list.rows.isEmpty)
        nothing.show(list.rows.isEmpty)
    }

    /// The account that the keys are for: the one that is marked, or else the first that was searched for.
    private var chosen: AccountRow? {
        guard isWhole else { return nil }
        return view?.marked ?? (list.search.isEmpty ? nil : list.rows.first)
    }

    private func pressed(_ key: Int32) -> Bool {
        guard let row = chosen else { return false }
        switch key {
        case GDK_KEY_u:
            context.copy(text: row.userName)
            close()
        case GDK_KEY_k: copyCode(of: row)
        case GDK_KEY_o:
            close()
            open(row.id)
        default: return false
        }
        return true
    }

    private func copyPassword(of row: AccountRow) {
        copy { [self] in
            let answer = try await context.authenticated(
                Items.Reveal.self, .init(id: row.id, purpose: "copy"), to: "copy the password of \(row.user)")
            // Who has closed the window meanwhile wants it no more.
            if !isClosed, await context.copy(answer.password.bytes, "password") { close() }
        }
    }

    private func copyCode(of row: AccountRow) {
        guard row.hasCode else { return context.say("This account has no codes.") }
        copy { [self] in
            let answer = try await context.authenticated(
                Items.Code.self, .init(id: row.id, purpose: "copy"), to: "copy the code of \(row.user)")
            if !isClosed, await context.copy(answer.code.bytes, "code") { close() }
        }
    }

    /// Copies something, once at a time.
    private func copy(_ work: @escaping @DesktopActor () async throws -> Void) {
        guard !isCopying else { return }
        isCopying = true
        context.run { [self] in
            defer { isCopying = false }
            try await work()
        }
    }

    private func close() {
        guard !isClosed else { return }
        end()
        gtk_window_destroy(cast(window))
    }

    private func end() {
        guard !isClosed else { return }
        isClosed = true
        closed()
    }
}
