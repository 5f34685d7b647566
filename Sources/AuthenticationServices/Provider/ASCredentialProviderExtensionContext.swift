// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

/// Where a credential provider's request ends: with a credential, with an error, or with the end of its configuration.
open class ASCredentialProviderExtensionContext: NSExtensionContext {
    /// Ends the request with the credential that is to be filled.
    ///
    /// - Parameter completionHandler: Called on the main actor with `expired`: true when the request had ended before,
    ///   by an earlier call or because nobody waits any more.
    open func completeRequest(
        withSelectedCredential credential: ASPasswordCredential,
        completionHandler: ((Bool) -> Void)? = nil
    ) {
        let password = SecretBytes(utf8: credential.password)
        finish(.credential(user: credential.user, password: password), then: completionHandler)
    }

    /// Ends a request for a signature of a passkey.
    ///
    /// The system does not make such requests yet, so whatever request this ends has failed.
    open func completeAssertionRequest(
        using credential: ASPasskeyAssertionCredential,
        completionHandler: ((Bool) -> Void)? = nil
    ) {
        finish(.unasked("a passkey's signature"), then: completionHandler)
    }

    /// Ends a request for a signature of a passkey and tells whether it had ended before.
    @discardableResult
    open nonisolated(nonsending) func completeAssertionRequest(
        using credential: ASPasskeyAssertionCredential
    ) async -> Bool {
        finish(.unasked("a passkey's signature"))
    }

    /// Ends a request for a new passkey.
    ///
    /// The system does not make such requests yet, so whatever request this ends has failed.
    open func completeRegistrationRequest(
        using credential: ASPasskeyRegistrationCredential,
        completionHandler: ((Bool) -> Void)? = nil
    ) {
        finish(.unasked("a new passkey"), then: completionHandler)
    }

    /// Ends a request for a new passkey and tells whether it had ended before.
    @discardableResult
    open nonisolated(nonsending) func completeRegistrationRequest(
        using credential: ASPasskeyRegistrationCredential
    ) async -> Bool {
        finish(.unasked("a new passkey"))
    }

    /// Ends a request for a one-time code.
    open func completeOneTimeCodeRequest(
        using credential: ASOneTimeCodeCredential,
        completionHandler: ((Bool) -> Void)? = nil
    ) {
        finish(.oneTimeCode(SecretBytes(utf8: credential.code)), then: completionHandler)
    }

    /// Ends a request for a one-time code and tells whether it had ended before.
    @discardableResult
    open nonisolated(nonsending) func completeOneTimeCodeRequest(using credential: ASOneTimeCodeCredential) async
        -> Bool
    {
        finish(.oneTimeCode(SecretBytes(utf8: credential.code)))
    }

    /// Ends the request that began with `prepareInterfaceForUserChoosingTextToInsert()`.
    open func completeRequest(withTextToInsert text: String, completionHandler: ((Bool) -> Void)? = nil) {
        finish(.text(SecretBytes(utf8: text)), then: completionHandler)
    }

    /// Ends the request that began with `prepareInterfaceForUserChoosingTextToInsert()` and tells whether it had ended
    /// before.
    @discardableResult
    open nonisolated(nonsending) func completeRequest(withTextToInsert text: String) async -> Bool {
        finish(.text(SecretBytes(utf8: text)))
    }

    /// Ends a request to save a password: it is kept for good.
    open func completeSavePasswordRequest(completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        finish(.saved, then: completionHandler)
    }

    /// Ends a request to save a password and tells whether it had ended before.
    @discardableResult
    open nonisolated(nonsending) func completeSavePasswordRequest() async -> Bool {
        finish(.saved)
    }

    /// Ends a request for generated passwords, the best of them first. None of them may have been kept.
    open func completeGeneratePasswordRequest(
        results: [ASGeneratedPassword],
        completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) {
        finish(.generated(results), then: completionHandler)
    }

    /// Ends a request for generated passwords and tells whether it had ended before.
    @discardableResult
    open nonisolated(nonsending) func completeGeneratePasswordRequest(results: [ASGeneratedPassword]) async -> Bool {
        finish(.generated(results))
    }

    /// Ends the request that began with `prepareInterfaceForExtensionConfiguration()`.
    open func completeExtensionConfigurationRequest() {
        finish(.configured, then: nil)
    }

    /// For whom the credential is asked for; `nil` where nobody said, as in a configuration.
    ///
    /// Latchkey's own: Apple's API has no such member, so code that is to compile for iOS too has to do without it.
    public internal(set) var requestContext: CredentialRequestContext?

    /// Ends the request with a refusal because of who asks, which does not count as a failure to deliver.
    ///
    /// Latchkey's own, as `requestContext`.
    ///
    /// - Parameter reason: One sentence for the user and the audit log, without secrets.
    public func refuseRequest(because reason: String) {
        finish(.failure(WireError(.refused, "The provider refuses: \(reason)", reason: reason)), then: nil)
    }

    /// Ends the request with an error in `ASExtensionErrorDomain`; one of another domain counts as `failed`.
    open override func cancelRequest(withError error: any Error) {
        super.cancelRequest(withError: error)
    }

    /// Not for credential providers: use `completeRequest(withSelectedCredential:completionHandler:)`.
    @available(*, unavailable)
    open override func completeRequest(
        returningItems items: [Any]?,
        completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) {
        super.completeRequest(returningItems: items, completionHandler: completionHandler)
    }
}

extension RequestEnding.Outcome {
    fileprivate static func generated(_ results: [ASGeneratedPassword]) -> RequestEnding.Outcome {
        .generated(results.map { (kind: $0.kind.rawValue, password: SecretBytes(utf8: $0.value)) })
    }

    /// The end of a request with something that nobody has asked for.
    fileprivate static func unasked(_ thing: String) -> RequestEnding.Outcome {
        .failure(.providerFailed("It answered with \(thing), which was not requested."))
    }
}
