// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CAdwaita
internal import MainLoop
internal import PasswordRules
internal import PasswordsModel

/// The window in which an account is added or changed.
@DesktopActor final class AccountEditor {
    private static var open: AccountEditor?

    private let context: PageContext
    private let original: Item?
    private let done: @DesktopActor (Item) -> Void
    private let window: Widget
    private let problem: Widget
    private let saveButton: Widget
    private let places: Widget
    private var placeRows: [Widget] = []
    private let title: (row: Widget, entry: Widget)
    private let user: (row: Widget, entry: Widget)
    private let password: SecretField
    private let code: SecretField
    private let notes: SecretField
    /// `nil` where the provider keeps no tags.
    private var tags: Widget?
    private var removesCode = false
    private var removesNotes = false
    /// What was done in this window, beside what is wrong.
    private let note: Widget
    /// When the daemon was last told that the user is here.
    private var lastSign = ContinuousClock.now
    private var isAsking = false
    private var isStrict: Bool
    /// Whether the daemon has been asked to save and has not answered. Nothing can be taken back then.
    private var isSaving = false
    private var isClosed = false

    /// Opens the window.
    ///
    /// - Parameters:
    ///   - item: The account to be changed; `nil` for a new one.
    ///   - done: Called with the account as it was saved.
    static func present(_ context: PageContext, _ item: Item?, done: @escaping @DesktopActor (Item) -> Void) {
        open?.close()
        let editor = AccountEditor(context, item, done: done)
        open = editor
        gtk_window_present(cast(editor.window))
        gtk_widget_grab_focus(editor.placeRows.first)
    }

    private init(_ context: PageContext, _ item: Item?, done: @escaping @DesktopActor (Item) -> Void) {
        self.context = context
        self.done = done
        original = item
        isStrict = item?.strict == true
        window = adw_window_new()
        gtk_window_set_modal(cast(window), 1)
        gtk_window_set_transient_for(cast(window), context.parent)
        gtk_window_set_default_size(cast(window), 440, 600)
        let heading = item == nil ? "Add Account" : "Edit Account"
        gtk_window_set_title(cast(window), heading)
        let header = Widgets.header(heading)
        adw_header_bar_set_show_end_title_buttons(cast(header), 0)
        adw_header_bar_set_show_start_title_buttons(cast(header), 0)
        let cancel = Widgets.button("Cancel")
        saveButton = Widgets.button("Save").style("suggested-action")
        adw_header_bar_pack_start(cast(header), cancel)
        adw_header_bar_pack_end(cast(header), saveButton)

        let column = Widgets.column(spacing: 18).margin(12)
        problem = Widgets.label("", wraps: true).style("error")
        problem.show(false)
        note = Widgets.label("", wraps: true)
        note.show(false)
        places = Widgets.group(
            "Websites", "A host such as shiny.example.com, or a whole address. None for a note, which has a title.")
        let account = Widgets.group("Account")
        title = Widgets.entryRow("Title", item?.title ?? "")
        user = Widgets.entryRow("User Name", item?.user ?? "")
        password = SecretField(item == nil ? "Password" : "New Password (empty keeps the old one)")
        code = SecretField("Set-up Link for Codes (otpauth://)")
        notes = SecretField(item == nil ? "Notes" : "New Notes (empty keeps the old ones)")
        for part in [problem, note, places, account] { column.append(part) }
        Widgets.add(user.row, to: account)
        Widgets.add(password.row, to: account)
        let make = Widgets.row("Make a Strong Password")
        let (field, note) = (password, note)
        let makeButton = Widgets.button("Make") {
            guard let made = try? PasswordGenerator() else { return }
            field.put(made.password())
            Widgets.set(note, "A strong password is in the field. It is used once you save.")
            note.show(true)
        }
        gtk_widget_set_valign(makeButton, GTK_ALIGN_CENTER)
        adw_action_row_add_suffix(cast(make), makeButton.named("Make a Strong Password"))
        Widgets.add(make, to: account)
        let more = Widgets.group("More")
        if item == nil || item?.tags != nil { Widgets.add(title.row, to: more) }
        Widgets.add(code.row, to: more)
        Widgets.add(notes.row, to: more)
        if item == nil || item?.tags != nil {
            let (row, entry) = Widgets.entryRow("Tags, with Commas between Them", ItemDraft(item).tags)
            tags = entry
            Widgets.add(row, to: more)
        }
        column.append(more)
        let content = Widgets.column()
        content.append(header)
        content.append(Widgets.scrolled(Widgets.clamped(column)), expands: true)
        adw_window_set_content(cast(window), content)

        Widgets.add(
            Widgets.switchRow(
                "Exactly These Hosts", "Not offered to other hosts of the same site", isOn: isStrict
            ) { [weak self] isOn in self?.isStrict = isOn }, to: more)
        if item != nil {
            Widgets.add(
                Widgets.switchRow("Take the Notes Away", "Deletes what is saved as notes", isOn: false) {
                    [weak self] isOn in self?.removesNotes = isOn
                }, to: more)
        }
        if item?.authenticator == true {
            Widgets.add(
                Widgets.switchRow("Take the Codes Away", "Deletes the saved set-up key", isOn: false) {
                    [weak self] isOn in self?.removesCode = isOn
                }, to: more)
        }
        let services = item?.services ?? []
        for service in services.isEmpty ? [""] : services { addPlace(service) }
        // An icon, since words beside the group's title would leave large text no room.
        let another = Widgets.iconButton("list-add-symbolic", "Add Another Website") { [weak self] in
            self?.addPlace("")
        }
        adw_preferences_group_set_header_suffix(cast(places), another.style("flat"))

        cancel.on("clicked") { [weak self] in self?.cancel() }
        saveButton.on("clicked") { [weak self] in self?.save() }
        for entry in [title.entry, user.entry, tags] { entry?.on("activate") { [weak self] in self?.save() } }
        for field in [password, code, notes] { field.onReturn { [weak self] in self?.save() } }
        Signal.connect(UnsafeMutableRawPointer(window), "close-request", .plain) { [weak self] _ in
            self?.cancel()
            return true
        }
        // Whoever types for long is there, though nothing is asked of the daemon meanwhile.
        window.onAnyKey { [weak self] in self?.staysOpen() }
        window.onKey { [weak self] key in
            guard key == GDK_KEY_Escape else { return false }
            self?.cancel()
            return true
        }
    }

