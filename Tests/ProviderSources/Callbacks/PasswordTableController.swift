// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import UIKit

@MainActor
protocol PasswordTableControllerDelegate: NSObjectProtocol {
    func passwordTable(_ controller: PasswordTableController, didSelect name: String)
    func passwordTableDidCancel(_ controller: PasswordTableController)
}

class PasswordTableController: UIViewController {
    weak var delegate: PasswordTableControllerDelegate?
    var names: [String] = [] {
        didSet { if isViewLoaded { reloadData() } }
    }
    private let table = ListView()
    private let searchQueue = DispatchQueue(label: "search", attributes: .concurrent)

    init(delegate: PasswordTableControllerDelegate?) {
        self.delegate = delegate
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder aDecoder: NSCoder) {
        super.init(coder: aDecoder)
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        table.onSearch = { [weak self] text in self?.search(text) }
        table.onSelect = { [weak self] in
            guard let self = self else { return }
            self.delegate?.passwordTable(self, didSelect: $0.identifier)
        }
        view.addSubview(table)
        let cancel = ButtonView("Cancel")
        cancel.onPress = { [weak self] in
            guard let self = self else { return }
            self.delegate?.passwordTableDidCancel(self)
        }
        view.addSubview(cancel)
        reloadData()
    }

    private func search(_ text: String) {
        let names = self.names
        searchQueue.async {
            let found = text.isEmpty ? names : names.filter { $0.localizedCaseInsensitiveContains(text) }
            DispatchQueue.main.async { [weak self] in self?.reloadData(found) }
        }
    }

    private func reloadData(_ found: [String]? = nil) {
        table.sections = [.init(title: "", rows: (found ?? names).map { .init(identifier: $0, title: $0) })]
    }
}
