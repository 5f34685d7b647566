// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import UIKit

final class SavePasswordViewController: UIViewController {
    private let request: ASSavePasswordRequest
    private let completion: (Bool) -> Void

    init(request: ASSavePasswordRequest, completion: @escaping (Bool) -> Void) {
        self.request = request
        self.completion = completion
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = request.title ?? request.serviceIdentifier.identifier
        view.addSubview(MessageView(request.credential.user, style: .heading))
        view.addSubview(ButtonView("Save", style: .default) { [completion] in completion(true) })
        view.addSubview(ButtonView("Don’t Save", style: .destructive) { [completion] in completion(false) })
    }
}
