// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel
internal import ShownText

/// One account. Its secrets are fetched by a press, shown for a while, and forgotten.
@DesktopActor final class AccountPage {
    /// What the user wants done with the account.
    enum Act: Sendable {
        case edit(Item)
        case delete(Item)
        case restore(Item)
        /// It was changed here, without any of its secrets.
        case changed(Item)
        /// It is to be moved to another provider.
        case move(Item)
    }

    let widget: Widget
    let header: Widget
    private let context: PageContext
    private let act: @DesktopActor (Act) -> Void
    private let body: Widget
    private let editButton: Widget
    private let deleteButton: Widget
    private let restoreButton: Widget
    private(set) var item: Item?
    /// What is shown now; the page for another account has others.
    private var secrets: [ShownSecret] = []

    init(_ context: PageContext, act: @escaping @DesktopActor (Act) -> Void) {
        self.context = context
        self.act = act
        widget = Widgets.column()
        header = Widgets.header("")
        body = Widgets.column(spacing: 18).margin(12)
        editButton = Widgets.iconButton("document-edit-symbolic", "Edit Account")
        deleteButton = Widgets.iconButton("user-trash-symbolic", "Delete Account")
        restoreButton = Widgets.button("Bring Back")
        for button in [deleteButton, editButton, restoreButton] {
            adw_header_bar_pack_end(cast(header), button)
        }
        widget.append(header)
        widget.append(Widgets.scrolled(Widgets.clamped(body)), expands: true)
        editButton.on("clicked") { [weak self] in if let item = self?.item { act(.edit(item)) } }
        deleteButton.on("clicked") { [weak self] in if let item = self?.item { act(.delete(item)) } }
        restoreButton.on("clicked") { [weak self] in if let item = self?.item { act(.restore(item)) } }
        show(nil)
    }

    /// Forgets all that is shown.
    func hideSecrets() {
        for secret in secrets { secret.hide() }
    }

    /// Whether a secret is on the screen.
    var showsSecret: Bool { secrets.contains { $0.view.isShown } }

    /// Counts what was shown, so that an answer which comes late is not for another page.
    private var shows = 0

    func show(_ item: Item?) {
        hideSecrets()
        secrets = []
        self.item = item
        shows += 1
        body.removeAll()
        let isThere = item != nil && item?.removed == nil
        editButton.show(isThere)
        deleteButton.show(isThere)
        restoreButton.show(item?.removed != nil)
        guard let item else {
            Widgets.setTitle(of: header, "")
            body.append(
                Widgets.statusPage("dialog-password-symbolic", "No Account Chosen", "Choose an account in the list."))
            return
        }
        let name = AccountRow.title(of: item).text
        let user = DisplayText(item.user, placeholder: "(no user name)").text
        Widgets.setTitle(of: header, name)
        body.append(Widgets.letterTile(name, size: 64))
        let title = Widgets.label(name, wraps: true).style("title-1")
        gtk_label_set_xalign(cast(title), 0.5)
        gtk_label_set_justify(cast(title), GTK_JUSTIFY_CENTER)
        body.append(title)
        if item.hasPassword != false || !item.user.isEmpty || item.authenticator == true {
            body.append(account(item, user: user))
        }
        if !item.services.isEmpty { body.append(places(item)) }
        if item.removed == nil, let isFavorite = item.favorite { body.append(labels(item, isFavorite: isFavorite)) }
        if item.removed == nil {
            body.append(
                secret("Notes", .text, in: Widgets.group("Notes"), for: item) { [context] in
                    let answer = try await context.authenticated(
                        Items.Get.self, .init(id: item.id, notes: true), to: "see the notes of \(user)")
                    return answer.item.notes?.bytes ?? SecretBytes(count: 0)
                })
        }
        if item.removed == nil, item.hasPassword != false {
            body.append(history(item, user: user))
        }
        if item.removed == nil, item.hasPassword != false, !item.services.isEmpty {
            let provider = Widgets.group("Provider")
            let row = Widgets.row("Passwords", "It is kept by Latchkey's own provider")
            let move = Widgets.button("Move…") { [weak self] in if let item = self?.item { self?.act(.move(item)) } }
            gtk_widget_set_valign(move, GTK_ALIGN_CENTER)
            adw_action_row_add_suffix(cast(row), move.named("Move to Another Provider").style("flat"))
            Widgets.add(row, to: provider)
            body.append(provider)
        }
        body.append(dates(item))
    }

