// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import AutoFillRelease
package import AutoFillSecrets
package import Logging
package import ShownText
internal import Synchronization

/// Asks the user on a surface that no page can imitate.
///
/// What a browser asks for is asked in a window of its extension, so that its questions look the same however the daemon was started. For
/// other programs it is a pinentry, if there is one that can show itself; otherwise the program that draws for them.
package actor PromptDesk {
    /// A question and what it shows.
    package struct Question: Sendable {
        package enum Kind: String, Sendable {
            case unlock, authenticate, confirm, enable
            /// Asks to change passwords at their services.
            case upgrade
            /// Asks to list all items of the built-in provider, which may then be changed.
            case passwords
            /// Asks to change preferences so that they protect less.
            case preferences
            /// Asks to save a login that git has just used.
            case save
            /// Asks to use a password at a place where it was not saved and would not be offered.
            case foreign
            /// Asks to fill a generated password, which is shown.
            case generated
            /// Asks to save a submitted password, or to replace the saved one by it.
            case savePassword, updatePassword
            /// Asks to unlock for saving. While locked it is unknown whether this saves or updates.
            case unlockToSave

            /// Whether it comes without anybody asking for it: a page has changed.
            package var comesByItself: Bool {
                switch self {
                case .savePassword, .updatePassword, .unlockToSave: true
                case .unlock, .authenticate, .confirm, .enable, .upgrade, .passwords, .preferences, .save, .foreign,
                    .generated:
                    false
                }
            }

            /// Whether only a renderer can ask it, because it shows more than a pinentry can, or takes more than a yes.
            package var isForRenderers: Bool {
                switch self {
                case .generated, .savePassword, .updatePassword, .unlockToSave: true
                case .unlock, .authenticate, .confirm, .enable, .upgrade, .passwords, .preferences, .save, .foreign:
                    false
                }
            }
        }

        package var kind: Kind
        /// The requesting program or browser, as named by the daemon.
        package var requester: DisplayText
        package var site: DisplayText?
        package var user: DisplayText?
        package var provider: DisplayText?
        /// For `enable`: what the provider would be allowed, one line each.
        package var details: [DisplayText] = []
        /// The thing to be filled: `password` or `code`; `saving` where a password is to be saved for a program; `copy`, or `copy, a code`, for the clipboard. For `enable`, `extension` if it is not a provider.
        package var thing = "password"
        /// The place where the password was saved, if that is not `site`.
        package var savedFor: DisplayText?
        /// The page that contains the frame to be filled.
        package var top: DisplayText?
        /// The reasons for asking, one sentence each.
        package var reasons: [DisplayText] = []
        /// Whether the user may also have the password offered at this place from now on.
        package var mayKeep = false
        /// Whether it is asked only because time has passed, or because the preference asks each time: then the PIN or a finger does in place
        /// of the passphrase. What admits a program, uses a password elsewhere or weakens a protection needs the passphrase.
        package var isRoutine = false
        /// Whether the PIN does in place of the passphrase.
        package var takesPIN = false
        /// Whether a finger does in place of the passphrase.
        package var takesFingerprint = false
        /// For `generated`: the password to show. It has passed the gate.
        package var password: WireSecret?
        /// For `savePassword`: the providers that can save it.
        package var providers: [ProviderName] = []
        /// For `savePassword`: whether the user may correct the user name.
        package var mayRename = false
        /// Whether the user has just asked for a question of a kind that comes by itself otherwise.
        package var isExpected = false
        /// The notification that asks the same, with the answers on it; `nil` for none.
        package var notification: DesktopNotification?
        /// The exact user name; `user` is its form for display.
        package private(set) var exactUser: String?

        package init(
            kind: Kind, requester: DisplayText, site: String? = nil, user: String? = nil, provider: String? = nil,
            details: [DisplayText] = [], thing: String = "password"
        ) {
            self.kind = kind
            self.requester = requester
            self.site = site.map { DisplayText($0) }
            self.user = user.map { DisplayText($0, placeholder: "(no user name)") }
            self.provider = provider.map { DisplayText($0) }
            self.details = details
            self.thing = thing
            exactUser = user
        }

        /// - Parameter requester: A program or a path. If it is shortened for display, its end is kept.
        package init(
            kind: Kind, requester: String, site: String? = nil, user: String? = nil, provider: String? = nil,
            details: [DisplayText] = [], thing: String = "password"
        ) {
            self.init(
                kind: kind, requester: DisplayText(requester, keeping: .end), site: site, user: user,
                provider: provider, details: details, thing: thing)
        }

        package var wantsPassphrase: Bool {
            switch kind {
            case .unlock, .authenticate, .enable, .upgrade, .passwords, .preferences, .foreign: true
            case .confirm, .save, .generated, .savePassword, .updatePassword, .unlockToSave: false
            }
        }

        /// Whether the PIN or a finger answers, where the user has set them up.
        package var takesQuickAnswers: Bool {
            switch kind {
            case .authenticate, .passwords: isRoutine
            case .unlock, .confirm, .enable, .upgrade, .preferences, .foreign, .save, .generated, .savePassword,
                .updatePassword, .unlockToSave:
                false
            }
        }

        /// The question's text for a prompt without a layout of its own, one line each.
        package var lines: [DisplayText] {
            let site = site ?? "a site"
            let account: DisplayText = user.map { ", account \($0)" } ?? ""
            let comma: DisplayText = user == nil ? "" : ","
            let frame: [DisplayText] = top.map { ["The form is in a frame of a page of \($0)."] } ?? []
            switch kind {
            case .unlock:
                let purpose: DisplayText = self.site.map { ", to fill on \($0)" } ?? ""
                return ["\(requester) asks to unlock Latchkey\(purpose)."]
            case .passwords:
                let first: DisplayText =
                    switch thing {
                    case "list": "\(requester) asks to show all accounts that are saved."
                    case "reveal": "\(requester) asks to show you the password for \(site)\(account)."
                    case "copy": "\(requester) asks to copy the password for \(site)\(account)."
                    default: "\(requester) asks to show which passwords are saved, and to let you change them."
                    }
                return [first] + reasons
            case .preferences:
                return ["\(requester) asks to change settings, so that they protect less than now:"] + reasons
            case .save:
                return ["\(requester) asks to save the login for \(self.site ?? "a server")\(account)."] + details
            case .enable:
                let role: DisplayText =
                    thing == "extension" ? "an extension that changes passwords." : "a password provider."
                return ["\(requester) asks to enable \(provider ?? "a provider") as \(role)"] + details
            case .generated: return ["\(requester) asks to fill a new password on \(site)."]
            case .savePassword, .updatePassword, .unlockToSave:
                return ["The password for \(site) can be saved\(account)."]
            case .upgrade: return [upgradeLine(account)] + reasons
            case .authenticate, .confirm:
                let first: DisplayText =
                    if thing == "copy" || thing == "copy, a code" {
                        "\(requester) asks to copy the \(thing == "copy" ? "password" : "code") for \(site)\(account)."
                    } else if thing == "saving" {
                        "\(requester) asks to save a password for \(site)\(account)."
                    } else if let savedFor {
                        "\(requester) asks to fill the \(thing) that was saved for \(savedFor)\(account)\(comma) on \(site)."
                    } else {
                        "\(requester) asks to fill the \(thing) for \(site)\(account)."
                    }
                return [first] + frame + reasons
            case .foreign:
                let first: DisplayText =
                    "You chose the password that was saved for \(savedFor ?? "another site")\(account)\(comma) to be filled on \(self.site ?? "this site")."
                return [first] + frame + reasons + ["Continue only if you know that the two belong together."]
            }
        }

        private func upgradeLine(_ account: DisplayText) -> DisplayText {
            let isConversion = thing == "conversion"
            guard let site else {
                return isConversion
                    ? "\(requester) asks to have these accounts sign in with Apple, without a password:"
                    : "\(requester) asks to change these passwords to strong ones:"
            }
            let comma: DisplayText = user == nil ? "" : ","
            return isConversion
                ? "\(requester) asks to have the account for \(site)\(account)\(comma) sign in with Apple, without a password."
                : "\(requester) asks to change the password for \(site)\(account)\(comma) to a strong one."
        }
    }

    /// What the user decided beyond agreeing.
    package struct Agreement: Sendable, Equatable {
        /// The password is also offered at this place from now on.
        package var keeps = false
        /// The provider that is to save, if the user chose one.
        package var provider: String?
        /// The user name to save, if the user was shown it.
        package var user: String?
        /// How the user authenticated: by the passphrase, the PIN or a finger; `nil` if the question takes none of them.
        package var means: UserAct.Authentication?
    }

    /// Thrown when the user does not want to be asked about this site again.
    package struct Never: Error {}

    /// Verifies what was typed, and returns what it is: the passphrase or the PIN.
    ///
    /// - Throws: `wrongPassphrase` or `tooManyAttempts`.
    package typealias Verify = @Sendable (SecretBytes) async throws -> UserAct.Authentication?

    /// Called when the user has agreed in a window, before that window hears of it.
    package typealias Agreed = @Sendable () async -> Void

    private struct Open {
        var question: Question
        let peer: Peer
        let verify: Verify
        let agreed: Agreed?
        let connection: Int
        var message: String?
        let answer: CheckedContinuation<Agreement, any Error>
    }

    /// How long a question waits that comes by itself, and that the user may find later.
    package static let longPatience = Duration.seconds(3_600)
    private static let refusal = WireError(.userCanceled, "The user said no.")
    /// How long a window stays open without an answer.
    private let patience: Duration
    private let pinentry: Pinentry?
    /// How long a pinentry that could not show itself is not tried again. A desktop may come back, as after a locked screen.
    package static let pinentryPause = Duration.seconds(60)
    /// Until when it is not tried.
    private let pinentryRest = Mutex<ContinuousClock.Instant?>(nil)
    /// Whether there is a pinentry that can show itself, as far as is known.
    package nonisolated var hasPinentry: Bool {
        guard pinentry != nil else { return false }
        return pinentryRest.withLock { $0.map { $0 <= .now } ?? true }
    }
    private let logger: Logger
    private var open: [String: Open] = [:]
    private let fingerprints: (any FingerprintReading)?
    private let notifications: (any NotificationShowing)?
    /// The question for which the reader waits. No other question can use the reader meanwhile.
    private var reading: (prompt: String, task: Task<FingerprintOutcome, Swift.Never>)?
    /// Number of fingers in a row that did not match since the last passphrase or PIN.
    private var misses = 0
    /// Maximum number of such fingers. After them only the passphrase or the PIN answers.
    private static let tries = 3

    package init(
        pinentry: Pinentry?, fingerprints: (any FingerprintReading)? = nil,
        notifications: (any NotificationShowing)? = nil, patience: Duration = .seconds(120), logger: Logger
    ) {
        self.notifications = notifications
        self.fingerprints = fingerprints
        self.pinentry = pinentry
        self.patience = patience
        self.logger = logger
    }

    /// Asks, and returns when the user has agreed.
    ///
    /// - Throws: `userCanceled`, `timedOut`, or `authenticationRequired` when there is no surface to ask on.
    @discardableResult package func ask(
        _ question: Question, over connection: any QuestionClient, agreed: Agreed? = nil, verify: @escaping Verify
    ) async throws -> Agreement {
        if let pinentry, hasPinentry, !connection.hasWindows, !question.kind.isForRenderers {
            do {
                return try await pinentry.ask(question, verify: verify)
            } catch let failure as Pinentry.Unshown {
                pinentryRest.withLock { $0 = .now + Self.pinentryPause }
                logger.warning("the pinentry cannot show itself", metadata: ["code": "\(failure.code)"])
            }
        }
        guard connection.drawsQuestions, let peer = connection.peer else {
            throw WireError(
                .authenticationRequired,
                "You cannot be asked for the passphrase here: there is no display and no browser window.")
        }
        let name = RandomName.make()
        let presented = try JSONValue(encoding: Browser.Present.Params(prompt: name))
        let deadline = Task {
            try await Task.sleep(for: question.kind.comesByItself ? max(patience, Self.longPatience) : patience)
            self.finish(name, .failure(WireError(.timedOut, "The question was not answered in time.")))
        }
        let notified = question.notification.map { notification in
            Task { await self.ask(notification, for: name) }
        }
        defer {
            notified?.cancel()
            deadline.cancel()
            peer.notify(Browser.Dismiss.name, presented)
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                open[name] = Open(
                    question: question, peer: peer, verify: verify, agreed: agreed, connection: connection.number,
                    answer: continuation)
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

    /// The content of a prompt's window, or `nil` if the prompt has ended or belongs to another browser.
    package func show(_ name: String, on connection: Int) -> Renderer.Prompt.Answer? {
        guard let prompt = open[name], prompt.connection == connection else { return nil }
        return .init(
            kind: prompt.question.kind.rawValue, requester: prompt.question.requester, site: prompt.question.site,
            user: prompt.question.user, provider: prompt.question.provider,
            message: prompt.message.map { DisplayText($0, .sentence).text } ?? Self.lines(prompt.question.details),
            savedFor: prompt.question.savedFor,
            top: prompt.question.top, reasons: prompt.question.reasons.isEmpty ? nil : prompt.question.reasons,
            mayKeep: prompt.question.mayKeep ? true : nil, password: prompt.question.password,
            providers: prompt.question.providers.isEmpty ? nil : prompt.question.providers,
            thing: prompt.question.thing == "password" ? nil : prompt.question.thing,
            mayRename: prompt.question.mayRename ? true : nil, takesPIN: prompt.question.takesPIN ? true : nil,
            takesFingerprint: takesFingerprint(prompt.question) ? true : nil,
            isQuiet: prompt.question.kind.comesByItself && !prompt.question.isExpected ? true : nil)
    }

    private static func lines(_ details: [DisplayText]) -> String? {
        details.isEmpty ? nil : details.map(\.text).joined(separator: "\n")
    }

    /// Takes the user's answer. A wrong passphrase throws and leaves the prompt open.
    package func answer(_ params: Renderer.Answer.Params, on connection: Int) async throws {
        guard let prompt = open[params.prompt], prompt.connection == connection else {
            throw WireError(.expired, "The question has ended.")
        }
        guard params.accept else {
            if params.never == true, prompt.question.kind == .savePassword || prompt.question.kind == .updatePassword {
                return finish(params.prompt, .failure(Never()))
            }
            return finish(params.prompt, .failure(Self.refusal))
        }
        var means: UserAct.Authentication?
        if prompt.question.wantsPassphrase {
            guard let passphrase = params.passphrase else {
                throw WireError(.invalidParams, "The passphrase is missing.")
            }
            do {
                means = try await prompt.verify(passphrase.bytes)
                misses = 0
            } catch {
                open[params.prompt]?.message =
                    (error as? WireError)?.message ?? "A malfunction; see the journal of latchkeyd."
                throw error
            }
        }
        var agreement = Agreement(keeps: prompt.question.mayKeep && params.keep == true, means: means)
        if prompt.question.mayRename, let user = params.user {
            switch SavedName.reading(user) {
            // The user sees a cleaned form of the name. If it comes back unchanged, the exact name is kept.
            case .success(let name):
                agreement.user = name == prompt.question.user?.text ? prompt.question.exactUser ?? name : name
            case .failure(let refusal):
                open[params.prompt]?.message = refusal.message
                throw refusal
            }
        }
        agreement.provider = prompt.question.providers.first { $0.identifier == params.provider }?.identifier
        await prompt.agreed?()
        guard open[params.prompt] != nil else { throw WireError(.expired, "The question has ended.") }
        finish(params.prompt, .success(agreement))
    }

    /// Shows the notification of a question, and takes its answer for the question's.
    private func ask(_ notification: DesktopNotification, for name: String) async {
        guard let choice = await notifications?.choice(for: notification), let prompt = open[name] else { return }
        switch choice {
        case .agree:
            await prompt.agreed?()
            finish(name, .success(Agreement()))
        case .refuse: finish(name, .failure(Self.refusal))
        case .never: finish(name, .failure(Never()))
        case .show: prompt.peer.notify(Browser.BringUp.name, .object(["prompt": .string(name)]))
        }
    }

    private func takesFingerprint(_ question: Question) -> Bool {
        question.takesFingerprint && fingerprints != nil && misses < Self.tries
    }

    /// Waits for a finger that answers a question. The window asks for this when the user presses its button.
    ///
    /// - Throws: `refused` where this question takes none, `busy` while another one has the reader, `expired` where it has ended.
    package func fingerprint(_ name: String, on connection: Int) async throws -> Renderer.Fingerprint.Answer {
        guard let prompt = open[name], prompt.connection == connection else {
            throw WireError(.expired, "The question has ended.")
        }
        guard takesFingerprint(prompt.question), let fingerprints else {
            throw WireError(.refused, "This takes your passphrase.")
        }
        guard reading == nil else { throw WireError(.busy, "The fingerprint reader waits for another question.") }
        let task = Task { await fingerprints.verify() }
        reading = (name, task)
        let outcome = await task.value
        reading = nil
        // Counted even if the question has just ended, so that closing it does not give more tries.
        if case .notMatched = outcome { misses += 1 }
        guard open[name] != nil else { throw WireError(.expired, "The question has ended.") }
        switch outcome {
        // The user left the window before the match arrived here.
        case .matched where task.isCancelled: return .init(outcome: "stopped")
        case .matched:
            misses = 0
            await prompt.agreed?()
            guard open[name] != nil else { throw WireError(.expired, "The question has ended.") }
            finish(name, .success(Agreement(means: .fingerprint)))
            return .init(outcome: "matched")
        case .notMatched:
            return .init(outcome: misses < Self.tries ? "again" : "passphrase")
        case .stopped: return .init(outcome: "stopped")
        case .unavailable: return .init(outcome: "unavailable")
        }
    }

    /// Stops the reader because the user left the window of the question.
    package func stopFingerprint(_ name: String, on connection: Int) {
        guard open[name]?.connection == connection, reading?.prompt == name else { return }
        reading?.task.cancel()
    }

    /// Has the windows of open questions no longer ask for the PIN. They take what is typed as the passphrase already.
    package func forgetPIN() {
        for (name, prompt) in open where prompt.question.takesPIN {
            open[name]?.question.takesPIN = false
            prompt.peer.notify(Browser.Update.name, .object(["prompt": .string(name)]))
        }
    }

    /// Ends all questions of a connection that has closed.
    package func forget(_ connection: Int) {
        for (name, prompt) in open where prompt.connection == connection {
            finish(name, .failure(WireError(.userCanceled, "The browser was closed.")))
        }
    }

    private func finish(_ name: String, _ result: Result<Agreement, any Error>) {
        if reading?.prompt == name { reading?.task.cancel() }
        open.removeValue(forKey: name)?.answer.resume(with: result)
    }
}
