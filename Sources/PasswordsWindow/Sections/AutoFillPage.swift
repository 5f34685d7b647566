// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel
internal import ShownText

/// The section AutoFill: the switch, providers, browsers, programs and what was agreed to, sites that are never asked about, preferences.
@DesktopActor final class AutoFillPage {
    let widget: Widget
    let header: Widget
    private let context: PageContext
    private let body: Widget
    private var turn = 0
    /// The site that was typed, until it was added.
    private var typedSite = ""

    init(_ context: PageContext) {
        self.context = context
        widget = Widgets.column()
        header = Widgets.header("AutoFill")
        body = Widgets.column(spacing: 18).margin(12)
        widget.append(header)
        widget.append(Widgets.scrolled(Widgets.clamped(body)), expands: true)
    }

    /// Asks how things stand, and shows it.
    func show() {
        turn += 1
        let asked = turn
        context.run { [self] in
            let daemon = context.daemon
            let status = try await daemon.call(Settings.Status.self)
            let providers = try await daemon.call(Providers.List.self).providers
            let bindings = try await daemon.call(Apps.Bindings.self).bindings
            let apps = try await daemon.call(Apps.List.self).apps
            let consents = try await daemon.call(Consents.List.self).consents
            let never = try await daemon.call(NeverSites.List.self).sites
            guard asked == turn else { return }
            let focus = body.placeOfFocus(in: context.parent)
            defer { body.putFocus(at: focus) }
            body.removeAll()
            let group = Widgets.group("AutoFill")
            Widgets.add(
                Widgets.switchRow(
                    "Fill Passwords and Codes", "Offers what is saved where you sign in",
                    isOn: status.preferences.autoFill
                ) { [weak self] isOn in self?.prefer(PreferenceChanges(autoFill: isOn)) }, to: group)
            body.append(group)
            body.append(part(providers))
            if let group = extensions(providers) { body.append(group) }
            body.append(BrowserRows(context).widget)
            let agreements = AgreementRows(context: context) { [weak self] work in self?.change(work) }
            if !apps.isEmpty { body.append(agreements.part(apps)) }
            if !bindings.isEmpty { body.append(part(bindings)) }
            if !consents.isEmpty { body.append(agreements.part(consents)) }
            body.append(part(never: never))
            body.append(LoginRows(context).widget)
            for part in PreferenceRows(
                status.preferences, context, redraw: { [weak self] in self?.show() },
                change: { [weak self] in self?.prefer($0) }
            ).groups {
                body.append(part)
            }
            for problem in status.preferencesProblems ?? [] {
                body.append(Widgets.label(DisplayText(problem, .sentence).text, wraps: true).style("warning"))
            }
        }
    }

    /// Does something, and shows how things stand then: also where it was refused, so that no switch says what is not so.
    private func change(_ work: @escaping @DesktopActor () async throws -> Void) {
        context.run { [self] in
            defer { show() }
            try await work()
        }
    }

    private func prefer(_ changes: PreferenceChanges) {
        change { [context] in
            _ = try await context.authenticated(
                Settings.SetPreferences.self, changes, to: "make this preference weaker")
        }
    }

    // MARK: Providers

    private func part(_ providers: [ProviderStatement]) -> Widget {
        let group = Widgets.group("Providers", "Where passwords come from, in the order in which they are offered.")
        let enabled = providers.filter { $0.state == "enabled" }.map(\.identifier)
        for provider in providers where provider.modification == nil {
            Widgets.add(row(provider, enabled), to: group)
        }
        return group
    }

    /// Extensions of apps that change passwords at their services.
    private func extensions(_ providers: [ProviderStatement]) -> Widget? {
        let extensions = providers.filter { $0.modification != nil }
        guard !extensions.isEmpty else { return nil }
        let group = Widgets.group(
            "Account Upgrades", "Apps that can change passwords to strong ones at their services.")
        for provider in extensions { Widgets.add(row(provider, []), to: group) }
        return group
    }

