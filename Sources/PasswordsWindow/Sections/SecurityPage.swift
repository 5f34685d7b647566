// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel
internal import ShownText

/// The section Security: which passwords should be changed, why, and what to do.
@DesktopActor final class SecurityPage {
    let widget: Widget
    let header: Widget
    private let context: PageContext
    private let open: @DesktopActor (String) -> Void
    private let body: Widget
    private let showsHidden: Widget
    private let upgradesAll: Widget
    private var turn = 0
    private var isUpgrading = false
    /// The accounts whose passwords can be changed from here.
    private var upgradable: [UpgradeStatement] = []
    /// Those of which nobody knows whether their services have made a change.
    private var unsettled: [UnsettledStatement] = []
    private var recommendations: [RecommendationStatement] = []
    private var problem: String?
    private var judged = 0

    /// - Parameter open: Called with the account that the user wants to change.
    init(_ context: PageContext, open: @escaping @DesktopActor (String) -> Void) {
        self.context = context
        self.open = open
        widget = Widgets.column()
        header = Widgets.header("Security")
        body = Widgets.column(spacing: 12).margin(12)
        showsHidden = gtk_check_button_new_with_label("Show Hidden")
        upgradesAll = Widgets.button("Upgrade All")
        widget.append(header)
        let bar = Widgets.line().margin(6)
        bar.append(showsHidden)
        bar.append(upgradesAll.style("flat"))
        upgradesAll.show(false)
        widget.append(bar)
        widget.append(Widgets.scrolled(Widgets.clamped(body)), expands: true)
        showsHidden.onToggle { [weak self] in self?.draw() }
        upgradesAll.on("clicked") { [weak self] in
            if let self { upgrade(upgradable) }
        }
    }

    /// Has the passwords judged, and shows what is found.
    func show() {
        turn += 1
        let asked = turn
        body.removeAll()
        let spinner: Widget = gtk_spinner_new()
        gtk_spinner_start(cast(spinner))
        body.append(spinner.named("The passwords are looked at"))
        context.run { [self] in
            let answer: Recommendations.List.Answer
            do {
                answer = try await context.daemon.recommendations()
            } catch {
                guard asked == turn else { return }
                body.removeAll()
                body.append(Widgets.label("What is recommended could not be read.", wraps: true))
                body.append(Widgets.button("Try Again") { [weak self] in self?.show() })
                throw error
            }
            // Recommendations are shown also where this cannot be said.
            let upgrades = try? await context.daemon.call(Upgrades.List.self, .init(ranked: true))
            guard asked == turn else { return }
            upgradable = upgrades?.accounts.filter { $0.refusal == nil && $0.extension != nil } ?? []
            unsettled = upgrades?.unsettled ?? []
            recommendations = answer.recommendations
            problem = answer.problem
            judged = answer.judged
            draw()
        }
    }

    private func draw() {
        let focus = body.placeOfFocus(in: context.parent)
        defer { body.putFocus(at: focus) }
        body.removeAll()
        let hidden = recommendations.filter(\.hidden)
        let isAll = gtk_check_button_get_active(cast(showsHidden)) != 0
        let shown = isAll ? recommendations : recommendations.filter { !$0.hidden }
        Widgets.setTitle(of: header, "Security", shown.isEmpty ? "" : "\(shown.count)")
        showsHidden.show(!hidden.isEmpty)
        upgradesAll.show(upgradable.count > 1)
        if let problem { body.append(Widgets.label(DisplayText(problem, .sentence).text, wraps: true)) }
        if !unsettled.isEmpty { body.append(part(unsettled)) }
        guard !shown.isEmpty else {
            body.append(
                Widgets.statusPage(
                    "security-high-symbolic", "Nothing to Recommend",
                    judged == 1 ? "One password was looked at." : "\(judged) passwords were looked at."))
            return
        }
        for recommendation in shown { body.append(part(recommendation)) }
    }

