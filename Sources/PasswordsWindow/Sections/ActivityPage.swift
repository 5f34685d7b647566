// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel
internal import ShownText

/// The section Activity: the audit log, the newest line first.
@DesktopActor final class ActivityPage {
    let widget: Widget
    let header: Widget
    private let context: PageContext
    private let search: Widget
    private let warningsOnly: Widget
    private let verdict: Widget
    private let list: ActivityListView
    /// Moves the focus to what comes behind the list; says whether it has.
    var leave: @DesktopActor () -> Bool = { false }
    private var rows: [ActivityRow] = []
    /// The number of the line after the last one that was read.
    private var next: Int?
    private var isReading = false

    init(_ context: PageContext) {
        self.context = context
        widget = Widgets.column()
        header = Widgets.header("Activity")
        search = gtk_search_entry_new()
        warningsOnly = gtk_check_button_new_with_label("Warnings Only")
        verdict = Widgets.label("", wraps: true).margin(6)
        list = ActivityListView()
        widget.append(header)
        let bar = Widgets.line().margin(6)
        gtk_widget_set_hexpand(search, 1)
        bar.append(search.named("Search activity"))
        bar.append(warningsOnly)
        widget.append(bar)
        widget.append(verdict)
        widget.append(list.widget, expands: true)
        list.view.onTab { [weak self] isForward in
            guard let self else { return false }
            return isForward ? leave() : gtk_widget_grab_focus(warningsOnly) != 0
        }
        search.on("changed") { [weak self] in self?.draw() }
        warningsOnly.onToggle { [weak self] in self?.draw() }
    }

    /// Reads what the log has since the last time, and verifies it.
    func show() {
        read()
        context.run { [self] in
            let answer = try await context.daemon.call(Settings.VerifyAudit.self)
            let text =
                answer.intact
                ? "The log is intact: no line is missing or was changed."
                : answer.findings.map { DisplayText($0.message, .sentence).text }.joined(separator: " ")
            Widgets.set(verdict, text)
            if answer.intact {
                gtk_widget_remove_css_class(verdict, "error")
            } else {
                gtk_widget_add_css_class(verdict, "error")
            }
        }
    }

    func focusSearch() { gtk_widget_grab_focus(search) }

    /// Reads further lines.
    func read() {
        guard !isReading else { return }
        isReading = true
        context.run { [self] in
            defer { isReading = false }
            var cursor = next
            repeat {
                let page = try await context.daemon.call(Settings.Audit.self, .init(cursor: cursor))
                rows += page.lines.map(ActivityRow.init)
                next = page.next ?? next
                if let more = page.cursor, more <= cursor ?? 0 { break }
                cursor = page.cursor
            } while cursor != nil
            draw()
        }
    }

    private func draw() {
        let words = Widgets.text(of: search)
        let isWarnings = gtk_check_button_get_active(cast(warningsOnly)) != 0
        let shown = rows.filter { (!isWarnings || $0.isWarning) && $0.isFound(by: words) }
        Widgets.setTitle(of: header, "Activity", shown.isEmpty ? "" : "\(shown.count)")
        list.show(shown.reversed())
    }
}

/// The lines, of which GTK makes widgets for those that are seen.
@DesktopActor private final class ActivityListView {
    let widget: Widget
    let view: Widget
    private let model: OpaquePointer?
    private var rows: [ActivityRow] = []

    init() {
        let model = gtk_string_list_new(nil)
        self.model = model
        let factory = gtk_signal_list_item_factory_new()
        view = gtk_list_view_new(gtk_no_selection_new(model), factory)
        widget = Widgets.scrolled(view.named("Activity"))
        guard let factory else { return }
        let signals = UnsafeMutableRawPointer(factory)
        Signal.connect(signals, "setup", .withArgument) { item in
            let column = Widgets.column(spacing: 2).margin(6)
            column.append(Widgets.label("", wraps: true))
            column.append(Widgets.label("", wraps: true).style("dim-label", "caption"))
            gtk_list_item_set_child(item.map { OpaquePointer($0) }, column)
            return false
        }
        Signal.connect(signals, "bind", .withArgument) { [weak self] item in
            if let item { self?.bind(OpaquePointer(item)) }
            return false
        }
    }

    func show(_ rows: [ActivityRow]) {
        let before = g_list_model_get_n_items(model)
        self.rows = rows
        Widgets.splice(model, removing: before, adding: rows.count)
    }

    private func bind(_ item: OpaquePointer) {
        let position = Int(gtk_list_item_get_position(item))
        guard rows.indices.contains(position), let column = gtk_list_item_get_child(item),
            let sentence = gtk_widget_get_first_child(column), let detail = gtk_widget_get_next_sibling(sentence)
        else { return }
        let row = rows[position]
        let text = (row.isWarning ? "Warning: " : "") + row.sentence.text
        let more = [Widgets.moment(row.time), row.detail.text].filter { !$0.isEmpty }.joined(separator: " · ")
        Widgets.set(sentence, text)
        Widgets.set(detail, more)
        if row.isWarning {
            gtk_widget_add_css_class(sentence, "warning")
        } else {
            gtk_widget_remove_css_class(sentence, "warning")
        }
        if let parent = gtk_widget_get_parent(column) { latchkey_set_accessible_name(parent, "\(text), \(more)") }
    }
}
