// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillRelease
package import Logging

/// The one way to ask the user, with its limits and remembered refusals.
@DaemonActor package final class UserQuestions {
    let session: any UserAuthenticating
    package let desk: PromptDesk
    package let interfaces: InterfaceDesk
    package var promptLimiter = PromptLimiter()
    /// Requesters for whom a question stands open.
    private var asking: Set<String> = []

    /// - Parameters:
    ///   - session: what is asked about, and what verifies passphrases; it lives as long as the daemon.
    ///   - environment: that of the daemon, which says whether there is a display.
    package init(_ session: any UserAuthenticating, environment: [String: String], logger: Logger) {
        self.session = session
        desk = PromptDesk(pinentry: Pinentry(environment: environment), logger: logger)
        interfaces = InterfaceDesk(now: session.time.now)
    }

    /// Ends the questions of a client that has left.
    package func forget(_ client: any QuestionClient) async {
        await desk.forget(client.number)
        await interfaces.forget(client.number)
    }

    /// Asks by the desk, unless the requester was refused a moment ago.
    @discardableResult package func ask(
        _ question: PromptDesk.Question, as requester: String, over client: any QuestionClient,
        verify: @escaping PromptDesk.Verify
    ) async throws -> PromptDesk.Agreement {
        try await limited(requester) {
            let agreement = try await desk.ask(question, over: client, verify: verify)
            session.userActed()
            return agreement
        }
    }

    /// Asks once at a time for each requester, and not again at once after a no.
    package func limited<Answer>(_ requester: String, _ body: () async throws -> Answer) async throws -> Answer {
        if let wait = promptLimiter.wait(for: requester, at: session.time.now()) {
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
            promptLimiter.refused(requester, at: session.time.now())
            throw error
        }
    }

    /// Asks the user to unlock, outside the page.
    package func unlockByPrompt(over client: any QuestionClient) async throws {
        guard session.isInitialized else { throw WireError(.notInitialized, "There is nothing here yet.") }
        guard !session.isUnlocked else { return }
        try await ask(.init(kind: .unlock, requester: client.requester), as: "unlock", over: client) {
            [weak self] passphrase in try await self?.session.unlock(passphrase: passphrase)
        }
    }
}
