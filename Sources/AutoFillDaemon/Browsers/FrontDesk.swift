// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillSecrets
internal import Synchronization

/// Answers pages without waiting for the broker.
///
/// A page can measure how long its answer takes. So the answer waits neither for a look-up nor for the broker, which may be busy with one:
/// it depends only on the page's statement and on three facts. The session is queued for the broker. The session that it replaces, with one
/// handle per row, ends when the broker takes the queue.
final class FrontDesk: Sendable {
    /// The facts that the answers depend on, besides the page's statement.
    struct Facts: Sendable, Equatable {
        var autoFill = false
        var offersAnything = false
        var isInitialized = false
    }

    private struct State {
        var facts = Facts()
        var arrived: [(name: String, session: SuggestionBook.Session)] = []
        var lastAct: ContinuousClock.Instant?
    }

    /// Maximum number of sessions that wait for the broker; the oldest is dropped.
    static let limit = 1_024

    private let state = Mutex(State())

    var facts: Facts {
        get { state.withLock { $0.facts } }
        set { state.withLock { $0.facts = newValue } }
    }

    /// Whether the bar is to be shown, and the session for it.
    func answer(
        _ params: Page.Focused.Params, connection: Int, at now: ContinuousClock.Instant
    ) -> Page.Focused.Answer {
        if params.active == true { state.withLock { $0.lastAct = now } }
        let form = FocusedForm(params.page, focused: params.focused)
        let facts = self.facts
        // A new password can be made before anything is saved, and a code may come at any moment.
        guard facts.autoFill, facts.offersAnything || form.newPassword != nil || form.asksForCode, facts.isInitialized,
            !form.fields.isEmpty
        else {
            return .init(bar: false, session: nil, fields: [])
        }
        let chain = params.frame.chain.map {
            ClaimedDocument(origin: ClaimedOrigin($0.origin), documentIdentifier: $0.document)
        }
        let session = SuggestionBook.Session(
            connection: connection, tab: params.frame.tab, frame: params.frame.frame,
            document: params.frame.document,
            origin: params.frame.document == params.frame.chain.first?.document
                ? OriginVerifier.verify(chain) : .failure(.noDocument),
            fields: form.fields, path: PagePath(params.page.path), began: now, newPassword: form.newPassword)
        let name = RandomName.make()
        state.withLock { state in
            if state.arrived.count >= Self.limit { state.arrived.removeFirst() }
            state.arrived.append((name, session))
        }
        return .init(bar: true, session: name, fields: form.fields)
    }

    /// The last time that the browser vouched for a user act; `nil` if it has not since the previous call.
    func takeLastAct() -> ContinuousClock.Instant? {
        state.withLock { state in
            defer { state.lastAct = nil }
            return state.lastAct
        }
    }

    /// Removes and returns the sessions that have begun since the previous call, in their order.
    func takeArrived() -> [(name: String, session: SuggestionBook.Session)] {
        state.withLock { state in
            defer { state.arrived = [] }
            return state.arrived
        }
    }
}
