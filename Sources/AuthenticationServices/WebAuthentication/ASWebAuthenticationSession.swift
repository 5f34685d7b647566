// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
public import Foundation
internal import Synchronization

/// Has the user sign in on a web page, in a window of their browser, and takes what the page answers.
///
/// The system asks the user first whether this app may, then has the browser with Latchkey's extension open a window. It closes when the
/// page leads to the callback; the address stands in no history and is followed by nobody. What the user types there, the app
/// never sees.
open class ASWebAuthenticationSession: NSObject {
    /// Is called once, on the main actor: with the address that the page led to, or with an error.
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    /// Kept, and without meaning here: the system has a place of its own to ask.
    open weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
    /// Whether the browser is to keep nothing of it and to know nothing of before. A preference: where the user has not let Latchkey's extension
    /// into private windows, the window is a usual one.
    open var prefersEphemeralWebBrowserSession = false
    /// Kept; a browser does not let an extension send them, so a session that has some cannot start.
    open var additionalHeaderFields: [String: String]?

    private let url: URL
    private let callback: Callback
    private let connection: AuthorizationConnection
    private let state: Mutex<State>

    private struct State {
        var handler: Delivery<URL?, (any Error)?>?
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    /// A session that ends at an address of a scheme of the app's own.
    @available(iOS, introduced: 12.0, deprecated: 18.4)
    public convenience init(
        url URL: URL, callbackURLScheme: String?,
        completionHandler: @escaping ASWebAuthenticationSession.CompletionHandler
    ) {
        // Without a scheme nothing would end it but the user.
        self.init(url: URL, callback: .customScheme(callbackURLScheme ?? ""), completionHandler: completionHandler)
    }

    /// A session that ends at a callback.
    public convenience init(
        url URL: URL, callback: ASWebAuthenticationSession.Callback,
        completionHandler: @escaping ASWebAuthenticationSession.CompletionHandler
    ) {
        self.init(url: URL, callback: callback, connection: .shared, completionHandler: completionHandler)
    }

    init(
        url: URL, callback: Callback, connection: AuthorizationConnection,
        completionHandler: @escaping CompletionHandler
    ) {
        self.url = url
        self.callback = callback
        self.connection = connection
        state = Mutex(State(handler: Delivery(completionHandler)))
        super.init()
    }

    /// Whether `start()` can be called: once, for an https address and a callback that is one.
    open var canStart: Bool {
        guard url.scheme?.lowercased() == "https", url.host != nil, additionalHeaderFields?.isEmpty ?? true else {
            return false
        }
        let isCallback =
            callback.statement.scheme.map { !$0.isEmpty }
            ?? (callback.statement.host?.isEmpty == false && callback.statement.path?.hasPrefix("/") == true)
        return isCallback && state.withLock { $0.handler != nil && $0.task == nil && !$0.isCancelled }
    }

    /// Begins. The session lives until its handler has been called.
    ///
    /// - Returns: Whether it has begun; the handler is not called otherwise.
    @discardableResult
    open func start() -> Bool {
        guard canStart else { return false }
        let params = WebAuthentication.Request.Params(
            url: url.absoluteString, callback: callback.statement,
            ephemeral: prefersEphemeralWebBrowserSession ? true : nil)
        // Not Sendable, as Apple's is not: it is only handed on to the main actor, where its handler belongs.
        nonisolated(unsafe) let session = self
        return state.withLock { state in
            guard state.task == nil, !state.isCancelled else { return false }
            state.task = Task { [connection] in
                let outcome: Result<URL, ASWebAuthenticationSessionError>
                do {
                    let answer = try await connection.authenticate(params)
                    outcome = URL(string: answer).map { .success($0) } ?? .failure(.init(.canceledLogin))
                } catch {
                    outcome = .failure(.init(.canceledLogin))
                }
                await MainActor.run { session.tell(outcome) }
            }
            return true
        }
    }

    /// Closes the window; the handler is called with `canceledLogin`.
    open func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.task?.cancel()
        }
    }

    @MainActor private func tell(_ outcome: Result<URL, ASWebAuthenticationSessionError>) {
        let handler = state.withLock { state in
            defer { state.handler = nil }
            return state.handler
        }
        switch outcome {
        case .success(let url) where callback.matchesURL(url): handler?.call(url, nil)
        case .success: handler?.call(nil, ASWebAuthenticationSessionError(.canceledLogin))
        case .failure(let error): handler?.call(nil, error)
        }
    }
}

/// Names the window over which the system asks. Here the system asks in a place of its own, so nobody is asked for one.
@preconcurrency @MainActor
public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    /// The window over which the system asks.
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}
