// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
public import Foundation

/// What the host of an extension gives it for one request, and where the request ends.
///
/// A request ends once: whoever comes later is told by `expired` that nobody waits any more. Ends are taken from any
/// thread; completion handlers are called on the main actor.
open class NSExtensionContext: NSObject {
    /// The end of the request that this context belongs to; none for a context that somebody made by hand.
    let ending: RequestEnding?

    init(ending: RequestEnding) {
        self.ending = ending
        super.init()
    }

    /// A context without a request: whatever ends in it has expired.
    public override init() {
        ending = nil
        super.init()
    }

    /// Always empty: a credential provider gets its input by methods of its own.
    open var inputItems: [Any] { [] }

    /// Ends the request with items, which a credential provider's request has none of: it fails.
    open func completeRequest(returningItems items: [Any]?, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        finish(.failure(.providerFailed("It returned items instead of a credential.")), then: completionHandler)
    }

    /// Ends the request with an error, which should be in `ASExtensionErrorDomain`.
    open func cancelRequest(withError error: any Error) {
        ending?.finish(.failure(WireError(canceledWith: error)))
    }

    /// Asks the host to open a URL, which Latchkey never does for a provider: the handler gets `false`.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    open func open(_ URL: URL, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        guard let completionHandler else { return }
        Task { @MainActor in completionHandler(false) }
    }

    /// Asks the host to open a URL, which Latchkey never does for a provider.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    @discardableResult
    open nonisolated(nonsending) func open(_ URL: URL) async -> Bool { false }

    /// Ends the request and tells the handler whether it had ended before.
    func finish(_ outcome: RequestEnding.Outcome, then completionHandler: ((Bool) -> Void)?) {
        let expired = finish(outcome)
        guard let handler = Delivery(completionHandler) else { return }
        Task { @MainActor in handler.call(expired) }
    }

    /// Ends the request and tells whether it had ended before.
    func finish(_ outcome: RequestEnding.Outcome) -> Bool {
        !(ending?.finish(outcome) ?? false)
    }
}

/// The key of the errors that belong to `inputItems`, in the `userInfo` of the error given to
/// `cancelRequest(withError:)`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSExtensionItemsAndErrorsKey: String = "NSExtensionItemsAndErrorsKey"
