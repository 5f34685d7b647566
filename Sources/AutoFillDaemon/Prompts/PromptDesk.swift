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
            /// Passwords are to be changed at their services.
            case upgrade
            /// All that the built-in provider keeps is to be listed, and may be changed.
            case passwords
            /// A login that git has just used is to be saved.
            case save
            /// A password is to be used where it was not saved for and would not be offered.
            case foreign
            /// A generated password is to be filled; the user sees it.
            case generated
            /// A password that was sent off is to be saved, or to take the place of the one that is saved.
            case savePassword, updatePassword
            /// The same while locked: nobody knows yet which of the two it is.
            case unlockToSave

            /// Whether only a renderer can ask it: it shows more, or takes more than a yes.
            var isForRenderers: Bool {
                switch self {
                case .generated, .savePassword, .updatePassword, .unlockToSave: true
                case .unlock, .authenticate, .confirm, .enable, .upgrade, .passwords, .save, .foreign: false
                }
            }
        }

        var kind: Kind
        /// Who asks, in words: the program or browser, named by the daemon.
        var requester: String
        var site: String?
        var user: String?
        var provider: String?
        /// Of `enable`: what the provider would be allowed, a line each.
        var details: String?
        /// What is to be filled: a `password` or a `code`; of `enable` an `extension`, where it is no provider.
        var thing = "password"
        /// Where the password was saved, where that is not `site`.
        var savedFor: String?
        /// The page around the frame that is to be filled.
        var top: String?
        /// Why the user is asked, a sentence each.
        var reasons: [String] = []
        /// Whether the user may have the place added to where the password is offered.
        var mayKeep = false
        /// Of `generated`: what is shown. It has passed the gate.
        var password: WireSecret?
        /// Of `savePassword`: those that can keep it.
        var providers: [ProviderName] = []
        /// Of `savePassword`: whether the user may correct the user name.
        var mayRename = false

        var wantsPassphrase: Bool {
            switch kind {
            case .unlock, .authenticate, .enable, .upgrade, .passwords, .foreign: true
            case .confirm, .save, .generated, .savePassword, .updatePassword, .unlockToSave: false
            }
        }

        /// One sentence for a prompt that has no layout of its own.
        var sentence: String {
            switch kind {
            case .unlock: "\(requester) asks to unlock Latchkey."
            case .passwords: "\(requester) asks to show which passwords are saved, and to let you change them."
            case .save:
                "\(requester) asks to save the login for \(site ?? "a server")"
                    + (user.map { ", account \($0)." } ?? ".")
                    + (details.map { "\n" + $0 } ?? "")
            case .enable:
                "\(requester) asks to enable \(provider ?? "a provider") as "
                    + (thing == "extension" ? "an extension that changes passwords." : "a password provider.")
                    + (details.map { "\n" + $0 } ?? "")
            case .generated: "\(requester) asks to fill a new password on \(site ?? "a site")."
            case .savePassword, .updatePassword, .unlockToSave:
                "The password for \(site ?? "a site") can be saved" + (user.map { ", account \($0)." } ?? ".")
            case .upgrade:
                ([
                    site.map { site in
                        let account = user.map { ", account \($0)," } ?? ""
                        return thing == "conversion"
                            ? "\(requester) asks to have the account for \(site)\(account) sign in with Apple, without a password."
                            : "\(requester) asks to change the password for \(site)\(account) to a strong one."
                    }
                        ?? (thing == "conversion"
                            ? "\(requester) asks to have these accounts sign in with Apple, without a password:"
                            : "\(requester) asks to change these passwords to strong ones:")
                ] + reasons).joined(separator: "\n")
            case .authenticate, .confirm:
                ([
                    savedFor == nil
                        ? "\(requester) asks to fill the \(thing) for \(site ?? "a site")"
                            + (user.map { ", account \($0)." } ?? ".")
                        : "\(requester) asks to fill the \(thing) that was saved for \(savedFor ?? "")"
                            + (user.map { ", account \($0)," } ?? "") + " on \(site ?? "a site").",
                    top.map { "The form is in a frame of a page of \($0)." },
                ].compactMap(\.self) + reasons).joined(separator: "\n")
            case .foreign:
                ([
                    "You chose the password that was saved for \(savedFor ?? "another site")"
                        + (user.map { ", account \($0)," } ?? "") + " to be filled on \(site ?? "this site").",
                    top.map { "The form is in a frame of a page of \($0)." },
                ].compactMap(\.self) + reasons + ["Go on only where you know that the two belong together."])
                .joined(separator: "\n")
            }
        }
    }

    /// What the user said beyond yes.
    struct Agreement: Sendable, Equatable {
        /// The place is to be added to where the password is offered.
        var keeps = false
        /// Which provider is to save, where the user has said so.
        var provider: String?
        /// The user name that is to be saved, where the user has looked at it.
        var user: String?
    }

    /// The user does not want to be asked for a site again.
    struct Never: Error {}

    /// Checks a passphrase; throws `wrongPassphrase` or `tooManyAttempts`.
    typealias Verify = @Sendable (SecretBytes) async throws -> Void

    private struct Open {
        let question: Question
        let verify: Verify
        let connection: Int
        var message: String?
        let answer: CheckedContinuation<Agreement, any Error>
    }

    /// How long a window stays open without an answer.
    private let patience: Duration
    private let pinentry: Pinentry?
    /// Whether there is a display to ask on.
    nonisolated var hasPinentry: Bool { pinentry != nil }
    private let logger: Logger
    private var open: [String: Open] = [:]

    init(pinentry: Pinentry?, patience: Duration = .seconds(120), logger: Logger) {
        self.pinentry = pinentry
        self.patience = patience
        self.logger = logger
    }

    /// Asks and returns when the user agreed. Throws `userCanceled`, `timedOut`, or `authenticationRequired` where
    /// nobody can be asked.
    @discardableResult func ask(
        _ question: Question, over connection: ClientConnection, verify: @escaping Verify
    ) async throws -> Agreement {
        if let pinentry, !question.kind.isForRenderers { return try await pinentry.ask(question, verify: verify) }
        guard connection.drawsQuestions, let peer = connection.peer else {
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
        return try await withTaskCancellationHandler {
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
            message: prompt.message ?? prompt.question.details, savedFor: prompt.question.savedFor,
            top: prompt.question.top, reasons: prompt.question.reasons.isEmpty ? nil : prompt.question.reasons,
            mayKeep: prompt.question.mayKeep ? true : nil, password: prompt.question.password,
            providers: prompt.question.providers.isEmpty ? nil : prompt.question.providers,
            thing: prompt.question.thing == "password" ? nil : prompt.question.thing,
            mayRename: prompt.question.mayRename ? true : nil)
    }

    /// What the user said. A wrong passphrase throws and leaves the prompt open.
    func answer(_ params: Browser.Answer.Params, on connection: Int) async throws {
        guard let prompt = open[params.prompt], prompt.connection == connection else {
            throw WireError(.expired, "The question has ended.")
        }
        guard params.accept else {
            if params.never == true, prompt.question.kind == .savePassword || prompt.question.kind == .updatePassword {
                return finish(params.prompt, .failure(Never()))
            }
            return finish(params.prompt, .failure(WireError(.userCanceled, "The user said no.")))
        }
        if prompt.question.wantsPassphrase {
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
        var agreement = Agreement(keeps: prompt.question.mayKeep && params.keep == true)
        if prompt.question.mayRename, let user = params.user {
            switch SavedName.reading(user) {
            case .success(let name): agreement.user = name
            case .failure(let refusal):
                open[params.prompt]?.message = refusal.message
                throw refusal
            }
        }
        agreement.provider = prompt.question.providers.first { $0.identifier == params.provider }?.identifier
        finish(params.prompt, .success(agreement))
    }

    /// Ends every question of a connection that is gone.
    func forget(_ connection: Int) {
        for (name, prompt) in open where prompt.connection == connection {
            finish(name, .failure(WireError(.userCanceled, "The browser is gone.")))
        }
    }

    private func finish(_ name: String, _ result: Result<Agreement, any Error>) {
        open.removeValue(forKey: name)?.answer.resume(with: result)
    }
}
