// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

typealias ResultHandler = (_ password: String?, _ error: NSError?) -> Void

class CredentialProviderViewController: ASCredentialProviderViewController {
    fileprivate var observer: NSObjectProtocol?
    fileprivate let fetcher = PasswordFetcher()
    fileprivate var isShowingUI = false

    override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
        observer = NotificationCenter.default.addObserver(
            forName: PasswordFetcher.didChange, object: nil, queue: .main
        ) { [weak self] notification in
            self?.fetcherDidChange(notification.userInfo?["count"] as? Int ?? 0)
        }
    }

    convenience init() {
        self.init(nibName: nil, bundle: Bundle.main)
    }

    required init?(coder aDecoder: NSCoder) {
        super.init(coder: aDecoder)
    }

    deinit {
        if let observer = observer { NotificationCenter.default.removeObserver(observer) }
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        self.title = Bundle.main.infoDictionary?["CFBundleDisplayName"] as? String
        self.modalPresentationStyle = .fullScreen
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        fetcher.forget()
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        isShowingUI = true
        let controller = PasswordTableController(delegate: self)
        fetcher.fetchAll { [weak self] names, error in
            guard let strongSelf = self else { return }
            if let error = error {
                strongSelf.cancel(error)
                return
            }
            controller.names = names ?? []
            strongSelf.show(controller)
        }
    }

    override func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        isShowingUI = false
        provide(credentialIdentity)
    }

    override func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {
        isShowingUI = true
        provide(credentialIdentity)
    }

    fileprivate func provide(_ identity: ASPasswordCredentialIdentity) {
        fetcher.fetchPassword(for: identity.recordIdentifier ?? identity.user) { password, error in
            DispatchQueue.main.async {
                if let password = password {
                    self.extensionContext.completeRequest(
                        withSelectedCredential: ASPasswordCredential(user: identity.user, password: password),
                        completionHandler: nil)
                } else if !self.isShowingUI {
                    self.extensionContext.cancelRequest(
                        withError: NSError(
                            domain: ASExtensionErrorDomain, code: ASExtensionError.userInteractionRequired.rawValue))
                } else {
                    self.cancel(error)
                }
            }
        }
    }

    fileprivate func show(_ controller: UIViewController) {
        self.addChild(controller)
        self.view.addSubview(controller.view)
        controller.didMove(toParent: self)
        self.view.layoutIfNeeded()
    }

    fileprivate func cancel(_ error: NSError?) {
        let code = error?.domain == NSURLErrorDomain ? ASExtensionError.failed : ASExtensionError.userCanceled
        self.extensionContext.cancelRequest(
            withError: NSError(domain: ASExtensionErrorDomain, code: code.rawValue, userInfo: error?.userInfo))
    }

    fileprivate func fetcherDidChange(_ count: Int) {
        self.title = "\(count) passwords"
    }
}

extension CredentialProviderViewController: PasswordTableControllerDelegate {
    func passwordTable(_ controller: PasswordTableController, didSelect name: String) {
        fetcher.fetchPassword(for: name) { [weak self] password, error in
            guard let self = self else { return }
            DispatchQueue.main.async {
                guard let password = password else { return self.cancel(error) }
                self.extensionContext.completeRequest(
                    withSelectedCredential: ASPasswordCredential(user: name, password: password),
                    completionHandler: { _ in })
            }
        }
    }

    func passwordTableDidCancel(_ controller: PasswordTableController) {
        cancel(nil)
    }
}
