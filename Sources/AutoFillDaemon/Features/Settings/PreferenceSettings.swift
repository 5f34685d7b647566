// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import ShownText

/// The preferences on the settings page of a browser's extension.
///
/// That a switch was moved there is the browser's word alone, so what protects less takes the passphrase, in a window that says what
/// changes.
@DaemonActor final class PreferenceSettings {
    let broker: Broker
    let questions: UserQuestions

    init(_ broker: Broker, questions: UserQuestions) {
        self.broker = broker
        self.questions = questions
    }

    func shown() -> Renderer.GetPreferences.Answer {
        let problems = broker.preferencesFile.problems
        var preferences = broker.preferences
        // The page shows neither path.
        (preferences.codeMaildir, preferences.breachList) = (nil, nil)
        return .init(
            preferences: preferences, problems: problems.isEmpty ? nil : problems,
            login: broker.login.state(keyring: broker.keyringFile.keyring),
            pin: broker.pin.isSet)
    }

    /// - Throws: `notPermitted` for a setting that names a file; `locked`, `userCanceled` and the like for one that protects less.
    func change(_ changes: PreferenceChanges, over client: ClientConnection) async throws
        -> Renderer.GetPreferences.Answer
    {
        guard changes.codeMaildir == nil, changes.breachList == nil else {
            throw WireError(
                .notPermitted, "A browser names no files.", hint: "Use `latchkey preferences set` in a terminal.")
        }
        guard broker.preferencesFile.problems.isEmpty else {
            throw WireError(
                .refused, "preferences.json is not as it should be; a change here would overwrite it.",
                hint: "Put it right, or use `latchkey preferences set` in a terminal.")
        }
        let weakened = try weakened(by: changes)
        if !weakened.isEmpty {
            let unlocked = try broker.unlockedSession()
            var question = PromptDesk.Question(kind: .preferences, requester: client.requester)
            question.reasons = PreferenceWeakening.sentences(
                from: broker.preferences, to: try broker.preferencesFile.changed(by: changes)
            ).map { DisplayText($0, .sentence) }
            try await questions.ask(question, as: "preferences", over: client) { [weak self] passphrase in
                try await self?.broker.authenticate(passphrase: passphrase)
            }
            try unlocked.check()
            // What was agreed to is what is done: another window or the command line may have changed something meanwhile.
            guard try self.weakened(by: changes) == weakened else {
                throw WireError(.expired, "The settings have changed while you were asked. Nothing was changed.")
            }
            try broker.noteWeakened(
                weakened.joined(separator: "; "), by: client.program, Renderer.SetPreferences.name)
        }
        _ = try await broker.setPreferences(changes)
        return shown()
    }

    private func weakened(by changes: PreferenceChanges) throws -> [String] {
        PreferenceWeakening.weakened(from: broker.preferences, to: try broker.preferencesFile.changed(by: changes))
    }
}
