// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillSecrets
internal import Synchronization

/// Answers pages, beside the broker.
///
/// A page can measure how long its answer takes. So the answer waits neither for a look-up nor for the broker, which may be busy with
/// one: it depends on what the page states and on three facts. The session is handed to the broker by the way, and what ends with
/// it (the handles of an earlier one, of which there are as many as rows) ends when the broker comes to it.
final class FrontDesk: Sendable {
    /// What the answers depend on beside the page.
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

    /// Sessions that wait for the broker at most; older ones end.
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
            fields: form.fields, began: now, newPassword: form.newPassword)
        let name = RandomName.make()
        state.withLock { state in
            if state.arrived.count >= Self.limit { state.arrived.removeFirst() }
            state.arrived.append((name, session))
        }
        return .init(bar: true, session: name, fields: form.fields)
    }

    /// When the browser last vouched for an act of the user, if it has since the last time.
    func takeLastAct() -> ContinuousClock.Instant? {
        state.withLock { state in
            defer { state.lastAct = nil }
            return state.lastAct
        }
    }

    /// The sessions that have begun since the last time, in their order.
    func takeArrived() -> [(name: String, session: SuggestionBook.Session)] {
        state.withLock { state in
            defer { state.arrived = [] }
            return state.arrived
        }
    }
}
