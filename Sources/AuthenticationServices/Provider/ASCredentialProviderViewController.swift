// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The principal object of a credential provider extension. Subclass it and override what your provider can do.
///
/// One controller serves one request. The system makes it, gives it its context by `beginRequest(with:)`, calls the
/// method for the request, and lets go of it when `extensionContext` has been completed or cancelled. The process stays
/// for later requests, so what is costly to set up belongs into an object that outlives controllers.
///
/// Latchkey asks for passwords and one-time codes, and has passwords saved and generated. The methods for passkeys, for
/// text to insert, and for reports are here to be overridden; the system does not call them yet (`latchkey providers
/// test` asks for text). By default each cancels its request and says why; the reports do nothing.
///
/// The methods that take an identity are deprecated by Apple and are not marked here, so that overriding them warns
/// nobody.
@preconcurrency @MainActor
open class ASCredentialProviderViewController: UIViewController {
    private lazy var detachedContext = ASCredentialProviderExtensionContext()

    /// Where the request ends. Outside of a request it is a context in which everything has expired.
    open override var extensionContext: ASCredentialProviderExtensionContext {
        requestContext as? ASCredentialProviderExtensionContext ?? detachedContext
    }

    // MARK: Lists

    /// Prepares the list of all credentials, those for `serviceIdentifiers` first. An earlier identifier is more
    /// specific.
    ///
    /// Put a `ListView` into the view, and complete or cancel the request when the user has chosen. By default the
    /// request is cancelled, since there is no list.
    open func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        refuse("This provider has no list.")
    }

    /// Prepares the list of passwords and passkeys while a relying party asks for a passkey. By default it is the list
    /// of `prepareCredentialList(for:)`.
    open func prepareCredentialList(
        for serviceIdentifiers: [ASCredentialServiceIdentifier],
        requestParameters: ASPasskeyCredentialRequestParameters
    ) {
        prepareCredentialList(for: serviceIdentifiers)
    }

    /// Prepares the list of sources of one-time codes.
    open func prepareOneTimeCodeCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        refuse("This provider has no one-time codes.")
    }

    /// Prepares an interface in which the user chooses any text of the provider's.
    open func prepareInterfaceForUserChoosingTextToInsert() {
        refuse("This provider has no text to insert.")
    }

    // MARK: One credential

    /// Provides the credential for an identity at once, nothing being on the screen.
    ///
    /// Complete the request within a few seconds, or cancel it: with `userInteractionRequired` to be shown on the
    /// screen, with `credentialIdentityNotFound` when there is no such credential. By default it asks for interaction.
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

    // MARK: New passkeys

    /// Prepares the interface in which the user agrees to a new passkey.
    ///
    /// - Parameter registrationRequest: An `ASPasskeyCredentialRequest`.
    open func prepareInterface(forPasskeyRegistration registrationRequest: any ASCredentialRequest) {
        refuse("This provider does not make passkeys.")
    }

    /// Makes a passkey at once if that can be done without asking, nothing being on the screen. To ask for interaction
    /// is a failure here.
    open func performWithoutUserInteractionIfPossible(
        passkeyRegistration registrationRequest: ASPasskeyCredentialRequest
    ) {
        refuse("This provider does not make passkeys.")
    }

    // MARK: Passwords to save and to generate

    /// Saves a password at once if that can be done without asking, nothing being on the screen. Cancel with
    /// `userInteractionRequired` to be shown on the screen.
    open func performWithoutUserInteractionIfPossible(savePasswordRequest: ASSavePasswordRequest) {
        refuse("This provider does not save passwords.")
    }

    /// Prepares the interface in which the user saves a password.
    open func prepareInterface(for savePasswordRequest: ASSavePasswordRequest) {
        refuse("This provider does not save passwords.")
    }

    /// Generates passwords at once, nothing being on the screen, and stores none. To ask for interaction is a failure
    /// here.
    open func performWithoutUserInteraction(generatePasswordsRequest: ASGeneratePasswordsRequest) {
        refuse("This provider does not generate passwords.")
    }

    /// Prepares the interface in which the user has passwords generated and chooses one. It is asked for when the user wants to
    /// see a password before it is used, in place of `performWithoutUserInteraction(generatePasswordsRequest:)`; a provider
    /// without one says so by `SupportsGeneratePasswordCredentialsWithUI`.
    open func prepareInterface(for generatePasswordsRequest: ASGeneratePasswordsRequest) {
        refuse("This provider does not generate passwords.")
    }

    // MARK: Configuration

    /// Prepares the interface shown when the user has enabled the extension. Ended by
    /// `completeExtensionConfigurationRequest()`.
    ///
    /// Does nothing by default, and is called for extensions only that say they have such an interface.
    open func prepareInterfaceForExtensionConfiguration() {}

    // MARK: Reports, which nothing completes

    /// A user of a relying party has another name now. Does nothing by default.
    open func reportPublicKeyCredentialUpdate(
        forRelyingParty relyingParty: String,
        userHandle: Data,
        newName: String
    ) {}

    /// A relying party does not know a passkey any more. Does nothing by default.
    open func reportUnknownPublicKeyCredential(forRelyingParty relyingParty: String, credentialID: Data) {}

    /// A relying party accepts these passkeys of a user and no others. Does nothing by default.
    open func reportAllAcceptedPublicKeyCredentials(
        forRelyingParty relyingParty: String,
        userHandle: Data,
        acceptedCredentialIDs: [Data]
    ) {}

    /// A user of a domain does not sign in with a password any more. Does nothing by default.
    open func reportUnusedPasswordCredential(forDomain domain: String, userName: String) {}

    private func refuse(_ sentence: String) {
        let reason = [ASExtensionLocalizedFailureReasonErrorKey: sentence]
        extensionContext.cancelRequest(withError: ASExtensionError(.failed, userInfo: reason))
    }
}

extension ASCredentialRequest {
    /// The identity of a request for a password.
    fileprivate var passwordIdentity: ASPasswordCredentialIdentity? {
        type == .password ? credentialIdentity as? ASPasswordCredentialIdentity : nil
    }
}
