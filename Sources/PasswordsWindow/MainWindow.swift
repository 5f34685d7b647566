// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import AutoFillSecrets
internal import CAdwaita
package import MainLoop
package import PasswordsModel

/// The app's window, in each state that Latchkey may have.
@DesktopActor package final class MainWindow {
    /// What the window shows.
    package enum State: Sendable {
        /// No daemon can be reached; why, as a sentence.
        case stopped(String)
        case notInitialized
        /// Data are here without the keyring that opens them; what is to be said of it.
        case keyringMissing(String)
        case locked(takesPIN: Bool)
        case open
    }

    private let application: GTKApplication
    private let context: PageContext
    private let copy: PageContext.Copy
    private let interfaces: Interfaces
    private let window: Widget
    private let stack: Widget
    private let connect: @DesktopActor () -> Void
    private let stateChanged: @DesktopActor () -> Void
    private var shown: Widget?
    private var workspace: Workspace?
    /// Whether something was saved or changed elsewhere since the lists were read.
    private var isStale = false
    private var isReloading = false
    /// Whether the recovery code is about to be shown, or is. Nothing but the user's press takes that page away.
    private var isSettingUp = false
    private var isAskingToClose = false
    private var quickSearch: QuickSearch?
    /// What is done once the accounts can be seen.
    private var waiting: Wish?

    /// What somebody outside of the window wants to see.
    package enum Wish: Sendable, Equatable {
        /// The small window that searches, with these words at first.
        case search(String)
        /// The account with this id.
        case account(String)

        /// The variable with the words of a search that another program of Latchkey starts.
        package static let variable = "LATCHKEY_SEARCH"
    }

    /// - Parameters:
    ///   - application: GTK's application, which is kept alive by the window.
    ///   - daemon: What is asked.
    ///   - commands: What runs `latchkey`.
    ///   - settings: What the user has set about the window.
    ///   - copy: Puts a secret on the clipboard; answers why it could not.
    ///   - connect: Has the program look for the daemon again.
    ///   - stateChanged: Has the program ask what the state is now.
    package init(
        application: GTKApplication, daemon: any DaemonAsking, commands: any CommandRunning,
        settings: any WindowSettings, copy: @escaping @Sendable (SecretBytes) async -> String?,
        connect: @escaping @DesktopActor () -> Void, stateChanged: @escaping @DesktopActor () -> Void
    ) {
        let window: Widget? = adw_application_window_new(application.pointer)
        let toasts: Widget = adw_toast_overlay_new()
        self.window = window ?? toasts
        self.application = application
        self.copy = copy
        self.connect = connect
        self.stateChanged = stateChanged
        stack = gtk_stack_new()
        context = PageContext(
            daemon: daemon, commands: commands, settings: settings, copy: copy, toasts: toasts
        ) { window }
        interfaces = Interfaces(context)
        adw_toast_overlay_set_child(cast(toasts), stack)
        adw_application_window_set_content(cast(window), toasts)
        gtk_window_set_title(cast(window), "Passwords")
        gtk_window_set_icon_name(cast(window), "org.latchkey.Passwords")
        gtk_window_set_default_size(cast(window), 900, 640)
        gtk_widget_set_size_request(window, 360, 400)
        // Another window of this program may be open; it ends with this one.
        Signal.connect(UnsafeMutableRawPointer(self.window), "close-request", .plain) { [weak self] _ in
            self?.staysOpen() ?? false
        }
        // At the window, which has the key where no widget has the focus.
        self.window.onShortcut { [weak self] key in self?.workspace?.pressed(key) ?? false }
        self.window.onChange(of: "is-active") { [weak self] in
            guard let self, gtk_window_is_active(cast(self.window)) != 0 else { return }
            if !isSettingUp { self.stateChanged() }
            if isStale {
                isStale = false
                workspace?.reload()
            }
        }
    }

    /// Takes what the daemon asks or tells while something is done.
    ///
    /// - Throws: `methodNotFound` for what this app does not show.
    package func take(_ method: String, _ params: JSONValue) throws {
        guard method == Upgrades.Progress.name else { return try interfaces.take(method, params) }
        context.progressed((try params.decoded() as Upgrades.Progress.Params).step)
    }

    /// Does what somebody outside of the window wants: at once, or when the user has unlocked.
    package func fulfil(_ wish: Wish) {
        guard let workspace else {
            waiting = wish
            return present()
        }
        switch wish {
        case .account(let id):
            present()
            workspace.open(id)
        case .search(let words):
            if let quickSearch { return quickSearch.begin(words) }
            let search = QuickSearch(
                application: application, daemon: context.daemon, commands: context.commands,
                settings: context.settings, copy: copy,
                open: { [weak self] id in self?.fulfil(.account(id)) },
                closed: { [weak self] in self?.searchClosed() })
            quickSearch = search
            search.begin(words)
        }
    }

    private func searchClosed() {
        quickSearch = nil
        // What a key has started ends with what the key has opened, unless an account is opened next.
        Task { @DesktopActor in
            // A user name that was copied is on the clipboard as long as this program runs.
            for _ in 0..<PageContext.clipboardSeconds
            where gtk_widget_get_visible(window) == 0 && gdk_clipboard_is_local(gtk_widget_get_clipboard(window)) != 0 {
                try? await Task.sleep(for: .seconds(1))
            }
            if gtk_widget_get_visible(window) == 0, quickSearch == nil { application.quit() }
        }
    }

    /// Whether the user has it on the screen, or in the list of windows.
    package var isShown: Bool { gtk_widget_get_visible(window) != 0 }

    package func present() { gtk_window_present(cast(window)) }

    /// Something was saved or changed elsewhere: what is shown is read again, once the user looks at it.
    package func markStale() {
        isStale = true
        guard gtk_window_is_active(cast(window)) != 0, workspace != nil, !isReloading else { return }
        isReloading = true
        Task { @DesktopActor in
            // Many changes, as of an import, are read once.
            try? await Task.sleep(for: .milliseconds(200))
            isReloading = false
            guard isStale else { return }
            isStale = false
            workspace?.reload()
        }
    }

    /// The audit log has another line.
    package func activityGrew() { workspace?.activityGrew() }

    /// Ends the program when the user closes the window. Returns whether it stays open: the recovery code is not shown again.
    private func staysOpen() -> Bool {
        guard EntryPages.isCodeShown || EntryPages.isCodeComing else {
            application.quit()
            return false
        }
        guard !isAskingToClose else { return true }
        isAskingToClose = true
        Task { @DesktopActor in
            let isSure = await Question.ask(
                context, "Close Without the Recovery Code?",
                "It opens everything if you forget the passphrase, and it is not shown again.", "Close")
            isAskingToClose = false
            if isSure { application.quit() }
        }
        return true
    }

    /// Whether the recovery code is on the screen.
    package var showsRecoveryCode: Bool { EntryPages.isCodeShown }

    package func show(_ state: State) {
        let opened: @DesktopActor () -> Void = { [weak self] in
            self?.isSettingUp = false
            self?.stateChanged()
        }
        isSettingUp = false
        workspace = nil
        switch state {
        case .stopped(let reason):
            let page = Widgets.statusPage("dialog-warning-symbolic", "Latchkey Is Not Running", reason)
            let button = Widgets.button("Start Latchkey", connect).style("suggested-action", "pill")
            gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
            adw_status_page_set_child(cast(page), button)
            put(framed(page)) { gtk_widget_grab_focus(button) }
        case .keyringMissing(let sentences):
            let page = Widgets.statusPage("dialog-warning-symbolic", "The Keyring Is Missing", sentences)
            put(framed(page)) {}
        case .notInitialized:
            isSettingUp = true
            let (page, field) = EntryPages.setUp(context, opened: opened)
            put(framed(page)) { field.takeFocus() }
        case .locked(let takesPIN):
            let (page, field) = EntryPages.unlock(context, takesPIN: takesPIN, opened: opened)
            put(framed(page)) { field.takeFocus() }
        case .open:
            let workspace = Workspace(context)
            self.workspace = workspace
            put(workspace.widget) {}
            workspace.begin()
            if let waiting {
                self.waiting = nil
                fulfil(waiting)
            }
        }
    }

    /// A page with a title bar above it.
    private func framed(_ page: Widget) -> Widget {
        let column = Widgets.column()
        column.append(Widgets.header("Passwords"))
        column.append(page, expands: true)
        return column
    }

    private func put(_ page: Widget, takeFocus: @DesktopActor () -> Void) {
        let before = shown
        gtk_stack_add_child(cast(stack), page)
        gtk_stack_set_visible_child(cast(stack), page)
        shown = page
        // What was shown before is forgotten, with what was typed into it.
        if let before { gtk_stack_remove(cast(stack), before) }
        takeFocus()
    }
}
