// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel
internal import ShownText

/// The sections of the open app: a list of sections, the section, and beside it the account that is open.
@DesktopActor final class Workspace {
    private enum Section: Int, CaseIterable {
        case all, codes, security, deleted, autoFill, activity

        var name: String {
            switch self {
            case .all: "All Accounts"
            case .codes: "Codes"
            case .security: "Security"
            case .deleted: "Deleted"
            case .autoFill: "AutoFill"
            case .activity: "Activity"
            }
        }

        var icon: String {
            switch self {
            case .all: "dialog-password-symbolic"
            case .codes: "alarm-symbolic"
            case .security: "security-high-symbolic"
            case .deleted: "user-trash-symbolic"
            case .autoFill: "document-edit-symbolic"
            case .activity: "document-open-recent-symbolic"
            }
        }

        /// Whether one of its accounts is open beside it.
        var hasAccounts: Bool {
            switch self {
            case .all, .codes, .deleted, .security: true
            case .autoFill, .activity: false
            }
        }
    }

    let widget: Widget
    private let context: PageContext
    private let sections: Widget
    private let pages: Widget
    private let sectionHeader: Widget
    private var list: AccountListPage?
    private var account: AccountPage?
    private var security: SecurityPage?
    private let autoFill: AutoFillPage
    private let activity: ActivityPage
    /// What stands between the section and the account.
    private let divider: Widget
    private var section = Section.all
    /// What is seen one at a time in a narrow window.
    private var parts: [Widget] = []

    init(_ context: PageContext) {
        self.context = context
        widget = adw_leaflet_new()
        pages = gtk_stack_new()
        sections = gtk_list_box_new()
        sectionHeader = Widgets.header("Passwords")
        autoFill = AutoFillPage(context)
        activity = ActivityPage(context)
        divider = gtk_separator_new(GTK_ORIENTATION_VERTICAL)
        adw_leaflet_set_can_navigate_back(cast(widget), 1)

        let side = Widgets.column()
        let lock = Widgets.iconButton("system-lock-screen-symbolic", "Lock")
        adw_header_bar_pack_start(cast(sectionHeader), lock)
        side.append(sectionHeader)
        for section in Section.allCases { gtk_list_box_append(cast(sections), Self.row(section)) }
        side.append(Widgets.scrolled(sections.named("Sections").style("navigation-sidebar")), expands: true)
        gtk_widget_set_size_request(side, 200, -1)

        let list = AccountListPage(
            context, open: { [weak self] row in self?.open(row.id) }, add: { [weak self] in self?.edit(nil) })
        let account = AccountPage(context) { [weak self] act in self?.carryOut(act) }
        let security = SecurityPage(context) { [weak self] id in self?.open(id) }
        self.list = list
        self.account = account
        self.security = security
        for page in [list.widget, security.widget, autoFill.widget, activity.widget] {
            gtk_stack_add_child(cast(pages), page)
        }
        gtk_stack_set_hhomogeneous(cast(pages), 0)
        gtk_widget_set_size_request(pages, 300, -1)
        gtk_widget_set_size_request(account.widget, 320, -1)
        gtk_widget_set_hexpand(account.widget, 1)

        for part in [side, separator(), pages, divider, account.widget] {
            let page = adw_leaflet_append(cast(widget), part)
            if gtk_widget_get_css_name(part).map({ String(cString: $0) }) == "separator" {
                adw_leaflet_page_set_navigatable(page, 0)
            }
        }
        parts = [side, pages, account.widget]
        let leave: @DesktopActor () -> Bool = { [weak self] in self?.goBehindTheList() ?? false }
        list.leave = leave
        activity.leave = leave
        for header in [list.header, security.header, autoFill.header, activity.header, account.header] {
            addBackButton(to: header)
        }
        lock.on("clicked") { [weak self] in self?.lock() }
        widget.onChange(of: "folded") { [weak self] in self?.folded() }
        widget.onChange(of: "visible-child") { [weak self] in self?.describeWhatIsSeen() }
        sections.onArgument("row-activated") { [weak self] row in
            guard let row else { return }
            let index = Int(gtk_list_box_row_get_index(row.assumingMemoryBound(to: GtkListBoxRow.self)))
            if let section = Section(rawValue: index) { self?.choose(section) }
        }
    }

    /// Moves the focus from a list to the account beside it, or to the list of sections, or to the title bar of a narrow window.
    private func goBehindTheList() -> Bool {
        let isFolded = adw_leaflet_get_folded(cast(widget)) != 0
        let header = section == .activity ? activity.header : list?.header
        let next = isFolded ? [header] : [section.hasAccounts ? account?.widget : nil, parts.first]
        return next.contains { $0.map { gtk_widget_child_focus($0, GTK_DIR_TAB_FORWARD) != 0 } == true }
    }