    // MARK: Parts

    private func account(_ item: Item, user: String) -> Widget {
        let group = Widgets.group("Account")
        let row = Widgets.row("User Name", user)
        if !item.user.isEmpty {
            adw_action_row_add_suffix(
                cast(row),
                Widgets.iconButton("edit-copy-symbolic", "Copy User Name") { [context] in
                    context.copy(text: item.user)
                }.style("flat"))
        }
        Widgets.add(row, to: group)
        guard item.removed == nil else { return group }
        let reveal: @DesktopActor (String) async throws -> SecretBytes = { [context] purpose in
            try await context.authenticated(
                Items.Reveal.self, .init(id: item.id, purpose: purpose), to: "\(purpose) the password of \(user)"
            ).password.bytes
        }
        let copy = Widgets.iconButton("edit-copy-symbolic", "Copy Password") { [context] in
            context.run { await context.copy(try await reveal("copy"), "password") }
        }
        guard item.hasPassword != false else {
            if item.authenticator == true { code(item, user: user, in: group) }
            return group
        }
        _ = secret("Password", .characters, in: group, for: item, beside: copy) { try await reveal("show") }
        if item.authenticator == true { code(item, user: user, in: group) }
        return group
    }

    /// A row with a secret that a press shows.
    private func secret(
        _ name: String, _ style: SecretView.Style, in group: Widget, for item: Item, beside button: Widget? = nil,
        fetch: @escaping @DesktopActor () async throws -> SecretBytes
    ) -> Widget {
        let shown = ShownSecret(name, style, context, fetch: fetch)
        if let button { adw_action_row_add_suffix(cast(shown.row), button.style("flat")) }
        Widgets.add(shown.row, to: group)
        Widgets.add(shown.view.widget, to: group)
        secrets.append(shown)
        return group
    }

    private func code(_ item: Item, user: String, in group: Widget) {
        let shown = ShownSecret("Code", .characters, context) { SecretBytes(count: 0) }
        let counter = CodeCounter(shown, context) { [context] in
            try await context.authenticated(
                Items.Code.self, .init(id: item.id, purpose: "show"), to: "see the code of \(user)")
        } next: { [context] in
            // Nobody has pressed anything for it, so nothing is asked either.
            try await context.daemon.call(Items.Code.self, .init(id: item.id, purpose: "show"))
        }
        shown.fetchInstead { try await counter.begin($0) }
        adw_action_row_add_suffix(
            cast(shown.row),
            Widgets.iconButton("edit-copy-symbolic", "Copy Code") { [context] in
                context.run {
                    let answer = try await context.authenticated(
                        Items.Code.self, .init(id: item.id, purpose: "copy"), to: "copy the code of \(user)")
                    await context.copy(answer.code.bytes, "code")
                }
            }.style("flat"))
        Widgets.add(shown.row, to: group)
        Widgets.add(shown.view.widget, to: group)
        secrets.append(shown)
    }

    /// The user's own marks of the account. Nothing else of the page is drawn anew when one changes, so that what is shown stays.
    private func labels(_ item: Item, isFavorite: Bool) -> Widget {
        let group = Widgets.group("Labels")
        let row = Widgets.switchRow("Favorite", isOn: isFavorite) { [weak self, context] isFavorite in
            context.run {
                do {
                    let changed = try await context.daemon.call(
                        Items.Edit.self, ItemChanges(id: item.id, favorite: isFavorite)
                    ).item
                    if self?.item?.id == changed.id { self?.item = changed }
                    self?.act(.changed(changed))
                } catch {
                    // The switch is to show what is saved.
                    if let self, self.item?.id == item.id { self.show(self.item) }
                    throw error
                }
            }
        }
        Widgets.add(row, to: group)
        if let tags = item.tags, !tags.isEmpty {
            Widgets.add(Widgets.row("Tags", tags.map { DisplayText($0).text }.joined(separator: ", ")), to: group)
        }
        return group
    }

