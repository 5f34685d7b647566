// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

protocol CredentialListViewControllerDelegate: AnyObject {
    @MainActor func credentialList(_ controller: CredentialListViewController, didSelect password: SavedPassword)
}

class CredentialListViewController: UIViewController {
    weak var delegate: CredentialListViewControllerDelegate?
    var passwords: [SavedPassword] = [] {
        didSet { reloadData() }
    }

    private lazy var listView = ListView()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(listView)
        reloadData()
    }

    private func reloadData() {
        listView.sections = [
            ListView.Section(
                title: "Passwords",
                rows: passwords.map { ListView.Row(identifier: $0.identifier, title: $0.user, subtitle: $0.host) }
            )
        ]
        listView.onSelect = { [weak self] row in
            guard let self = self, let password = self.passwords.first(where: { $0.identifier == row.identifier })
            else { return }
            self.delegate?.credentialList(self, didSelect: password)
        }
    }
}
