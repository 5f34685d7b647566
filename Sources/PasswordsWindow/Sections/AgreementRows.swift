// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel
internal import ShownText

/// What the user has agreed to once: programs that may ask for a site's passwords, and forms in pages of other sites.
@DesktopActor struct AgreementRows {
    let context: PageContext
    /// Does something, and shows how things stand then.
    let change: @DesktopActor (@escaping @DesktopActor () async throws -> Void) -> Void

    func part(_ apps: [AppStatement]) -> Widget {
        let group = Widgets.group("Apps", "Programs that ask for the passwords of their own sites.")
        for app in apps {
            let name = DisplayText(app.identifier).text
            let row = Widgets.row(name, words(app).map { DisplayText($0, .sentence).text }.joined(separator: "\n"))
            let reference = AppReference(path: app.path)
            // Two programs may state to be one app.
            let named = "\(name), \(DisplayText(app.path, keeping: .end).text)"
            if app.state == "known" {
                add("action-unavailable-symbolic", "Refuse \(named)", to: row) { [context] in
                    _ = try await context.daemon.call(Apps.Revoke.self, reference)
                }
            }
            // Only what the user has decided can be asked about again.
            if app.date != nil {
                add("edit-delete-symbolic", "Ask Again About \(named)", to: row) { [context] in
                    // From a no to a question: that is less than before.
                    _ = try await context.authenticated(
                        Apps.Forget.self, reference, to: "be asked about \(name) again")
                }
            }
            Widgets.add(row, to: group)
        }
        return group
    }

    /// What is known of an app: its sites, its program, and what keeps it from them.
    private func words(_ app: AppStatement) -> [String] {
        let sites =
            app.hosts.isEmpty ? "No site has confirmed it." : "Gets passwords of \(app.hosts.joined(separator: ", "))."
        let state: String? =
            switch app.state {
            case "known": nil
            case "refused": "You have refused it."
            case "unknown": "You are asked when it asks first."
            case "changed": "Its program has changed; you are asked again."
            case "conflict": "Two programs state to be this app, so neither gets anything."
            default: "What it states cannot be read."
            }
        return [state ?? sites, app.path] + [app.problem].compactMap { $0 }
    }

    func part(_ consents: [ConsentStatement]) -> Widget {
        let group = Widgets.group(
            "Agreements", "What you agreed to outside a page.")
        for consent in consents {
            let site = DisplayText(consent.origin).text
            let place = Self.place(of: consent)
            let user = DisplayText(consent.user, placeholder: "(no user name)").text
            let account = "\(user) at \(DisplayText(consent.service).text)"
            let row = Widgets.row(site, account + ", " + DisplayText(place, .sentence).text)
            add(
                "edit-delete-symbolic", "Take Back: \(site), \(account), \(DisplayText(place, .sentence).text)", to: row
            ) { [context] in
                _ = try await context.daemon.call(Consents.Forget.self, .init(ids: [consent.id]))
            }
            Widgets.add(row, to: group)
        }
        return group
    }

    private static func place(of consent: ConsentStatement) -> String {
        if let top = consent.top { return "in a page of \(top)" }
        return consent.kind == "unstated"
            ? "in a browser that does not say what lies over a suggestion" : "without encryption, on this network"
    }

    private func add(
        _ icon: String, _ name: String, to row: Widget, _ work: @escaping @DesktopActor () async throws -> Void
    ) {
        let button = Widgets.iconButton(icon, name) { change(work) }
        adw_action_row_add_suffix(cast(row), button.style("flat"))
    }
}