    /// Shows the first section.
    func begin() {
        adw_leaflet_set_visible_child(cast(widget), pages)
        select(.all)
        list?.focusSearch()
    }

    /// Reads what is shown anew, for a change that came from elsewhere. An account of which something secret is shown stays as it is.
    func reload() {
        list?.reload(isQuiet: true)
        if section == .activity { activity.read() }
        guard let open = account?.item else { return }
        Task { @DesktopActor [self] in
            let item: Item?
            do {
                item = try await context.daemon.call(Items.Get.self, .init(id: open.id, quiet: true)).item
            } catch let error as WireError where error.code == .notFound {
                item = nil
            } catch {
                return
            }
            guard account?.item == open, item != open, account?.showsSecret == false else { return }
            account?.show(item)
            if item == nil { adw_leaflet_set_visible_child(cast(widget), pages) }
        }
    }

    /// The audit log has another line.
    func activityGrew() { if section == .activity { activity.read() } }

    /// Control with F searches, with N adds an account, with L locks, with a digit opens a section.
    func pressed(_ key: Int32) -> Bool {
        switch key {
        case GDK_KEY_f:
            if section.hasAccounts, section != .security {
                adw_leaflet_set_visible_child(cast(widget), pages)
            } else {
                select(.all)
            }
            list?.focusSearch()
        case GDK_KEY_n: edit(nil)
        case GDK_KEY_l: lock()
        default:
            guard let section = Section(rawValue: Int(key - GDK_KEY_1)) else { return false }
            select(section)
            switch section {
            case .all, .codes, .deleted: list?.focusSearch()
            case .activity: activity.focusSearch()
            case .security, .autoFill: gtk_widget_child_focus(pages, GTK_DIR_TAB_FORWARD)
            }
        }
        return true
    }

    private func lock() {
        context.run { [context] in _ = try await context.daemon.call(Settings.Lock.self) }
    }

    private func select(_ section: Section) {
        gtk_list_box_select_row(cast(sections), gtk_list_box_get_row_at_index(cast(sections), gint(section.rawValue)))
        choose(section)
    }

    private func separator() -> Widget { gtk_separator_new(GTK_ORIENTATION_VERTICAL) }

    private static func row(_ section: Section) -> Widget {
        let line = Widgets.line(spacing: 12).margin(6)
        let icon: Widget = gtk_image_new_from_icon_name(section.icon)
        latchkey_hide_from_screen_reader(icon)
        line.append(icon)
        line.append(Widgets.label(section.name))
        let row: Widget = gtk_list_box_row_new()
        gtk_list_box_row_set_child(cast(row), line)
        return row.named(section.name)
    }

    private func addBackButton(to header: Widget) {
        let button = Widgets.iconButton("go-previous-symbolic", "Back") { [weak self] in
            guard let self else { return }
            account?.hideSecrets()
            _ = adw_leaflet_navigate(cast(widget), ADW_NAVIGATION_DIRECTION_BACK)
        }
        adw_header_bar_pack_start(cast(header), button)
        // Only where one part is seen at a time.
        g_object_bind_property(widget, "folded", button, "visible", G_BINDING_SYNC_CREATE)
    }

    /// Each part has the window's buttons where it is seen alone; side by side the last one has them.
    private func folded() {
        let isFolded = adw_leaflet_get_folded(cast(widget))
        adw_header_bar_set_show_end_title_buttons(cast(sectionHeader), isFolded)
        let isAlone: gboolean = isFolded != 0 || !section.hasAccounts ? 1 : 0
        for header in [list?.header, security?.header, autoFill.header, activity.header] {
            adw_header_bar_set_show_end_title_buttons(cast(header), isAlone)
        }
        describeWhatIsSeen()
    }

    /// Where one part is seen at a time, the others are not described either.
    private func describeWhatIsSeen() {
        let isFolded = adw_leaflet_get_folded(cast(widget)) != 0
        let seen = adw_leaflet_get_visible_child(cast(widget))
        for part in parts { latchkey_set_hidden_from_screen_reader(part, isFolded && part != seen ? 1 : 0) }
    }

    private func choose(_ section: Section) {
        self.section = section
        account?.show(nil)
        switch section {
        case .all: list?.show(.all)
        case .codes: list?.show(.codes)
        case .deleted: list?.show(.deleted)
        case .security: security?.show()
        case .autoFill: autoFill.show()
        case .activity: activity.show()
        }
        let page =
            switch section {
            case .all, .codes, .deleted: list?.widget
            case .security: security?.widget
            case .autoFill: autoFill.widget
            case .activity: activity.widget
            }
        // What is not seen is not described either.
        for other in [list?.widget, security?.widget, autoFill.widget, activity.widget] { other?.show(other == page) }
        gtk_stack_set_visible_child(cast(pages), page)
        account?.widget.show(section.hasAccounts)
        divider.show(section.hasAccounts)
        gtk_widget_set_hexpand(pages, section.hasAccounts ? 0 : 1)
        folded()
        adw_leaflet_set_visible_child(cast(widget), pages)
    }

