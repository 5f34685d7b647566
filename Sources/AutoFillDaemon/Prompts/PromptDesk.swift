// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Logging

/// Asks the user on a surface that no page can imitate: by pinentry where there is a display for it, otherwise in a window of
/// the browser extension.
actor PromptDesk {
    /// What is asked, and in which words.
    struct Question: Sendable {
        enum Kind: String, Sendable {
            case unlock, authenticate, confirm, enable
        }

        var kind: Kind
        /// Who asks, in words: the program or browser, named by the daemon.
        var requester: String
        var site: String?
        var user: String?
        var provider: String?
        /// Of `enable`: what the provider would be allowed, a line each.
        var details: String?

        /// One sentence for a prompt that has no layout of its own.
        var sentence: String {
            switch kind {
            case .unlock: "\(requester) asks to unlock Latchkey."
            case .enable:
                "\(requester) asks to enable \(provider ?? "a provider") as a password provider."
                    + (details.map { "\n" + $0 } ?? "")
            case .authenticate, .confirm:
                "\(requester) asks to fill the password for \(site ?? "a site")"
                    + (user.map { ", account \($0)." } ?? ".")
            }
        }
    }

    /// Checks a passphrase; throws `wrongPassphrase` or `tooManyAttempts`.
    typealias Verify = @Sendable (SecretBytes) async throws -> Void

    private struct Open {
        let question: Question
        let verify: Verify
        let connection: Int
        var message: String?
        let answer: CheckedContinuation<Void, any Error>
    }

    /// How long a window stays open without an answer.
    private let patience: Duration
    private let pinentry: Pinentry?
    private let logger: Logger
    private var open: [String: Open] = [:]

    init(pinentry: Pinentry?, patience: Duration = .seconds(120), logger: Logger) {
        self.pinentry = pinentry
        self.patience = patience
        self.logger = logger
    }

    /// Asks and returns when the user agreed. Throws `userCanceled`, `timedOut`, or `authenticationRequired` where
    /// nobody can be asked.
    func ask(_ question: Question, over connection: ClientConnection, verify: @escaping Verify) async throws {
        if let pinentry {
            try await pinentry.ask(question, verify: verify)
            return
        }
        guard case .browser = connection.role, let peer = connection.peer else {
            throw WireError(.authenticationRequired, "Nobody can be asked for the passphrase here.")
        }
        let name = SuggestionBook.randomName()
        let presented = try JSONValue(encoding: Browser.Present.Params(prompt: name))
        let deadline = Task {
            try await Task.sleep(for: patience)
            self.finish(name, .failure(WireError(.timedOut, "The question was not answered in time.")))
        }
        defer {
            deadline.cancel()
            peer.notify(Browser.Dismiss.name, presented)
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                open[name] = Open(
                    question: question, verify: verify, connection: connection.number, answer: continuation)
                Task {
                    do {
                        _ = try await peer.call(Browser.Present.name, presented, timeout: .seconds(10))
                    } catch {
                        self.finish(name, .failure(WireError(.userCanceled, "The browser showed no question.")))
                    }
                }
            }
        } onCancel: {
            Task { await self.finish(name, .failure(CancellationError())) }
        }
    }

    /// What the window of a prompt shows; nothing for one that has ended or belongs to another browser.
    func show(_ name: String, on connection: Int) -> Browser.Prompt.Answer? {
        guard let prompt = open[name], prompt.connection == connection else { return nil }
        return .init(
            kind: prompt.question.kind.rawValue, requester: prompt.question.requester, site: prompt.question.site,
            user: prompt.question.user, provider: prompt.question.provider,
            message: prompt.message ?? prompt.question.details)
    }

    /// What the user said. A wrong passphrase throws and leaves the prompt open.
    func answer(_ params: Browser.Answer.Params, on connection: Int) async throws {
        guard let prompt = open[params.prompt], prompt.connection == connection else {
            throw WireError(.expired, "The question has ended.")
        }
        guard params.accept else {
            return finish(params.prompt, .failure(WireError(.userCanceled, "The user said no.")))
        }
        if prompt.question.kind != .confirm {
            guard let passphrase = params.passphrase else {
                throw WireError(.invalidParams, "The passphrase is missing.")
            }
            do {
                try await prompt.verify(passphrase.bytes)
            } catch {
                open[params.prompt]?.message = WireError(saying: error).message
                throw error
            }
        }
        finish(params.prompt, .success(()))
    }

    /// Ends every question of a connection that is gone.
    func forget(_ connection: Int) {
        for (name, prompt) in open where prompt.connection == connection {
            finish(name, .failure(WireError(.userCanceled, "The browser is gone.")))
        }
    }

    private func finish(_ name: String, _ result: Result<Void, any Error>) {
        open.removeValue(forKey: name)?.answer.resume(with: result)
    }
}
