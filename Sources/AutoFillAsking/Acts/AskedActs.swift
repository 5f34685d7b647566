// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillMatching
@_spi(UserAct) package import AutoFillRelease
package import AutoFillSecrets

/// Proof that the user agreed to a request of the command line or to a change of passwords.
///
/// The credentials are known only afterwards. Each act made from a proof is for one credential.
package struct UserProof: Sendable {
    package let surface: UserAct.Surface
    package let requirement: UserAct.Requirement
    package let authentication: UserAct.Authentication
    package let epoch: UserAct.Epoch

    /// Called only by the functions of this file that ask the user. `scripts/check-arrows` checks that no other room calls it.
    init(
        on surface: UserAct.Surface, _ requirement: UserAct.Requirement, _ authentication: UserAct.Authentication,
        in epoch: UserAct.Epoch
    ) {
        self.surface = surface
        self.requirement = requirement
        self.authentication = authentication
        self.epoch = epoch
    }

    package func act(on credential: HeldCredential, to destination: Destination) -> UserAct {
        UserAct(
            for: credential.identity, of: credential.provider, to: destination, in: epoch, on: surface,
            requirement: requirement, authentication: authentication)
    }

    /// The act for a password that was just generated and does not open an account yet.
    package func act(onNew credential: HeldCredential, to destination: Destination) -> UserAct {
        UserAct(
            for: credential.identity, of: credential.provider, to: destination, in: epoch, on: surface,
            requirement: .nothing, authentication: .new)
    }
}

/// Acts that rest on an answer: each function asks a question, or checks what the user has just entered.
extension UserQuestions {
    /// Asks a question, and returns the act of a user who agrees.
    ///
    /// - Parameters:
    ///   - requester: The key under which refusals are remembered.
    ///   - authentication: How the user counts as authenticated when the question takes no passphrase.
    ///   - agreements: Maps the answer to what the user agrees to by it.
    package func askedAct(
        on subject: ActSubject, by question: PromptDesk.Question, as requester: String,
        over client: any QuestionClient, surface: UserAct.Surface, requirement: UserAct.Requirement,
        otherwise authentication: UserAct.Authentication,
        agreements: (PromptDesk.Agreement) -> Set<UserAct.Agreement> = { _ in [] }
    ) async throws -> UserAct {
        let answer = try await askUser(question, as: requester, over: client)
        return UserAct(
            for: subject.identity, of: subject.provider, to: subject.destination, in: subject.epoch, on: surface,
            requirement: requirement,
            authentication: answer.means ?? authentication,
            agreements: agreements(answer))
    }

    /// The act of a user who acted in the provider's own interface. The caller asks any question that this interface cannot ask.
    package func interfaceAct(
        on subject: ActSubject, surface: UserAct.Surface, agreements: Set<UserAct.Agreement> = []
    ) -> UserAct {
        UserAct(
            for: subject.identity, of: subject.provider, to: subject.destination, in: subject.epoch, on: surface,
            requirement: .nothing, authentication: .provider, agreements: agreements)
    }

    /// Asks a question, including the passphrase if the question takes one, or what the question takes in its place.
    @discardableResult package func askUser(
        _ question: PromptDesk.Question, as requester: String, over client: any QuestionClient
    ) async throws -> PromptDesk.Agreement {
        let takesPIN = question.takesQuickAnswers
        let answer = try await ask(question, as: requester, over: client) { [session] typed in
            try await session.authenticate(passphrase: typed, takesPIN: takesPIN)
        }
        guard answer.means != .fingerprint || session.takesFingerprints else {
            throw WireError(.expired, "The settings have changed while you were asked. Nothing was done.")
        }
        return answer
    }

    // MARK: The command line

    /// Proof that the user is at the command line, for the request now being answered.
    /// - Throws: `authenticationRequired` when the preference demands the passphrase, and neither it nor the PIN was given for this request.
    package func terminalProof() throws -> UserProof {
        try session.checkUnlocked()
        let requirement = session.requirement(of: UserChoice(surface: .terminal, isFill: false))
        guard requirement != .nothing else {
            return UserProof(on: .terminal, .nothing, session.standingAuthentication(isFill: false), in: session.epoch)
        }
        // A passphrase or a PIN allows one request. One for another request, or from another client, does not count.
        guard let means = session.spendFreshAuthentication() else {
            let takesPIN = session.hasPIN
            throw WireError(
                .authenticationRequired,
                takesPIN ? "This needs your PIN or passphrase." : "This needs your passphrase.",
                hint: "Give it when you are asked.", takesPIN: takesPIN)
        }
        return UserProof(on: .terminal, requirement, means, in: session.epoch)
    }

