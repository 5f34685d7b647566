// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The principal object of a credential provider extension. Subclass it and override what your provider can do.
///
/// One controller serves one request. The system makes it, gives it its context by `beginRequest(with:)`, calls the
/// method for the request, and lets go of it when `extensionContext` has been completed or cancelled. The process stays
/// for later requests, so what is costly to set up belongs into an object that outlives controllers.
@MainActor
open class ASCredentialProviderViewController: UIViewController {
    private lazy var detachedContext = ASCredentialProviderExtensionContext()

    /// Where the request ends. Outside of a request it is a context in which everything has expired.
    open override var extensionContext: ASCredentialProviderExtensionContext {
        requestContext as? ASCredentialProviderExtensionContext ?? detachedContext
    }

    /// Prepares the list of all credentials, those for `serviceIdentifiers` first. An earlier identifier is more
    /// specific.
    ///
    /// Put a `ListView` into the view, and complete or cancel the request when the user has chosen. By default the
    /// request is cancelled, since there is no list.
    open func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        extensionContext.cancelRequest(withError: ASExtensionError(.failed))
    }

    /// Provides the credential for an identity at once, nothing being on the screen.
    ///
    /// Complete the request within a few seconds, or cancel it: with `userInteractionRequired` to be shown on the
    /// screen, with `credentialIdentityNotFound` when there is no such credential. By default it asks for interaction.
    @available(iOS, introduced: 12.0, deprecated: 17.0)
    open func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
    }

    /// Provides the credential for a request of any type at once, nothing being on the screen.
    ///
    /// By default a request for a password goes to the method that takes its identity, and others are cancelled.
    open func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        guard let identity = credentialRequest.passwordIdentity else {
            return extensionContext.cancelRequest(withError: ASExtensionError(.credentialIdentityNotFound))
        }
        provideCredentialWithoutUserInteraction(for: identity)
    }

    /// Prepares the interface that leads to the credential for an identity. Does nothing by default.
    @available(iOS, introduced: 12.0, deprecated: 17.0)
    open func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {}

    /// Prepares the interface that leads to the credential for a request of any type.
    ///
    /// By default a request for a password goes to the method that takes its identity, and others are cancelled.
    open func prepareInterfaceToProvideCredential(for credentialRequest: any ASCredentialRequest) {
        guard let identity = credentialRequest.passwordIdentity else {
            return extensionContext.cancelRequest(withError: ASExtensionError(.credentialIdentityNotFound))
        }
        prepareInterfaceToProvideCredential(for: identity)
    }

    /// Prepares the interface shown when the user has enabled the extension. Ended by
    /// `completeExtensionConfigurationRequest()`.
    ///
    /// Does nothing by default, and is called for extensions only that say they have such an interface.
    open func prepareInterfaceForExtensionConfiguration() {}
}

extension ASCredentialRequest {
    /// The identity of a request for a password.
    fileprivate var passwordIdentity: ASPasswordCredentialIdentity? {
        type == .password ? credentialIdentity as? ASPasswordCredentialIdentity : nil
    }
}
