// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets

/// The forms about which the user is asked: until the answer, for an hour, or until their tab or browser is closed. A lock in between
/// loses none of them.
@DaemonActor final class WaitingForms: SessionObserver {
    /// How long the user is asked.
    static let patience = PromptDesk.longPatience
    /// Maximum number for one browser.
    static let limit = 8

    private let broker: Broker
    private var forms: [WaitingForm] = []

    init(_ broker: Broker) {
        self.broker = broker
    }

    func sessionEnds() {
        guard let publicKey = try? broker.requireUnlocked().auditKeys().publicKey else { return }
        for form in forms { form.seal(to: publicKey) }
    }

    func sessionEnded() {
        // Its own pieces have not seen the keys go. A form that was not sealed is not kept.
        for form in forms {
            form.seal(to: nil)
            form.attempt?.cancel()
        }
    }

    func clientLeft(_ client: ClientConnection) {
        for form in forms where form.form.connection == client.number { form.end() }
    }

    func tabWasLeft(_ tab: Int, of client: ClientConnection) {
        for form in forms where form.form.connection == client.number && form.form.tab == tab { form.end() }
    }

    /// Asks about a form, and again after each lock, until the body returns or throws for another reason.
    ///
    /// A form of the same site takes the place of an earlier one, and the oldest of the tab that has most of them gives way when there are
    /// too many.
    func ask(
        _ candidate: SaveBook.Candidate, _ body: @escaping @DaemonActor @Sendable (WaitingForm) async throws -> Void
    ) async throws {
        let form = WaitingForm(candidate)
        if broker.unlocked == nil { form.seal(to: broker.audit.publicKey) }
        let earlier = forms.filter { $0.form.connection == form.form.connection }
        let replaced = earlier.filter { $0.form.origin.origin == form.form.origin.origin }
        let outnumbered = earlier.count - replaced.count >= Self.limit ? Self.leastWanted(of: earlier) : nil
        let ended = replaced + [outnumbered].compactMap(\.self)
        forms.append(form)
        defer { forms.removeAll { $0 === form } }
        for old in ended { old.end() }
        // Two questions about one site are not asked at a time.
        for old in ended { _ = await old.attempt?.result }
        while !form.isOver {
            let locks = broker.lockCount
            do {
                return try await form.begin { try await body(form) }.value
            } catch {
                guard !form.isOver, broker.lockCount != locks else { throw error }
            }
        }
        throw CancellationError()
    }

    private static func leastWanted(of forms: [WaitingForm]) -> WaitingForm? {
        let counts = Dictionary(grouping: forms) { $0.form.tab }.mapValues(\.count)
        let most = counts.values.max() ?? 0
        return forms.first { counts[$0.form.tab] == most }
    }
}
