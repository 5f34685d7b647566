// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease
internal import Foundation
internal import ShownText

/// Asks the user on behalf of git.
extension GitFeature {
    /// Unlocks if necessary, and returns whether Latchkey is unlocked; `false` if the user cannot be asked.
    func unlock(_ asking: GitAsking) async throws -> Bool {
        if broker.unlocked != nil { return true }
        guard asking.hasTerminal || questions.desk.hasPinentry else { return false }
        do {
            try await onceMoreOnTerminal(asking) { try await askToUnlock(asking) }
        } catch let error as WireError where error.code == .userCanceled || error.code == .tooManyAttempts {
            return false
        }
        return broker.unlocked != nil
    }

    /// Asks, and asks on the terminal where the pinentry turned out not to show itself.
    private func onceMoreOnTerminal<Answer>(
        _ asking: GitAsking, _ body: () async throws -> Answer
    ) async throws -> Answer {
        let hadPinentry = questions.desk.hasPinentry
        do {
            return try await body()
        } catch let error as WireError where error.code == .authenticationRequired && hadPinentry {
            guard asking.hasTerminal, !questions.desk.hasPinentry else { throw error }
            return try await body()
        }
    }

    private func askToUnlock(_ asking: GitAsking) async throws {
        if questions.desk.hasPinentry {
            try await questions.ask(
                .init(kind: .unlock, requester: asking.caller.sentence), as: asking.limit, over: asking.client
            ) { [broker] passphrase in try await broker.unlock(passphrase: passphrase) }
        } else {
            try await questions.limited(asking.limit) {
                try await questions.typedPassphrase("unlock", asking) {
                    try await self.broker.unlock(passphrase: $0)
                }
            }
        }
    }

    /// Lets the user choose a credential, and authenticate where that is required.
    func choice(
        among candidates: [GitCandidate], _ asking: GitAsking, in epoch: UserAct.Epoch
    ) async throws -> (GitCandidate, UserAct) {
        try await onceMoreOnTerminal(asking) { try await chosen(among: candidates, asking, in: epoch) }
    }

    private func chosen(
        among candidates: [GitCandidate], _ asking: GitAsking, in epoch: UserAct.Epoch
    ) async throws -> (GitCandidate, UserAct) {
        // What the user has refused a moment ago is not asked about elsewhere: a pinentry asks about one account after the other, a terminal
        // about all at once.
        let now = broker.time.now()
        let isRefused = { [questions] (key: String) in questions.promptLimiter.wait(for: key, at: now) != nil }
        let left = candidates.filter { !isRefused(asking.loginLimit + "\n" + $0.name) }
        guard !left.isEmpty, !questions.desk.hasPinentry || !isRefused(asking.loginLimit) else {
            throw WireError(.tooManyAttempts, "You said no a moment ago.")
        }
        // At most as many as a person can choose among.
        let offered = Array(left.prefix(20))
        guard questions.desk.hasPinentry else {
            let choices = offered.map {
                $0.choice(for: asking.request, in: epoch, wantsPassphrase: wantsPassphrase($0, asking))
            }
            let (chosen, act) = try await questions.terminalAct(among: choices, asking)
            return (offered[chosen], act)
        }
        return try await choiceByPinentry(offered, asking, in: epoch)
    }

    /// Whether a login takes the passphrase: by preference, and the first time that this program gets it here. A program can type a yes
    /// on a terminal of its own, but not the passphrase.
    private func wantsPassphrase(_ candidate: GitCandidate, _ asking: GitAsking) -> Bool {
        let isFirst =
            !asking.hasGivenPassphrase
            && !memory.agreements.isKnown(asking.caller, asking.request, Data(candidate.name.utf8))
        let choice = UserChoice(
            surface: asking.surface(questions.desk), isFill: false, demanded: isFirst ? .authentication : .nothing)
        return broker.requirement(of: choice) == .authentication
    }

    /// Asks about one account after the other until the user agrees to one, because a pinentry has no lists.
    private func choiceByPinentry(
        _ candidates: [GitCandidate], _ asking: GitAsking, in epoch: UserAct.Epoch
    ) async throws -> (GitCandidate, UserAct) {
        for (number, candidate) in candidates.enumerated() {
            let account = candidate.account
            let wantsPassphrase = self.wantsPassphrase(candidate, asking)
            let count: DisplayText =
                candidates.count > 1 ? " (\(number + 1) of \(candidates.count); no asks for the next one)" : ""
            var question = PromptDesk.Question(
                kind: wantsPassphrase ? .authenticate : .confirm,
                requester: asking.caller.sentence, site: asking.request.site,
                provider: broker.name(of: candidate.provider))
            question.user = account.user + count
            question.reasons = account.note.map { ["\(account.service): \($0)."] } ?? []
            do {
                let act = try await questions.askedAct(
                    on: candidate.subject(for: asking.request, in: epoch), by: question,
                    as: asking.loginLimit + "\n" + candidate.name, over: asking.client, surface: .window,
                    requirement: wantsPassphrase ? .authentication : .confirmation,
                    otherwise: broker.standingAuthentication(isFill: false))
                return (candidate, act)
            } catch let error as WireError where error.code == .userCanceled && number + 1 < candidates.count {
                continue
            } catch let error as WireError where error.code == .authenticationRequired && number > 0 {
                // A no to the one before is not asked about again on the terminal.
                throw WireError(.userCanceled, "The user said no.")
            }
        }
        throw WireError(.userCanceled, "The user said no.")
    }

    /// Whether a login may be saved, by preference or by the user's answer.
    func maySave(_ user: String, isNew: Bool, _ asking: GitAsking) async throws -> Bool {
        switch broker.preferences.gitSave {
        case "always": return true
        case "never": return false
        default: break
        }
        do {
            return try await onceMoreOnTerminal(asking) { try await isSavingWanted(user, isNew: isNew, asking) }
        } catch let error as WireError where error.code == .userCanceled || error.code == .tooManyAttempts {
            return false
        } catch GitAsking.Answer.quit {
            return false
        }
    }

    private func isSavingWanted(_ user: String, isNew: Bool, _ asking: GitAsking) async throws -> Bool {
        if questions.desk.hasPinentry {
            try await questions.ask(
                .init(
                    kind: .save, requester: asking.caller.sentence, site: asking.request.site, user: user,
                    details: isNew ? [] : ["Another password is saved for it; that one is kept in its history."]),
                as: "save " + asking.loginLimit, over: asking.client
            ) { _ in nil }
            return true
        }
        guard asking.hasTerminal else { return false }
        return try await questions.limited("save " + asking.loginLimit) {
            let account = GitAccount(user: DisplayText(user), service: DisplayText(asking.request.service))
            return try await asking.onTerminal(isNew ? "save" : "update", accounts: [account]).choice == 0
        }
    }
}