    private func places(_ item: Item) -> Widget {
        let group = Widgets.group("Websites")
        for service in item.services {
            Widgets.add(
                Widgets.row(
                    DisplayText(service).text,
                    item.strict == true ? "Offered to exactly this host" : ""), to: group)
        }
        return group
    }

    private func history(_ item: Item, user: String) -> Widget {
        let group = Widgets.group("Earlier Passwords")
        let row = Widgets.row("Earlier Passwords", "Hidden")
        var views: [ShownSecret] = []
        var isAsking = false
        let button = Widgets.button("Show Earlier Passwords") { [weak self, context] in
            guard let self, !isAsking else { return }
            isAsking = true
            let asked = shows
            context.run {
                defer { isAsking = false }
                let changes = try await context.authenticated(
                    Items.History.self, .init(id: item.id), to: "see the earlier passwords of \(user)"
                ).changes
                // The rows are gone where another page is shown, or the same one again.
                guard self.shows == asked else { return }
                for old in views {
                    old.hide()
                    adw_preferences_group_remove(cast(group), old.row)
                    adw_preferences_group_remove(cast(group), old.view.widget)
                    self.secrets.removeAll { $0 === old }
                }
                views = []
                Widgets.setSubtitle(of: row, changes.isEmpty ? "None" : "\(changes.count)")
                for (index, change) in changes.enumerated() {
                    // None of them is kept here: each is fetched by a press of its own.
                    let place = changes[..<index].count { $0.date == change.date }
                    let name = "Used until \(Widgets.moment(change.date))"
                    let fetch: ShownSecret.Fetch = { [context] in
                        let now = try await context.authenticated(
                            Items.History.self, .init(id: item.id, date: change.date),
                            to: "see an earlier password of \(user)"
                        ).changes
                        // Two may have been changed in the same second.
                        guard now.indices.contains(place) else {
                            throw WireError(.expired, "The earlier passwords have changed. Ask for them again.")
                        }
                        return now[place].password.bytes
                    }
                    let shown = ShownSecret(name, .characters, context, fetch: fetch)
                    let copy = Widgets.iconButton("edit-copy-symbolic", "Copy the Password \(name)") { [context] in
                        context.run { await context.copy(try await fetch(), "password") }
                    }
                    adw_action_row_add_suffix(cast(shown.row), copy.style("flat"))
                    Widgets.add(shown.row, to: group)
                    Widgets.add(shown.view.widget, to: group)
                    views.append(shown)
                    self.secrets.append(shown)
                }
            }
        }
        gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
        adw_action_row_add_suffix(cast(row), button.style("flat"))
        Widgets.add(row, to: group)
        return group
    }

    private func dates(_ item: Item) -> Widget {
        let group = Widgets.group("Dates")
        Widgets.add(Widgets.row("Added", Widgets.moment(item.created)), to: group)
        Widgets.add(Widgets.row("Changed", Widgets.moment(item.modified)), to: group)
        if item.removed == nil {
            let row = Widgets.row("Last Used", "Not that the activity knows of")
            Widgets.add(row, to: group)
            let asked = shows
            Task { @DesktopActor [weak self, context] in
                guard let used = try? await context.daemon.lastRelease(of: item), self?.shows == asked else { return }
                Widgets.setSubtitle(of: row, "\(Widgets.moment(used.time)), \(used.requester.text)")
            }
        }
        if let rejected = item.rejected {
            Widgets.add(Widgets.row("A server did not take it", Widgets.moment(rejected)), to: group)
        }
        if let expires = item.expires { Widgets.add(Widgets.row("Expires", Widgets.moment(expires)), to: group) }
        if let removed = item.removed { Widgets.add(Widgets.row("Deleted", Widgets.moment(removed)), to: group) }
        return group
    }
}
