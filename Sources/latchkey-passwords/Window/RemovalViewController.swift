// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices

/// Asks once more before a password is removed.
final class RemovalViewController: PageViewController {
    private let item: CredentialItem

    init(items: ItemRoute, item: CredentialItem) {
        self.item = item
        super.init(items: items)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        show([
            MessageView("Remove the password of \(item.account)?", style: .heading),
            MessageView("For 30 days it can be brought back: latchkey restore-item \(item.shortName)"),
        ])
        offer([
            ButtonView("Remove", style: .destructive) { [weak self] in self?.remove() },
            backButton("Keep", style: .default),
        ])
    }

    private func remove() {
        attempt { [self] in
            _ = try await items.remove(item.id)
            navigationController?.popToRootViewController(animated: false)
        }
    }
}
