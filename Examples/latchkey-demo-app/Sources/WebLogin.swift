// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import Foundation

/// Signs in on a web page, as an app does that has its accounts elsewhere: a window of the browser opens, and the app is told where
/// it led back to.
@MainActor
final class WebLogin: NSObject, ASWebAuthenticationPresentationContextProviding {
    private let terminal: Terminal

    init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    func run(_ url: URL, _ callback: ASWebAuthenticationSession.Callback, isPrivate: Bool) async {
        terminal.write("\nshiny.\n\nSigning in on \(Terminal.shown(url.host ?? "")).\n")
        let outcome: (url: URL?, error: (any Error)?) = await withCheckedContinuation { continuation in
            let session = ASWebAuthenticationSession(url: url, callback: callback) { url, error in
                continuation.resume(returning: (url, error))
            }
            session.presentationContextProvider = self
            session.prefersEphemeralWebBrowserSession = isPrivate
            guard session.start() else {
                return continuation.resume(returning: (nil, ASWebAuthenticationSessionError(.canceledLogin)))
            }
        }
        if let url = outcome.url {
            // Here an app would look at `state` and send `code` to its server.
            terminal.write("It led back to \(Terminal.shown(url.absoluteString))\n")
        } else {
            terminal.write("Nobody signed in.\n")
        }
    }

    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
        ASPresentationAnchor()
    }
}