    /// Proof by a passphrase that came with the request, whatever the preference says.
    ///
    /// - Throws: `locked`; `wrongPassphrase` and `tooManyAttempts`, as `authenticate` does.
    package func terminalProof(by passphrase: SecretBytes) async throws -> UserProof {
        try session.checkUnlocked()
        let epoch = session.epoch
        let means = try await session.authenticate(passphrase: passphrase, takesPIN: false)
        return UserProof(on: .terminal, .authentication, means, in: epoch)
    }

    // MARK: Buttons in windows of Latchkey's own

    /// Asks whether what a button of Latchkey's own stands for may be done.
    ///
    /// - Parameter isPressEnough: Whether the button press that started this is enough when the preference demands no more.
    package func buttonProof(
        by question: PromptDesk.Question, as requester: String, over client: any QuestionClient,
        surface: UserAct.Surface, isPressEnough: Bool
    ) async throws -> UserProof {
        let requirement =
            isPressEnough ? session.requirement(of: UserChoice(surface: surface, isFill: false)) : .authentication
        let epoch = session.epoch
        guard requirement != .nothing else {
            return UserProof(on: surface, .nothing, session.standingAuthentication(isFill: false), in: epoch)
        }
        let answer = try await askUser(question, as: requester, over: client)
        guard let means = answer.means else { throw WireError(.userCanceled, "The passphrase was not asked for.") }
        return UserProof(on: surface, .authentication, means, in: epoch)
    }

    /// Proof by a press in a window that the user has opened with the passphrase, the PIN or a finger.
    ///
    /// - Returns: `nil` where the user has to be asked: a long time ago, in another window, or each time by preference.
    package func windowProof(in name: String, on connection: Int, surface: UserAct.Surface) async -> UserProof? {
        let epoch = session.epoch
        guard !session.asksAlways, let means = await interfaces.proof(in: name, on: connection, in: epoch) else {
            return nil
        }
        return UserProof(on: surface, .nothing, means.afterAWhile, in: epoch)
    }

    /// Shows a Latchkey interface with two buttons, outside of anything an app draws, and waits for the user to press one.
    ///
    /// The proof is for a new password only.
    ///
    /// - Throws: `userCanceled` unless the user presses the button that agrees.
    package func pressedProof(
        _ question: InterfaceStatement, agree: String, refuse: String, under header: InterfaceDesk.Header,
        over renderer: any QuestionClient, surface: UserAct.Surface
    ) async throws -> UserProof {
        let epoch = session.epoch
        let shown = try await SystemSurface(header, on: interfaces, over: renderer)
        defer { Task { await shown.end() } }
        await shown.show(question)
        while true {
            let act = try await shown.next()
            switch (act.element, act.action) {
            case (agree, "press"):
                await shown.end()
                return UserProof(on: surface, .confirmation, .new, in: epoch)
            case (refuse, "press"):
                // The renderer has to release the terminal before the requester learns of the refusal.
                await shown.end()
                throw WireError(.userCanceled, "The user said no.")
            default: continue
            }
        }
    }
}

/// The act of a user who answers git's helper on its terminal.
extension UserQuestions {
    /// Asks on the terminal of git's helper which account git may use, and for the passphrase if that choice takes it.
    package func terminalAct(among offered: [GitChoice], _ asking: GitAsking) async throws -> (Int, UserAct) {
        let chosen = try await limited(asking.loginLimit) {
            let answer = try await asking.onTerminal("use", accounts: offered.map(\.account))
            guard let choice = answer.choice, offered.indices.contains(choice) else {
                throw WireError(.userCanceled, "The user said no.")
            }
            if offered[choice].wantsPassphrase {
                try await self.typedPassphrase("authenticate", asking) {
                    _ = try await self.session.authenticate(passphrase: $0, takesPIN: false)
                }
            }
            return choice
        }
        let (subject, wantsPassphrase) = (offered[chosen].subject, offered[chosen].wantsPassphrase)
        return (
            chosen,
            UserAct(
                for: subject.identity, of: subject.provider, to: subject.destination, in: subject.epoch, on: .terminal,
                requirement: wantsPassphrase ? .authentication : .confirmation,
                authentication: wantsPassphrase ? .passphrase : session.standingAuthentication(isFill: false))
        )
    }

    /// Asks for the passphrase on the terminal, at most three times.
    package func typedPassphrase(
        _ kind: String, _ asking: GitAsking, verify: (SecretBytes) async throws -> Void
    ) async throws {
        var message: String?
        for _ in 0..<3 {
            // Looked at each time: three wrong tries take the PIN away.
            let answer = try await asking.onTerminal(
                kind, message: message, takesPIN: kind == "unlock" && session.hasPIN)
            guard let passphrase = answer.passphrase else {
                throw WireError(.userCanceled, "The user said no.")
            }
            do {
                return try await verify(passphrase.bytes)
            } catch let error as WireError where error.code == .wrongPassphrase {
                message = error.message
            }
        }
        throw WireError(.userCanceled, "Wrong passphrase.")
    }
}