    private func part(_ recommendation: RecommendationStatement) -> Widget {
        let name = AccountRow.name(of: recommendation.services.first ?? "").text
        let user = DisplayText(recommendation.user, placeholder: "(no user name)").text
        let group = Widgets.group(Widgets.escaped(name), user)
        for finding in recommendation.findings {
            let row = Widgets.row(
                DisplayText(finding.reason, .sentence).text, DisplayText(finding.advice, .sentence).text)
            adw_action_row_set_title_lines(cast(row), 0)
            Widgets.add(row, to: group)
        }
        let change = Widgets.button("Open Account") { [open] in open(recommendation.id) }
        let hide = Widgets.button(recommendation.hidden ? "Show Again" : "Hide") { [weak self] in
            self?.hide(recommendation, !recommendation.hidden)
        }
        let website = Widgets.button("Change Password on Website") { [weak self] in
            self?.openWebsite(of: recommendation)
        }
        let buttons = Widgets.line()
        buttons.append(change.named("Open the account \(user) at \(name)").style("flat"))
        buttons.append(
            hide.named("\(recommendation.hidden ? "Show again" : "Hide"): \(user) at \(name)").style("flat"))
        // Two lines, so that they fit into a narrow window.
        let lines = Widgets.column(spacing: 6).margin(6)
        if !recommendation.services.isEmpty {
            gtk_widget_set_halign(website, GTK_ALIGN_START)
            lines.append(website.named("Change the password of \(user) on the website \(name)").style("flat"))
        }
        let own = upgradable.first { upgrade in
            upgrade.user == recommendation.user && recommendation.services.contains(upgrade.service)
        }
        if let own {
            let button = Widgets.button("Upgrade to a Strong Password") { [weak self] in self?.upgrade([own]) }
            gtk_widget_set_halign(button, GTK_ALIGN_START)
            lines.append(button.named("Upgrade the password of \(user) at \(name)").style("flat"))
        }
        lines.append(buttons)
        let row: Widget = adw_preferences_row_new()
        gtk_widget_set_focusable(row, 0)
        gtk_list_box_row_set_activatable(cast(row), 0)
        gtk_list_box_row_set_child(cast(row), lines)
        Widgets.add(row.named("What to do"), to: group)
        return group
    }

    // MARK: Upgrades

    private func upgrade(_ accounts: [UpgradeStatement]) {
        guard !isUpgrading else { return context.say("A password is being changed. Wait until that has ended.") }
        isUpgrading = true
        context.run { [self] in
            defer {
                isUpgrading = false
                show()
            }
            try await UpgradeRun(context).run(accounts)
        }
    }

    /// Changes of which only the user can say how they ended.
    private func part(_ unsettled: [UnsettledStatement]) -> Widget {
        let group = Widgets.group(
            "Not Settled",
            "The service was asked to change these passwords and did not say whether it has. Both are kept.")
        for change in unsettled {
            let name = DisplayText("\(change.user) at \(change.service)").text
            let row = Widgets.row(name, "Since \(Widgets.moment(change.date)). Sign in there: which one works?")
            for (word, isNew) in [("Old", false), ("New", true)] {
                let button = Widgets.button(word) { [weak self] in self?.settle(change, isNew: isNew) }
                gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
                adw_action_row_add_suffix(
                    cast(row), button.named("The \(word.lowercased()) password of \(name) works").style("flat"))
            }
            Widgets.add(row, to: group)
        }
        return group
    }

    private func settle(_ change: UnsettledStatement, isNew: Bool) {
        context.run { [self] in
            defer { show() }
            _ = try await context.authenticated(
                Upgrades.Settle.self, .init(id: change.id, isNew: isNew), to: "keep one of the two passwords")
        }
    }

    /// Opens the page of the site where the password is changed; the browser fills the old one and offers a new one there.
    private func openWebsite(of recommendation: RecommendationStatement) {
        guard let site = recommendation.services.first else { return }
        context.say("The page is looked for.")
        Task { @DesktopActor in
            let outcome = await context.commands.run(WebsitePlace.arguments(for: site), input: nil)
            guard let place = WebsitePlace(outcome) else {
                return context.say(DisplayText(outcome.sentence, .sentence).text)
            }
            gtk_show_uri(context.parent, place.url, guint32(GDK_CURRENT_TIME))
        }
    }

    private func hide(_ recommendation: RecommendationStatement, _ isHidden: Bool) {
        context.run { [self] in
            _ = try await context.daemon.call(
                Recommendations.Hide.self, .init(id: recommendation.id, hidden: isHidden))
            if let index = recommendations.firstIndex(where: { $0.id == recommendation.id }) {
                recommendations[index].hidden = isHidden
            }
            draw()
            context.say(isHidden ? "It is hidden until something new is found." : "It is shown again.")
        }
    }
}
