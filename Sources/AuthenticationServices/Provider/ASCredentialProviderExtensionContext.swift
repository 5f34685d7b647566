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

    /// Ends the request that began with `prepareInterfaceForExtensionConfiguration()`.
    open func completeExtensionConfigurationRequest() {
        finish(.configured, then: nil)
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
