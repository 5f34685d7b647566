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
    /// How long a form waits, however often its question is asked again.
    static let patience = PromptDesk.longPatience
    /// Maximum number for one browser.
    static let limit = 8

    private let broker: Broker
    private var forms: [WaitingForm] = []
    /// What a lock has just ended. Each form is asked about anew meanwhile.
    private var ending: [Task<Void, any Error>] = []

    init(_ broker: Broker) {
        self.broker = broker
    }

    func sessionEnds() {
        guard let publicKey = try? broker.requireUnlocked().auditKeys().publicKey else { return }
        for form in forms { form.seal(to: publicKey) }
    }

    func sessionEnded() {
        ending = forms.compactMap(\.attempt)
        for form in forms {
            // One that could not be sealed while the keys were there is not kept in the clear.
            form.seal(to: nil)
            form.attempt?.cancel()
        }
    }

    func sessionClosed(wasUnlocked: Bool) async {
        let ended = ending
        ending = []
        guard wasUnlocked else { return }
        // What an attempt still holds of the session is gone once it has ended.
        for attempt in ended { _ = await attempt.result }
    }

    func clientLeft(_ client: ClientConnection) {
        for form in forms where form.form.connection == client.number { form.end() }
    }

    func tabWasLeft(_ tab: Int, of client: ClientConnection) {
        for form in forms where form.form.connection == client.number && form.form.tab == tab { form.end() }
    }

    /// Takes a form in, so that it outlives a lock from now on.
    ///
    /// A form of the same site takes the place of an earlier one, and the oldest of the tab that has most of them gives way when there are
    /// too many.
    ///
    /// - Returns: What `ask` takes, or `nil` if the user is being asked about just this.
    func take(_ candidate: SaveBook.Candidate) -> (form: WaitingForm, ended: [WaitingForm])? {
        let earlier = forms.filter { $0.form.connection == candidate.connection && !$0.isOver }
        let replaced = earlier.filter { $0.form.origin.origin == candidate.origin.origin }
        // A page that sends the same again and again brings about one question.
        guard !replaced.contains(where: { $0.isSame(as: candidate) }) else { return nil }
        let others = earlier.filter { other in !replaced.contains { $0 === other } }
        let outnumbered = others.count >= Self.limit ? Self.leastWanted(of: others) : nil
        let form = WaitingForm(candidate)
        if broker.unlocked == nil { form.seal(to: broker.audit.publicKey) }
        forms.append(form)
        let ended = replaced + [outnumbered].compactMap(\.self)
        for old in ended { old.end() }
        return (form, ended)
    }

    /// Asks about a form, and again after each lock, until the body returns or throws for another reason.
    func ask(
        _ form: WaitingForm, after ended: [WaitingForm],
        _ body: @escaping @DaemonActor @Sendable (WaitingForm) async throws -> Void
    ) async throws {
        let deadline = Task {
            try await Task.sleep(for: Self.patience)
            form.end()
        }
        defer {
            deadline.cancel()
            forms.removeAll { $0 === form }
        }
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
