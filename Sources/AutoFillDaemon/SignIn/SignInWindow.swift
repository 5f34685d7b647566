// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillProviders
internal import AutoFillSecrets

/// A window of the browser in which the user signs in.
enum SignInWindow {
    /// Time limit for the user.
    private static let patience = Duration.seconds(600)

    /// Opens a window and waits for its outcome. The browser closes the window then, or when the wait is cancelled.
    static func open(
        on url: String, until callback: WebCallback, isPosted: Bool, isEphemeral: Bool, over browser: ClientConnection
    ) async throws -> WebAuthentication.Open.Answer {
        guard browser.role == .browser, let peer = browser.peer else {
            throw WireError(.userCanceled, "There is no browser to sign in with.")
        }
        let prompt = RandomName.make()
        let named = try JSONValue(encoding: Browser.Present.Params(prompt: prompt))
        defer { peer.notify(Browser.Dismiss.name, named) }
        return try await peer.call(
            WebAuthentication.Open.self,
            .init(
                prompt: prompt, url: url, callback: callback.statement, post: isPosted, ephemeral: isEphemeral),
            timeout: patience)
    }
}
