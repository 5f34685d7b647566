// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

/// Asks for the master password.
class AuthenticationViewController: UIViewController {
    var completion: ((Result<Void, Error>) -> Void)?

    init() {
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    @IBAction func unlock(_ sender: Any?) {
        submit(masterPassword: "open sesame")
    }

    func submit(masterPassword: String) {
        do {
            try PasswordDatabase.shared.unlock(with: masterPassword)
            completion?(.success(()))
        } catch PasswordDatabase.Failure.wrongMasterPassword {
            completion?(.failure(ASExtensionError(.failed)))
        } catch {
            completion?(.failure(error))
        }
    }

    @IBAction func cancel(_ sender: Any?) {
        completion?(.failure(ASExtensionError(ASExtensionError.userCanceled)))
    }
}

/// Signs in to the online service, fills the identity store and is done.
class ConfigurationViewController: UIViewController {
    @IBAction func done(_ sender: Any?) {
        IdentityStoreUpdates().replaceEverything { [weak self] _ in
            guard let context = self?.extensionContext as? ASCredentialProviderExtensionContext else { return }
            context.completeExtensionConfigurationRequest()
        }
    }
}
