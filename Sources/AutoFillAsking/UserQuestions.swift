// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillRelease
package import Logging
internal import Synchronization

extension WireError {
    package static let lockedMeanwhile = WireError(.locked, "Latchkey was locked in the meantime.")
}

/// Asks the user, limits how often, and remembers refusals. All questions go through this class.
@DaemonActor package final class UserQuestions {
    let session: any UserAuthenticating
    package let desk: PromptDesk
    private let notifications: (any NotificationShowing)?
    package let interfaces: InterfaceDesk
    package var promptLimiter = PromptLimiter()
    /// Requesters with an open question.
    private var asking: Set<String> = []
    /// The open questions, by the tasks that ask them.
    private var open: Set<Task<PromptDesk.Agreement, any Error>> = []
    /// Those that a lock has just ended.
    private var ending: Set<Task<PromptDesk.Agreement, any Error>> = []

    /// - Parameters:
    ///   - session: The session, which verifies passphrases. It lives as long as the daemon.
    ///   - environment: The daemon's environment, which says whether there is a display.
    ///   - fingerprints: The fingerprint reader; `nil` for none.
    ///   - notifications: Shows notifications of the desktop; `nil` for none.
    package init(
        _ session: any UserAuthenticating, environment: [String: String],
        fingerprints: (any FingerprintReading)? = nil, notifications: (any NotificationShowing)? = nil,
        logger: Logger
    ) {
        self.session = session
        self.notifications = notifications
        desk = PromptDesk(
            pinentry: Pinentry(environment: environment), fingerprints: fingerprints, notifications: notifications,
            logger: logger)
        interfaces = InterfaceDesk(now: session.time.now)
    }

    /// Ends the questions of a client that has disconnected.
    package func forget(_ client: any QuestionClient) async {
        await desk.forget(client.number)
        await interfaces.forget(client.number)
    }

    /// Ends all open questions because of a lock: they name sites and accounts, and belong to the session that has ended.
    package func endAll() {
        ending = open
        for question in ending { question.cancel() }
    }

    /// Waits until the questions that `endAll` has ended are no longer shown.
    package func haveEnded() async {
        let ended = ending
        ending = []
        for question in ended { _ = await question.result }
        await notifications?.takeBackAll()
    }

    /// Asks on the desk, unless the user has just refused this requester. A lock ends the question.
    @discardableResult package func ask(
        _ question: PromptDesk.Question, as requester: String, over client: any QuestionClient,
        agreed: PromptDesk.Agreed? = nil, verify: @escaping PromptDesk.Verify
    ) async throws -> PromptDesk.Agreement {
        try await limited(requester) {
            var question = question
            question.takesPIN = (question.kind == .unlock || question.takesQuickAnswers) && session.hasPIN
            question.takesFingerprint = question.takesQuickAnswers && session.takesFingerprints
            let asked = Task { [desk, question] in
                try await desk.ask(question, over: client, agreed: agreed, verify: verify)
            }
            open.insert(asked)
            defer { open.remove(asked) }
            do {
                let agreement = try await withTaskCancellationHandler {
                    try await asked.value
                } onCancel: {
                    asked.cancel()
                }
                session.userActed()
                return agreement
            } catch is CancellationError where !Task.isCancelled {
                throw WireError.lockedMeanwhile
            }
        }
    }

    /// Asks one question at a time for each requester, and makes it wait after a refusal.
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
        _ = try await unlockByPrompt(over: client, toFill: nil)
    }

    /// Asks the user to unlock, outside the page, so that something can be filled.
    ///
    /// - Parameter site: The site that is filled next, which the question names.
    /// - Returns: Whether this very question has unlocked, and nothing else before or meanwhile.
    package func unlockByPrompt(over client: any QuestionClient, toFill site: String?) async throws -> Bool {
        guard session.isInitialized else {
            try session.checkUnlocked()
            return false
        }
        guard !session.isUnlocked else { return false }
        let didUnlock = Mutex(false)
        let question = PromptDesk.Question(kind: .unlock, requester: client.requester, site: site)
        try await ask(question, as: "unlock", over: client) { [weak self] passphrase in
            guard let self else { return nil }
            let wasLocked = await !self.session.isUnlocked
            let means = try await self.session.unlock(passphrase: passphrase)
            didUnlock.withLock { $0 = wasLocked }
            return means
        }
        return didUnlock.withLock(\.self)
    }
}
