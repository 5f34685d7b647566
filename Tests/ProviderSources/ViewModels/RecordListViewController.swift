// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import UIKit

class BoundViewController<Model: ViewModel>: UIViewController {
    let viewModel: Model
    private var unbind: (() -> Void)?

    init(viewModel: Model) {
        self.viewModel = viewModel
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        unbind = viewModel.state.bind { [weak self] state in self?.render(state) }
        Task { [viewModel] in await viewModel.load() }
    }

    deinit {
        unbind?()
    }

    func render(_ state: Model.State) {}
}

/// A view of its own, which lays itself out on iOS.
final class RecordView: UIView {
    let list = ListView()

    override init(frame: CGRect) {
        super.init(frame: frame)
        tag = 1
        addSubview(list)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        list.frame = bounds
    }
}

final class RecordListViewController: BoundViewController<RecordListViewModel> {
    var onSelect: ((Record) -> Void)?
    private let recordView = RecordView()
    private let progress = ProgressView("Loading")

    override func viewDidLoad() {
        for part in [progress, recordView] { view.addSubview(part) }
        preferredContentSize = CGSize(width: 320, height: 480)
        super.viewDidLoad()
    }

    override func render(_ state: LoadingState<[Record]>) {
        progress.isHidden = true
        recordView.setNeedsLayout()
        switch state {
        case .idle, .loading:
            progress.isHidden = false
        case .loaded(let records):
            recordView.list.sections = [
                ListView.Section(
                    title: "", rows: records.map { .init(identifier: $0.id, title: $0.name, subtitle: $0.site) })
            ]
            recordView.list.onSelect = { [weak self] row in
                records.first { $0.id == row.identifier }.map { self?.onSelect?($0) }
            }
        case .failed(let error):
            title = error.localizedDescription
        }
    }
}
