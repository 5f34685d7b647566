// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import Synchronization

/// A task that runs for a document or a client, and is cancelled with it.
struct Run: Sendable {
    let connection: Int
    var tab: Int?
    var document: String?
    let cancel: @Sendable () -> Void

    func isFor(_ connection: Int, _ tab: Int, _ document: String?) -> Bool {
        self.connection == connection && self.tab == tab && (document == nil || document == self.document)
    }
}

/// The tasks that run for documents and clients, and are cancelled with them.
@DaemonActor final class Runs: SessionObserver {
    let broker: Broker
    private var runs: [Int: Run] = [:]
    private var runCount = 0

    init(_ broker: Broker) {
        self.broker = broker
    }

    func sessionEnded() {
        for run in runs.values { run.cancel() }
    }

    func clientLeft(_ client: ClientConnection) {
        cancel(of: client.number)
    }

    /// Ends what runs for a client.
    func cancel(of client: Int) {
        for run in runs.values where run.connection == client { run.cancel() }
    }

    /// Ends what runs for a document, or for all documents of a tab.
    func cancel(of client: Int, tab: Int, document: String?) {
        for run in runs.values where run.isFor(client, tab, document) { run.cancel() }
    }

    /// How much runs for a client.
    func count(of client: Int) -> Int {
        runs.values.count { $0.connection == client }
    }

    /// Runs a task for a document, and cancels it when the document is left or its browser disconnects.
    ///
    /// - Throws: `locked` when Latchkey was locked meanwhile; `userCanceled` when the task was cancelled for another reason.
    func running<Answer: Sendable>(
        for session: SuggestionBook.Session?, on client: ClientConnection,
        _ body: @escaping @DaemonActor @Sendable () async throws -> Answer
    ) async throws -> Answer {
        runCount += 1
        let number = runCount
        let task = Task { try await body() }
        runs[number] = Run(connection: client.number, tab: session?.tab, document: session?.document) { task.cancel() }
        defer { runs[number] = nil }
        let locks = broker.lockCount
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch is CancellationError {
            throw broker.lockCount == locks
                ? WireError(.userCanceled, "The request was canceled because its requester has closed.")
                : Broker.lockedMeanwhile
        }
    }
}

/// Cancels a task that is created later than the code that may cancel it.
final class Cancellation: Sendable {
    private let state = Mutex<(isCancelled: Bool, action: (@Sendable () -> Void)?)>((false, nil))

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            return state.action
        }?()
    }

    func whenCancelled(_ action: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.action = action
            return state.isCancelled
        }
        if isCancelled { action() }
    }
}
