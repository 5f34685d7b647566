// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillSecrets
internal import Foundation

/// The form of a new account, or of one that is there. What is typed here goes the way of `items.add` and `items.edit`.
final class AccountFormViewController: PageViewController {
    /// A longer site does not fit into a text of an interface, and would come back cut.
    private static let siteBytes = 1_024
    /// An interface has 64 elements.
    private static let siteFields = 40

    private let item: CredentialItem?
    /// The sites of its fields.
    private let shown: [String]
    /// Sites that no field has: they stay.
    private let kept: [String]
    private let siteList = UIView()
    private var sites: [TextField] = []
    private let user = TextField(label: "User name")
    private let password: TextField
    private let repetition = TextField(label: "Repeat password", isSecure: true)

    /// - Parameter item: The account as the user has just seen it; nothing for a new one.
    init(items: ItemRoute, editing item: CredentialItem? = nil) {
        self.item = item
        let services = item?.services ?? []
        let shown = Array(services.filter { $0.utf8.count <= Self.siteBytes }.prefix(Self.siteFields))
        self.shown = shown
        kept = services.filter { !shown.contains($0) }
        password =
            item == nil
            ? TextField(label: "Password", isSecure: true)
            : TextField(label: "New password", placeholder: "Leave empty to keep it", isSecure: true)
        super.init(items: items)
        user.contents = .username
        user.text = item?.user ?? ""
        for site in shown { addSite(site) }
        if shown.isEmpty { addSite("") }
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        var views: [UIView] = [
            MessageView(item.map { "Edit \($0.account)" } ?? "Add Password", style: .heading), siteList,
        ]
        if !kept.isEmpty { views.append(MessageView("\(kept.count) more sites stay as they are.")) }
        if item == nil {
            views.append(ButtonView("Add Another Site") { [weak self] in self?.addSite("") })
        } else {
            views.append(
                MessageView("To use this account at another site too, run `latchkey edit`. It takes your passphrase."))
        }
        show(views + [user, password, repetition])
        offer([ButtonView("Save", style: .default) { [weak self] in self?.save() }, backButton()])
    }

    private func addSite(_ site: String) {
        guard sites.count < Self.siteFields else { return }
        let field = TextField(label: "Site", placeholder: "shiny.example.com")
        field.text = site
        sites.append(field)
        siteList.addSubview(field)
    }

    private func save() {
        attempt { [self] in
            let (services, password) = (typedSites, try typedPassword())
            if let item {
                // Whoever draws this window could be somebody else than the user, and no passphrase is asked for here.
                guard services.allSatisfy((shown + kept).contains) else { throw CredentialManagingError.newSite }
                // What the user has left alone stays as it is by now, whoever has changed it meanwhile.
                let changes = CredentialItemChanges(
                    services: services == shown + kept ? nil : services, user: user.text == item.user ? nil : user.text,
                    password: password)
                if changes != CredentialItemChanges() { _ = try await items.editWithoutNewSites(item.id, changes) }
            } else if let password {
                _ = try await items.add([NewCredentialItem(services: services, user: user.text, password: password)])
            } else {
                throw CredentialManagingError(.invalidItem, "Type the password.")
            }
            navigationController?.popViewController(animated: false)
        }
    }

    /// In the order of the fields, without empty ones and repetitions. Nobody means the spaces around a name.
    private var typedSites: [String] {
        var typed: [String] = []
        for field in sites {
            let site = field.text.trimmingCharacters(in: .whitespacesAndNewlines)
            if !site.isEmpty, !typed.contains(site) { typed.append(site) }
        }
        return typed + kept
    }

    /// Nothing where both fields are empty. What cannot be seen while it is typed is typed twice.
    private func typedPassword() throws(CredentialManagingError) -> SecretText? {
        guard password.secret == repetition.secret else {
            throw CredentialManagingError(.invalidItem, "The two passwords are not the same.")
        }
        return password.secret.bytes.count == 0 ? nil : password.secret
    }
}
