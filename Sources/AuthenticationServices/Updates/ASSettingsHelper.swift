// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Opens Latchkey's settings for an app.
///
/// There is no way from an app into the settings yet: opening them throws `CocoaError.featureUnsupported`.
open class ASSettingsHelper: NSObject {
    private override init() {
        super.init()
    }

    /// Opens the list of credential providers. Throws `CocoaError.featureUnsupported`.
    open nonisolated(nonsending) class func openCredentialProviderAppSettings() async throws {
        throw unsupported
    }

    /// Opens the list of credential providers. The handler gets `CocoaError.featureUnsupported`.
    open class func openCredentialProviderAppSettings(completionHandler: (((any Error)?) -> Void)? = nil) {
        refuse(completionHandler)
    }

    /// Opens the list of apps that provide verification codes. Throws `CocoaError.featureUnsupported`.
    open nonisolated(nonsending) class func openVerificationCodeAppSettings() async throws {
        throw unsupported
    }

    /// Opens the list of apps that provide verification codes. The handler gets `CocoaError.featureUnsupported`.
    open class func openVerificationCodeAppSettings(completionHandler: (((any Error)?) -> Void)? = nil) {
        refuse(completionHandler)
    }

    /// Asks the user to turn the app's extension on; tells whether it is on then. At most once in ten seconds; in
    /// between, and where Latchkey does not know this program as the app of a provider, it is as if the user had said no.
    @discardableResult
    open nonisolated(nonsending) class func requestToTurnOnCredentialProviderExtension() async -> Bool {
        await ContainingAppConnection.shared.requestToTurnOn()
    }

    /// Asks the user to turn the app's extension on; tells whether it is on then. See the variant that waits.
    open class func requestToTurnOnCredentialProviderExtension(completionHandler: @escaping (Bool) -> Void) {
        guard let handler = Delivery(completionHandler) else { return }
        Task { @MainActor in handler.call(await ContainingAppConnection.shared.requestToTurnOn()) }
    }

    private class var unsupported: CocoaError { CocoaError(.featureUnsupported) }

    private class func refuse(_ completionHandler: (((any Error)?) -> Void)?) {
        guard let handler = Delivery(completionHandler) else { return }
        Task { @MainActor in handler.call(CocoaError(.featureUnsupported)) }
    }
}
