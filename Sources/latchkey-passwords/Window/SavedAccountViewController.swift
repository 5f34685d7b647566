// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices

/// An account's page. It names the password, which leaves by the gate alone: the window asks the daemon for it.
final class SavedAccountViewController: PageViewController {
    /// At most this many sites are named, and this many findings; an interface may hold more.
    private static let limit = (sites: 30, findings: 6)

    private let id: String
    /// What is shown.
    private var item: CredentialItem?
    private let edit = ButtonView("Edit")
    private let remove = ButtonView("Remove…", style: .destructive)

    init(items: ItemRoute, id: String) {
        self.id = id
        super.init(items: items)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        edit.onPress = { [weak self] in
            guard let self, let item = self.item else { return }
            self.push(AccountFormViewController(items: self.items, editing: item))
        }
        remove.onPress = { [weak self] in
            guard let self, let item = self.item else { return }
            self.push(RemovalViewController(items: self.items, item: item))
        }
        offer([edit, remove, backButton()])
    }

    /// Shows the account as it is now: it may have been changed on another page, or elsewhere.
    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        show(nil)
        load { [self] in
            let item = try await items.item(id)
            try Task.checkCancellation()
            guard item.removed == nil else { throw CredentialManagingError(.notFound, "It was removed.") }
            show(item)
            await recommend()
        }
    }

    /// Shows an account; nothing while it is not known, or not there any more.
    private func show(_ item: CredentialItem?) {
        self.item = item
        show(item.map(facts) ?? [])
        for button in [edit, remove] { button.isHidden = item == nil }
    }

    private func facts(of item: CredentialItem) -> [UIView] {
        var lines = item.services.prefix(Self.limit.sites).map { "Site: \($0)" }
        let more = item.services.count - Self.limit.sites
        if more > 0 { lines.append("and \(more) more sites") }
        if item.isStrict { lines.append("Offered on exactly these hosts.") }
        if item.hasAuthenticator { lines.append("One-time codes: latchkey show --code \(item.shortName)") }
        lines.append("Last changed on \(item.lastChange).")
        let name = MessageView(item.title ?? item.site, style: .heading)
        guard item.hasPassword else {
            lines.append("To read the notes: latchkey show --notes \(item.shortName)")
            return ([name] + (item.user.isEmpty ? [] : [MessageView("User name: \(item.user)")]))
                + lines.map { MessageView($0) }
        }
        lines.append("To copy the password: latchkey show --copy \(item.shortName)")
        let account: [UIView] = [
            name, MessageView("User name: \(item.user.isEmpty ? "none" : item.user)"),
            SavedPasswordView("Password:", record: id),
        ]
        return account + lines.map { MessageView($0) }
    }

    /// Says what is wrong with the password, where something is. Who cannot judge it says nothing.
    private func recommend() async {
        let question = await items.advisor.question(about: id)
        guard let found = try? await items.recommendations(question).recommendations.first, !found.isHidden,
            !Task.isCancelled
        else { return }
        for finding in found.findings.prefix(Self.limit.findings) {
            content.addSubview(MessageView("\(finding.reason) \(finding.advice)"))
        }
    }
}
