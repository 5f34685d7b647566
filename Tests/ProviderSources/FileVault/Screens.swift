// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import UIKit

protocol UnlockViewControllerDelegate: AnyObject {
    func unlockController(_ controller: UnlockViewController, didEnter password: String)
    func unlockControllerDidCancel(_ controller: UnlockViewController)
}

final class UnlockViewController: UIViewController {
    weak var delegate: UnlockViewControllerDelegate?

    private lazy var passwordField: UITextField = {
        let field = UITextField(frame: .zero)
        field.placeholder = "Master password"
        field.isSecureTextEntry = true
        field.textContentType = .password
        field.keyboardType = .asciiCapable
        field.autocapitalizationType = .none
        field.autocorrectionType = .no
        field.returnKeyType = .go
        return field
    }()
    private let errorLabel = MessageView("", style: .error)

    init() {
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder aDecoder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func loadView() {
        let root = UIView(frame: .zero)
        root.addSubview(errorLabel)
        root.addSubview(passwordField)
        root.addSubview(ButtonView("Unlock", style: .default) { [weak self] in self?.didPressUnlock() })
        root.addSubview(ButtonView("Cancel") { [unowned self] in delegate?.unlockControllerDidCancel(self) })
        view = root
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        DispatchQueue.main.async { [weak passwordField] in
            passwordField?.becomeFirstResponder()
        }
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        view.endEditing(true)
    }

    func show(_ message: String) {
        errorLabel.text = message
        passwordField.text = nil
        passwordField.becomeFirstResponder()
    }

    private func didPressUnlock() {
        passwordField.resignFirstResponder()
        delegate?.unlockController(self, didEnter: passwordField.text ?? "")
    }
}

protocol EntryListViewControllerDelegate: AnyObject {
    func list(_ controller: EntryListViewController, didSelect entry: VaultEntry)
}

final class EntryListViewController: UIViewController {
    weak var delegate: EntryListViewControllerDelegate?
    private let groups: [VaultGroup]

    init(groups: [VaultGroup]) {
        self.groups = groups
        super.init(nibName: nil, bundle: nil)
        title = "Entries"
    }

    required init?(coder aDecoder: NSCoder) {
        return nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let table = ListView(frame: view.bounds)
        table.sections = groups.map { group in
            ListView.Section(
                title: group.name,
                rows: group.entries.map { .init(identifier: $0.uuid.uuidString, title: $0.title, subtitle: $0.user) })
        }
        table.onSelect = { [weak self] row in
            guard let self = self, let uuid = UUID(uuidString: row.identifier),
                let entry = self.groups.flatMap(\.entries).first(where: { $0.uuid == uuid })
            else { return }
            self.delegate?.list(self, didSelect: entry)
        }
        view.addSubview(table)
    }
}
