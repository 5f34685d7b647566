// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillMatching
internal import FormAnalysis

/// Keeps the sessions of forms on pages and the account filled in each tab, and asks the browser about a form's document.
@DaemonActor final class PageSessions: SessionObserver {
    let broker: Broker
    let runs: Runs
    var book: SuggestionBook
    var tabAccounts = TabAccounts()

    init(_ broker: Broker, runs: Runs) {
        self.broker = broker
        self.runs = runs
        book = SuggestionBook(front: broker.front)
    }

    func sessionEnded() {
        book.endAll()
        tabAccounts = TabAccounts()
    }

    func clientLeft(_ client: ClientConnection) {
        book.end { $0.connection == client.number }
        tabAccounts.forget(connection: client.number)
    }

    /// Whether the bar is shown. This depends only on the fields, the preference, and the one bit whether anything is saved at all.
    ///
    /// The function is not isolated, so the page gets its answer while a look-up keeps this actor busy. A focus alone is not activity of
    /// the user, because a script can move it: only acts that the browser vouches for count.
    nonisolated func focused(
        _ params: Page.Focused.Params, on client: ClientConnection
    ) async -> Page.Focused.Answer {
        broker.front.answer(params, connection: client.number, at: broker.time.now())
    }

    func left(_ params: Page.Left.Params, on client: ClientConnection) {
        runs.cancel(of: client.number, tab: params.tab, document: params.document)
        book.end { session in
            session.connection == client.number && session.tab == params.tab
                && (params.document == nil || params.document == session.document)
        }
        if params.document == nil {
            tabAccounts.forget(tab: params.tab, of: client.number)
            broker.tellObservers { $0.tabWasLeft(params.tab, of: client) }
        }
    }

    func session(_ name: String, _ client: ClientConnection) throws -> SuggestionBook.Session {
        guard let session = book.session(name, of: client.number, at: broker.time.now()) else {
            throw WireError(.expired, "The form that asked is gone.")
        }
        return session
    }

    /// The origin that the browser states for the frame now; `nil` if the document is gone or its chain is no longer valid.
    func confirm(_ session: SuggestionBook.Session, on client: ClientConnection) async -> VerifiedOrigin? {
        guard
            let evidence = try? await client.peer?.call(
                Browser.Evidence.self, .init(tab: session.tab, frame: session.frame, document: session.document),
                timeout: .seconds(5)),
            evidence.chain.first?.document == session.document
        else { return nil }
        let chain = evidence.chain.map {
            ClaimedDocument(origin: ClaimedOrigin($0.origin), documentIdentifier: $0.document)
        }
        return try? OriginVerifier.verify(chain).get()
    }
}
