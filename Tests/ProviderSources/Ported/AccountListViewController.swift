// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import UIKit

class AccountListViewController: UIViewController {
    var onSelect: ((Account) -> Void)?
    private let accounts: [Account]
    private let listView = ListView()

    init(accounts: [Account]) {
        self.accounts = accounts
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        listView.sections = [
            ListView.Section(
                title: "Accounts",
                rows: accounts.map { ListView.Row(identifier: $0.identifier, title: $0.user, subtitle: $0.host) }
            )
        ]
        listView.onSelect = { [weak self] row in
            guard let account = self?.accounts.first(where: { $0.identifier == row.identifier }) else { return }
            self?.onSelect?(account)
        }
        view.addSubview(listView)
    }
}
