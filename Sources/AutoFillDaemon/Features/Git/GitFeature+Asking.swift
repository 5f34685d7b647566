// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets
internal import ShownText

/// Asking the user for git.
extension GitFeature {
    /// Whether Latchkey is unlocked, perhaps now: where nobody can be asked it is not.
    func unlock(_ asking: GitAsking) async throws -> Bool {
        if broker.unlocked != nil { return true }
        guard asking.hasTerminal || questions.desk.hasPinentry else { return false }
        do {
            if questions.desk.hasPinentry {
                try await questions.ask(
                    .init(kind: .unlock, requester: asking.caller.sentence), as: asking.limit, over: asking.client
                ) { [broker] passphrase in try await broker.unlock(passphrase: passphrase) }
            } else {
                try await limited(asking) {
                    try await self.typedPassphrase("unlock", asking) { try await self.broker.unlock(passphrase: $0) }
                }
            }
        } catch let error as WireError where error.code == .userCanceled || error.code == .tooManyAttempts {
            return false
        }
        return broker.unlocked != nil
    }

    /// The user chooses, and proves who they are where the preferences want it.
    func choice(
        among candidates: [GitCandidate], _ asking: GitAsking, in epoch: UserAct.Epoch
    ) async throws -> (GitCandidate, UserAct) {
        let isAsked = broker.requirement(of: UserChoice(surface: asking.surface(questions.desk))) == .authentication
        // So many as a person can choose among.
        let offered = Array(candidates.prefix(20))
        guard questions.desk.hasPinentry else {
            return try await terminalAct(among: offered, wantsPassphrase: isAsked, asking, in: epoch)
        }
        return try await choiceByPinentry(offered, isAsked ? .authentication : .confirmation, asking, in: epoch)
    }

    /// One question for each account, until one is agreed to: a pinentry has no lists.
    private func choiceByPinentry(
        _ candidates: [GitCandidate], _ requirement: UserAct.Requirement, _ asking: GitAsking, in epoch: UserAct.Epoch
    ) async throws -> (GitCandidate, UserAct) {
        for (number, candidate) in candidates.enumerated() {
            let account = candidate.account
            let count: DisplayText =
                candidates.count > 1 ? " (\(number + 1) of \(candidates.count); no asks for the next one)" : ""
            var question = PromptDesk.Question(
                kind: requirement == .authentication ? .authenticate : .confirm,
                requester: asking.caller.sentence, site: asking.request.site,
                provider: broker.name(of: candidate.provider))
            question.user = account.user + count
            question.reasons = account.note.map { ["\(account.service): \($0)."] } ?? []
            do {
                let act = try await questions.askedAct(
                    on: candidate.subject(for: asking.request, in: epoch), by: question,
                    as: asking.limit + "\n" + candidate.name, over: asking.client, surface: .window,
                    requirement: requirement, otherwise: broker.standingAuthentication)
                return (candidate, act)
            } catch let error as WireError where error.code == .userCanceled && number + 1 < candidates.count {
                continue
            }
        }
        throw WireError(.userCanceled, "The user said no.")
    }

    /// Whether a login may be saved: by preference, or because the user says so.
    func maySave(_ user: String, isNew: Bool, _ asking: GitAsking) async throws -> Bool {
        switch broker.preferences.gitSave {
        case "always": return true
        case "never": return false
        default: break
        }
        do {
            if questions.desk.hasPinentry {
                try await questions.ask(
                    .init(
                        kind: .save, requester: asking.caller.sentence, site: asking.request.site, user: user,
                        details: isNew ? [] : ["Another password is saved for it; that one is kept in its history."]),
                    as: "save " + asking.limit, over: asking.client
                ) { _ in }
                return true
            }
            guard asking.hasTerminal else { return false }
            return try await limited(asking, as: "save ") {
                let account = GitAccount(user: DisplayText(user), service: DisplayText(asking.request.service))
                return try await asking.onTerminal(isNew ? "save" : "update", accounts: [account]).choice == 0
            }
        } catch let error as WireError where error.code == .userCanceled || error.code == .tooManyAttempts {
            return false
        } catch GitAsking.Answer.quit {
            return false
        }
    }

    /// A passphrase, typed at the terminal; it may be wrong twice.
    func typedPassphrase(
        _ kind: String, _ asking: GitAsking, verify: (SecretBytes) async throws -> Void
    ) async throws {
        var message: String?
        for _ in 0..<3 {
            guard let passphrase = try await asking.onTerminal(kind, message: message).passphrase else {
                throw WireError(.userCanceled, "The user said no.")
            }
            do {
                return try await verify(passphrase.bytes)
            } catch let error as WireError where error.code == .wrongPassphrase {
                message = error.message
            }
        }
        throw WireError(.userCanceled, "The passphrase is not right.")
    }

    /// Asks once at a time for each place, and not again at once after a no.
    func limited<Answer>(
        _ asking: GitAsking, as question: String = "", _ body: () async throws -> Answer
    ) async throws -> Answer {
        let limit = question + asking.limit
        if questions.promptLimiter.wait(for: limit, at: broker.time.now()) != nil {
            throw WireError(.tooManyAttempts, "The user said no a moment ago.")
        }
        guard self.questions.asking.insert(limit).inserted else {
            throw WireError(.busy, "The user is being asked already.")
        }
        defer { self.questions.asking.remove(limit) }
        do {
            let answer = try await body()
            questions.promptLimiter.agreed(limit)
            return answer
        } catch let error as WireError where error.code == .userCanceled || error.code == .timedOut {
            questions.promptLimiter.refused(limit, at: broker.time.now())
            throw error
        }
    }
}