    private func row(_ provider: ProviderStatement, _ enabled: [String]) -> Widget {
        let name = DisplayText(provider.name).text
        let isEnabled = provider.state == "enabled"
        let words: [String?] = [
            provider.builtIn ? "built in" : DisplayText(provider.version).text,
            isEnabled ? provider.asksFor.map { _ in "asks for more" } : DisplayText(provider.state).text,
            provider.identities.map { $0 == 1 ? "1 account" : "\($0) accounts" },
            provider.problem.map { DisplayText($0, .sentence).text },
        ]
        let mayChange = isEnabled || (provider.digest != nil && provider.state != "broken")
        let row =
            mayChange
            ? Widgets.switchRow(name, words.compactMap { $0 }.joined(separator: " · "), isOn: isEnabled) {
                [weak self] isOn in self?.enable(provider, isOn)
            } : Widgets.row(name, words.compactMap { $0 }.joined(separator: " · "))
        if isEnabled, let index = enabled.firstIndex(of: provider.identifier), index > 0 {
            let up = Widgets.iconButton("go-up-symbolic", "Move \(name) Up") { [weak self, context] in
                var order = enabled
                order.swapAt(index, index - 1)
                self?.change {
                    _ = try await context.daemon.call(Providers.Order.self, .init(identifiers: order))
                }
            }
            adw_action_row_add_suffix(cast(row), up.style("flat"))
        }
        if isEnabled, provider.asksFor != nil {
            let more = Widgets.iconButton("dialog-question-symbolic", "What \(name) Asks For") { [weak self] in
                self?.enable(provider, true)
            }
            adw_action_row_add_suffix(cast(row), more.style("flat"))
        }
        if isEnabled, !provider.builtIn, provider.showsConfiguration {
            let configure = Widgets.iconButton("emblem-system-symbolic", "Configure \(name)") {
                [weak self, context] in
                self?.change {
                    _ = try await context.authenticated(
                        Providers.Configure.self, ProviderReference(identifier: provider.identifier),
                        to: "configure \(name)")
                }
            }
            adw_action_row_add_suffix(cast(row), configure.style("flat"))
        }
        if !provider.builtIn, provider.state != "missing" {
            let remove = Widgets.iconButton("user-trash-symbolic", "Remove \(name)") { [weak self] in
                self?.remove(provider)
            }
            adw_action_row_add_suffix(cast(row), remove.style("flat"))
        }
        return row
    }

    private func enable(_ provider: ProviderStatement, _ isOn: Bool) {
        let name = DisplayText(provider.name).text
        change { [context] in
            if !isOn {
                _ = try await context.daemon.call(
                    Providers.Disable.self, ProviderReference(identifier: provider.identifier))
            } else if let digest = provider.digest {
                var lines = provider.enablingSentences
                if !provider.builtIn { lines.append("Its bundle is \(provider.path).") }
                let question = lines.map { DisplayText($0, .sentence).text }.joined(separator: "\n")
                guard await Question.ask(context, "Enable \(name)?", question, "Enable") else { return }
                _ = try await context.authenticated(
                    Providers.Enable.self, .init(identifier: provider.identifier, digest: digest),
                    to: "enable \(name)")
            }
        }
    }

    private func remove(_ provider: ProviderStatement) {
        let name = DisplayText(provider.name).text
        change { [context] in
            guard await Question.ask(context, "Remove \(name)?", "What it keeps stays where it is.", "Remove") else {
                return
            }
            _ = try await context.daemon.call(Providers.Remove.self, .init(identifier: provider.identifier))
        }
    }

    // MARK: Programs and sites

    private func part(_ bindings: [BindingStatement]) -> Widget {
        let group = Widgets.group("Programs", "Accounts that are offered in a program because you said so.")
        for binding in bindings {
            let program = DisplayText(binding.program, keeping: .end).text
            let row = Widgets.row(program, DisplayText("\(binding.user) at \(binding.service)").text)
            let forget = Widgets.iconButton("edit-delete-symbolic", "Do Not Offer in \(program)") {
                [weak self, context] in
                self?.change { _ = try await context.daemon.call(Apps.Unbind.self, .init(id: binding.id)) }
            }
            adw_action_row_add_suffix(cast(row), forget.style("flat"))
            Widgets.add(row, to: group)
        }
        return group
    }

    private func part(never sites: [String]) -> Widget {
        let group = Widgets.group("Never Asked About", "Sites for which you are not asked whether to save a password.")
        for site in sites {
            let name = DisplayText(site).text
            let row = Widgets.row(name)
            let remove = Widgets.iconButton("edit-delete-symbolic", "Ask About \(name) Again") {
                [weak self, context] in
                self?.change { _ = try await context.daemon.call(NeverSites.Remove.self, .init(site: site)) }
            }
            adw_action_row_add_suffix(cast(row), remove.style("flat"))
            Widgets.add(row, to: group)
        }
        let (row, entry) = Widgets.entryRow("Add a Site", typedSite)
        entry.on("activate") { [weak self, context] in
            let site = Widgets.text(of: entry)
            guard !site.isEmpty else { return }
            self?.typedSite = site
            self?.change { [weak self] in
                _ = try await context.daemon.call(NeverSites.Add.self, .init(site: site))
                self?.typedSite = ""
            }
        }
        Widgets.add(row, to: group)
        return group
    }
}
