// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices

/// A page of the window that shows what is saved: does one thing at a time, and says what went wrong with it.
class PageViewController: UIViewController {
    let items: ItemRoute
    /// Holds what the page shows; what went wrong stands below it, and the buttons below that.
    let content = UIView()
    private let problem = MessageView("", style: .error)
    private let buttons = UIView()
    private var isBusy = false
    private var loading: Task<Void, Never>?

    init(items: ItemRoute) {
        self.items = items
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        for part in [content, problem, buttons] { view.addSubview(part) }
    }

    /// Puts other views in the place of what the page shows.
    func show(_ views: [UIView]) {
        for view in content.subviews { view.removeFromSuperview() }
        for view in views { content.addSubview(view) }
    }

    /// Puts other buttons in the place of the page's.
    func offer(_ offered: [ButtonView]) {
        for button in buttons.subviews { button.removeFromSuperview() }
        for button in offered { buttons.addSubview(button) }
    }

    /// A button that leads to the page before.
    func backButton(_ title: String = "Back", style: ButtonView.Style = .plain) -> ButtonView {
        ButtonView(title, style: style) { [weak self] in
            self?.navigationController?.popViewController(animated: false)
        }
    }

    func push(_ page: PageViewController) {
        navigationController?.pushViewController(page, animated: false)
    }

    /// Reads what the page shows. What is still being read for an earlier look at it is cancelled, and changes nothing any more.
    func load(_ work: @escaping @MainActor () async throws -> Void) {
        loading?.cancel()
        problem.text = ""
        loading = Task {
            do { try await work() } catch { if !Task.isCancelled { say(error) } }
        }
    }

    /// Does something with what is saved, unless something is being done already: whoever presses a button twice means it once.
    func attempt(_ work: @escaping @MainActor () async throws -> Void) {
        guard !isBusy else { return }
        isBusy = true
        problem.text = ""
        Task {
            do { try await work() } catch { say(error) }
            isBusy = false
        }
    }

    /// Nothing of what the user has typed is in these words, and nothing of it is lost.
    private func say(_ error: any Error) {
        let error = CredentialManagingError(error)
        problem.text = [error.message, error.hint].compactMap(\.self).joined(separator: " ")
    }
}
