// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices

/// The first page: every account that is saved, to be searched and chosen from.
final class SavedPasswordsViewController: PageViewController {
    private let onDone: () -> Void
    private let addButton = ButtonView("Add Password")

    /// - Parameter onDone: called when the user has finished.
    init(items: ItemRoute, onDone: @escaping () -> Void) {
        self.onDone = onDone
        super.init(items: items)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        // Who has it read aloud hears of the list at once, and not of what stands around it first.
        view.isHidden = true
        addButton.onPress = { [weak self] in self?.add() }
        offer([ButtonView("Done") { [weak self] in self?.onDone() }])
    }

    /// Lists anew what there is. The list is another one each time: whoever draws it has forgotten what was searched for before.
    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        let list = ListView()
        list.onSelect = { [weak self] in self?.open($0.identifier) }
        show([addButton, list])
        load { [items, view] in
            defer { view?.isHidden = false }
            list.sections = [Self.section(of: try await items.listed())]
        }
    }

    /// Sites in their order, without the `www.` of some, and under each the user; all sites of an account are searched in.
    private static func section(of listed: [CredentialItem]) -> ListView.Section {
        let sorted = listed.map { (host: Self.name(of: ServiceText($0.site).host), item: $0) }
            .sorted { ($0.host, $0.item.user, $0.item.id) < ($1.host, $1.item.user, $1.item.id) }
        return ListView.Section(
            title: "Saved Passwords",
            rows: sorted.map { _, item in
                ListView.Row(
                    identifier: item.id,
                    title: item.services.isEmpty ? item.site : item.services.joined(separator: ", "),
                    subtitle: item.user)
            })
    }

    private static func name(of host: String) -> String {
        host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
    }

    private func open(_ id: String) {
        push(SavedAccountViewController(items: items, id: id))
    }

    private func add() {
        push(AccountFormViewController(items: items))
    }
}