    private func addPlace(_ text: String) {
        let (row, entry) = Widgets.entryRow(placeRows.isEmpty ? "Website" : "Website \(placeRows.count + 1)", text)
        entry.on("activate") { [weak self] in self?.save() }
        placeRows.append(entry)
        Widgets.add(row, to: places)
        if text.isEmpty, placeRows.count > 1 { gtk_widget_grab_focus(entry) }
    }

    private func draft() -> ItemDraft {
        var draft = ItemDraft(original)
        draft.services = placeRows.map { Widgets.text(of: $0) }.joined(separator: "\n")
        draft.user = Widgets.text(of: user.entry)
        draft.title = Widgets.text(of: title.entry)
        draft.password = password.filled
        draft.notes = notes.filled
        draft.authenticator = code.filled
        draft.removesAuthenticator = removesCode
        draft.removesNotes = removesNotes
        draft.isStrict = isStrict
        if let tags { draft.tags = Widgets.text(of: tags) }
        return draft
    }

    private func save() {
        guard !isSaving, !isClosed else { return }
        isSaving = true
        saveButton.enable(false)
        problem.show(false)
        Task { @DesktopActor in
            do {
                try await send(draft())
            } catch let problem as ItemDraft.Problem {
                complain(problem.sentence)
            } catch let error as WireError {
                if error.code != .userCanceled { complain(PageContext.sentence(error)) }
            } catch {
                complain("It could not be saved.")
            }
            isSaving = false
            if !isClosed { saveButton.enable(true) }
        }
    }

    private func send(_ draft: ItemDraft) async throws {
        if draft.isNew {
            let added = try await context.daemon.call(Items.Add.self, .init(items: [draft.newItem()])).items
            if let item = added.first { done(item) }
        } else {
            if draft.notes != nil {
                let isSure = await Question.ask(
                    context, "Replace the Notes?",
                    "What this account has as notes, if it has any, is not kept. “Show Notes” on its page shows it.",
                    "Replace", before: window)
                guard isSure else { return }
            }
            guard let changes = try draft.changes(to: try await current()) else { return close() }
            let saved = try await context.authenticated(
                Items.Edit.self, changes, to: "use the password in more places")
            done(saved.item)
        }
        close()
    }

    /// The account as it is saved now: its websites and tags may have changed since this window was opened.
    private func current() async throws -> Item? {
        guard let original else { return nil }
        return try await context.daemon.call(Items.Get.self, .init(id: original.id)).item
    }

    /// Tells the daemon, three times a minute at most, that the user is here: the idle lock would take what was typed.
    private func staysOpen() {
        guard lastSign + .seconds(20) < .now else { return }
        lastSign = .now
        context.run { [context] in _ = try await context.daemon.call(NeverSites.List.self) }
    }

    private func complain(_ sentence: String) {
        guard !isClosed else { return }
        Widgets.set(problem, sentence)
        problem.show(true)
    }

    private func cancel() {
        guard !isSaving, !isAsking, !isClosed else { return }
        guard draft().isChanged else { return close() }
        isAsking = true
        Task { @DesktopActor in
            let isSure = await Question.ask(
                context, "Discard the Changes?", "What you have typed here is not saved.", "Discard", before: window)
            isAsking = false
            if isSure { close() }
        }
    }

    private func forget() {
        guard !isClosed else { return }
        isClosed = true
        for field in [password, code, notes] { field.clear() }
        if Self.open === self { Self.open = nil }
    }

    private func close() {
        guard !isClosed else { return }
        forget()
        gtk_window_destroy(cast(window))
    }
}
