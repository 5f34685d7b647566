// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillRelease
internal import SecurityCodes

/// The one way to ask the user, with its limits and remembered refusals.
@DaemonActor final class UserQuestions: SessionObserver {
    let broker: Broker
    let desk: PromptDesk
    let interfaces: InterfaceDesk
    var promptLimiter = PromptLimiter()
    /// Requesters for whom a question stands open.
    private var asking: Set<String> = []

    init(_ broker: Broker) {
        self.broker = broker
        desk = PromptDesk(pinentry: Pinentry(environment: broker.environment), logger: broker.logger)
        interfaces = InterfaceDesk(now: broker.time.now)
    }

    func clientClosed(_ client: ClientConnection) async {
        await desk.forget(client.number)
        await interfaces.forget(client.number)
    }

    /// Asks by the desk, unless the requester was refused a moment ago.
    @discardableResult func ask(
        _ question: PromptDesk.Question, as requester: String, over client: ClientConnection,
        verify: @escaping PromptDesk.Verify
    ) async throws -> PromptDesk.Agreement {
        try await limited(requester) {
            let agreement = try await desk.ask(question, over: client, verify: verify)
            broker.userActed()
            return agreement
        }
    }

    /// Asks once at a time for each requester, and not again at once after a no.
    func limited<Answer>(_ requester: String, _ body: () async throws -> Answer) async throws -> Answer {
        if let wait = promptLimiter.wait(for: requester, at: broker.time.now()) {
            let seconds = Int(wait.components.seconds) + 1
            throw WireError(
                .tooManyAttempts, "You said no a moment ago; it may ask again in \(seconds) seconds.",
                retryAfter: seconds)
        }
        guard asking.insert(requester).inserted else { throw WireError(.busy, "You are being asked already.") }
        defer { asking.remove(requester) }
        do {
            let answer = try await body()
            promptLimiter.agreed(requester)
            return answer
        } catch let error as WireError where error.code == .userCanceled || error.code == .timedOut {
            promptLimiter.refused(requester, at: broker.time.now())
            throw error
        }
    }

    /// Asks the user to unlock, outside the page.
    func unlockByPrompt(over client: ClientConnection) async throws {
        guard broker.isInitialized else { throw WireError(.notInitialized, "There is nothing here yet.") }
        guard broker.unlocked == nil else { return }
        try await ask(.init(kind: .unlock, requester: client.requester), as: "unlock", over: client) {
            [weak self] passphrase in try await self?.broker.unlock(passphrase: passphrase)
        }
    }
}