    // MARK: Accounts

    func open(_ id: String) {
        context.run { [self] in
            let item = try await context.daemon.call(Items.Get.self, .init(id: id)).item
            show(item)
        }
    }

    private func show(_ item: Item) {
        // AutoFill and Activity have no room for an account, and Deleted lists none that is there.
        if !section.hasAccounts || (section == .deleted && item.removed == nil) { select(.all) }
        account?.show(item)
        list?.choose(item.id)
        if let account { adw_leaflet_set_visible_child(cast(widget), account.widget) }
    }

    private func carryOut(_ act: AccountPage.Act) {
        switch act {
        case .edit(let item): edit(item)
        case .delete(let item): delete(item)
        case .restore(let item): restore(item)
        case .move(let item): move(item)
        case .changed(let item): if section != .deleted { list?.update(item.id, item) }
        }
    }

    private func edit(_ item: Item?) {
        account?.hideSecrets()
        context.run { [self] in
            // It may have changed elsewhere since it was opened.
            var current: Item?
            if let item { current = try await context.daemon.call(Items.Get.self, .init(id: item.id)).item }
            AccountEditor.present(context, current) { [weak self] saved in
                guard let self else { return }
                if section != .deleted { list?.update(saved.id, saved) }
                show(saved)
                if section == .security { security?.show() }
                // A Return that is still held down would press the button that opened the editor, which has the keyboard again.
                if list?.focusList() != true { gtk_window_set_focus(context.parent, nil) }
            }
        }
    }

    private func delete(_ item: Item) {
        context.run { [self] in
            _ = try await context.daemon.call(Items.Remove.self, .init(id: item.id))
            list?.update(item.id, nil)
            if section == .security { security?.show() }
            account?.show(nil)
            adw_leaflet_set_visible_child(cast(widget), pages)
            let name = DisplayText(item.user, placeholder: "The account").text
            context.say("\(name) is deleted. It can be brought back for 30 days.", button: "Bring Back") {
                [weak self] in self?.restore(item)
            }
        }
    }

    /// Asks which provider the account is to be moved to, and has it moved.
    private func move(_ item: Item) {
        guard item.strict != true else {
            return Notice.show(
                context, "This Account Is Not Moved",
                "It is for exactly its hosts, which no other provider can be told. Edit it and switch “Exactly These Hosts” off first."
            )
        }
        context.run { [self] in
            let others = try await context.daemon.call(Providers.List.self).providers.filter {
                !$0.builtIn && $0.state == "enabled" && $0.savesPasswords == true
            }
            guard !others.isEmpty else {
                return context.say("No other provider that is enabled saves passwords.")
            }
            // Two providers may call themselves the same.
            let names = others.map { one in
                let isUnique = others.count { $0.name == one.name } == 1
                return DisplayText(isUnique ? one.name : "\(one.name) (\(one.identifier))").text
            }
            let user = DisplayText(item.user, placeholder: "this account").text
            let choice = await Question.choose(
                context, "Move to Another Provider?",
                "The provider is given user name, password and websites of \(user). Notes, tags, codes and earlier "
                    + "passwords stay behind with the account in Deleted, where it can be brought back for 30 days.",
                names.map { "Move to \($0)" })
            guard let choice, others.indices.contains(choice) else { return }
            let moved: Item
            do {
                moved = try await context.authenticated(
                    Items.Move.self, .init(id: item.id, provider: others[choice].identifier, leavesRest: true),
                    to: "move the password of \(user)"
                ).item
            } catch let error as WireError where error.code != .userCanceled {
                // It may say what has arrived at the other provider already, which nobody reads in a few seconds.
                return Notice.show(context, "The Account Is Not Moved", PageContext.sentence(error))
            }
            list?.update(moved.id, section == .deleted ? moved : nil)
            // Another account may be open by now: the provider may have asked the user something.
            if account?.item?.id == moved.id {
                account?.show(nil)
                adw_leaflet_set_visible_child(cast(widget), pages)
            }
            context.say("\(user) is kept by \(names[choice]) now.")
        }
    }

    private func restore(_ item: Item) {
        context.run { [self] in
            let restored = try await context.daemon.call(Items.Restore.self, .init(id: item.id)).item
            if section == .deleted {
                list?.update(item.id, nil)
                account?.show(nil)
                adw_leaflet_set_visible_child(cast(widget), pages)
                context.say("The account is back in All Accounts.")
            } else {
                list?.update(item.id, restored)
                show(restored)
            }
        }
    }
}
