// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

// A provider for iOS 12 as its author wrote it, along "Implementing AutoFill Credential Provider Extensions" (WWDC 2018,
// session 721). Only the table of passwords is not as on iOS: it is a `ListView` here.

class CredentialProviderViewController: ASCredentialProviderViewController {
    private var serviceIdentifiers = [ASCredentialServiceIdentifier]()
    var authenticationViewController: AuthenticationViewController?

    override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Shiny Passwords"
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
    }

    // MARK: - The list from the QuickType bar

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        self.serviceIdentifiers = serviceIdentifiers
        guard !PasswordDatabase.shared.isEmpty else {
            let userInfo = [ASExtensionLocalizedFailureReasonErrorKey: "No passwords are saved yet."]
            extensionContext.cancelRequest(withError: ASExtensionError(.failed, userInfo: userInfo))
            return
        }
        let listViewController = CredentialListViewController(nibName: nil, bundle: nil)
        listViewController.delegate = self
        listViewController.passwords = PasswordDatabase.shared.passwords(for: serviceIdentifiers)
        embed(listViewController)
    }

    // MARK: - A suggestion on the QuickType bar

    override func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        let database = PasswordDatabase.shared
        guard database.isReadable else {
            self.extensionContext.cancelRequest(
                withError: NSError(domain: ASExtensionErrorDomain, code: ASExtensionError.failed.rawValue)
            )
            return
        }
        guard let password = database.password(for: credentialIdentity.recordIdentifier) else {
            self.extensionContext.cancelRequest(
                withError: NSError(
                    domain: ASExtensionErrorDomain,
                    code: ASExtensionError.credentialIdentityNotFound.rawValue
                )
            )
            return
        }
        if database.isLocked {
            self.extensionContext.cancelRequest(
                withError: NSError(
                    domain: ASExtensionErrorDomain,
                    code: ASExtensionError.userInteractionRequired.rawValue
                )
            )
            return
        }
        complete(with: password)
    }

    override func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {
        let controller = AuthenticationViewController()
        controller.modalPresentationStyle = .fullScreen
        controller.completion = { [weak self] result in
            guard let self = self else { return }
            switch result {
            case .success:
                guard let password = PasswordDatabase.shared.password(for: credentialIdentity.recordIdentifier) else {
                    return self.cancel(with: .credentialIdentityNotFound)
                }
                self.dismiss(animated: false) {
                    self.complete(with: password)
                }
            case .failure(let error):
                self.extensionContext.cancelRequest(withError: error)
            }
        }
        authenticationViewController = controller
        // What is presented here comes with an animation already.
        present(controller, animated: false, completion: nil)
    }

    // MARK: - Configuration, when the user has enabled the extension in Settings

    override func prepareInterfaceForExtensionConfiguration() {
        let navigationController = UINavigationController(rootViewController: ConfigurationViewController())
        navigationController.isModalInPresentation = true
        present(navigationController, animated: false)
    }

    // MARK: - Actions

    @IBAction func cancel(_ sender: AnyObject?) {
        self.extensionContext.cancelRequest(
            withError: NSError(domain: ASExtensionErrorDomain, code: ASExtensionError.userCanceled.rawValue)
        )
    }

    private func cancel(with code: ASExtensionError.Code) {
        extensionContext.cancelRequest(withError: ASExtensionError(code))
    }

    private func complete(with password: SavedPassword) {
        let passwordCredential = ASPasswordCredential(user: password.user, password: password.password)
        self.extensionContext.completeRequest(withSelectedCredential: passwordCredential, completionHandler: nil)
    }

    private func embed(_ child: UIViewController) {
        for old in children {
            old.willMove(toParent: nil)
            old.view.removeFromSuperview()
            old.removeFromParent()
        }
        addChild(child)
        child.view.frame = view.bounds
        view.addSubview(child.view)
        child.didMove(toParent: self)
    }
}

extension CredentialProviderViewController: CredentialListViewControllerDelegate {
    func credentialList(_ controller: CredentialListViewController, didSelect password: SavedPassword) {
        complete(with: password)
    }
}
