// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

// A provider for iOS 15 as teams write it: a coordinator without any isolation, a passcode screen over everything, code in
// Swift 5 mode. What had to be changed for Linux stands in docs/porting-from-ios.md.

class CredentialProviderViewController: ASCredentialProviderViewController {
    private lazy var coordinator = AutoFillCoordinator(rootController: self, accounts: AccountStorage())

    override func viewDidLoad() {
        super.viewDidLoad()
        overrideUserInterfaceStyle = .light
        coordinator.start()
    }

    override var preferredStatusBarStyle: UIStatusBarStyle {
        return traitCollection.userInterfaceStyle == .dark ? .lightContent : .darkContent
    }

    override var prefersStatusBarHidden: Bool {
        return false
    }

    override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
        if traitCollection.hasDifferentColorAppearance(comparedTo: previousTraitCollection) {
            setNeedsStatusBarAppearanceUpdate()
        }
    }

    // On iOS these three stood in an extension. Only the Objective-C runtime can override there.

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        coordinator.prepareUI(for: serviceIdentifiers)
    }

    override func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        coordinator.provideWithoutUserInteraction(for: credentialIdentity)
    }

    override func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {
        coordinator.prepareUI(for: credentialIdentity)
    }

    override func prepareInterfaceForExtensionConfiguration() {
        coordinator.prepareConfigurationUI()
    }
}

extension CredentialProviderViewController: AutoFillCoordinatorDelegate {
    func coordinator(_ coordinator: AutoFillCoordinator, didSelect account: Account) {
        let credential = ASPasswordCredential(user: account.user, password: account.password)
        extensionContext.completeRequest(withSelectedCredential: credential, completionHandler: nil)
    }

    func coordinator(_ coordinator: AutoFillCoordinator, didFailWith error: ASExtensionError.Code) {
        extensionContext.cancelRequest(
            withError: NSError(domain: ASExtensionErrorDomain, code: error.rawValue, userInfo: nil)
        )
    }

    func coordinatorDidFinishConfiguration(_ coordinator: AutoFillCoordinator) {
        extensionContext.completeExtensionConfigurationRequest()
    }
}
