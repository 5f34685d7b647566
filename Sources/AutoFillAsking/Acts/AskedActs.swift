// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillMatching
@_spi(UserAct) package import AutoFillRelease
package import AutoFillSecrets

/// That the user agreed to something before it was known which credentials that comes to: a request of the command line, or a
/// change of a password. Each act that is made of it is for one credential.
package struct UserProof: Sendable {
    package let surface: UserAct.Surface
    package let requirement: UserAct.Requirement
    package let authentication: UserAct.Authentication
    package let epoch: UserAct.Epoch

    /// Only what asks calls this, in this file: `scripts/check-arrows` sees to it, and no other room can.
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

    /// For a password that was just made, which opens nothing yet.
    package func act(onNew credential: HeldCredential, to destination: Destination) -> UserAct {
        UserAct(
            for: credential.identity, of: credential.provider, to: destination, in: epoch, on: surface,
            requirement: .nothing, authentication: .new)
    }
}

/// Acts of the user that rest on an answer: each function here asks, or looks at what the user has just given.
extension UserQuestions {
    /// Asks, and returns the act of the user who agrees.
    ///
    /// - Parameters:
    ///   - requester: whose refusals are remembered.
    ///   - authentication: how the user counts as authenticated where the question takes no passphrase.
    ///   - agreements: what the user agrees to by the answer.
    package func askedAct(
        on subject: ActSubject, by question: PromptDesk.Question, as requester: String,
        over client: any QuestionClient, surface: UserAct.Surface, requirement: UserAct.Requirement,
        otherwise authentication: UserAct.Authentication,
        agreements: (PromptDesk.Agreement) -> Set<UserAct.Agreement> = { _ in [] }
    ) async throws -> UserAct {
        let answer = try await askUser(question, as: requester, over: client)
        return UserAct(
            for: subject.identity, of: subject.provider, to: subject.destination, in: subject.epoch, on: surface,
            requirement: requirement, authentication: question.wantsPassphrase ? .passphrase : authentication,
            agreements: agreements(answer))
    }

    /// The act of a user who has acted in the provider's own interface. What that cannot ask, the caller has asked.
    package func interfaceAct(
        on subject: ActSubject, surface: UserAct.Surface, agreements: Set<UserAct.Agreement> = []
    ) -> UserAct {
        UserAct(
            for: subject.identity, of: subject.provider, to: subject.destination, in: subject.epoch, on: surface,
            requirement: .nothing, authentication: .provider, agreements: agreements)
    }

    /// Asks a question, with the passphrase where it takes one.
    @discardableResult package func askUser(
        _ question: PromptDesk.Question, as requester: String, over client: any QuestionClient
    ) async throws -> PromptDesk.Agreement {
        try await ask(question, as: requester, over: client) { [weak self] passphrase in
            try await self?.session.authenticate(passphrase: passphrase)
        }
    }

    // MARK: The command line

    /// That the user is at the command line, for the request that is answered now.
    ///
    /// - Throws: `authenticationRequired` where the preference wants a passphrase that was not given for this very request.
    package func terminalProof() throws -> UserProof {
        try session.checkUnlocked()
        let requirement = session.requirement(of: UserChoice(surface: .terminal))
        guard requirement != .nothing else {
            return UserProof(on: .terminal, .nothing, session.standingAuthentication, in: session.epoch)
        }
        // One passphrase, one request: not one that anybody else gave, or gave for something else.
        guard session.spendFreshAuthentication() else {
            throw WireError(
                .authenticationRequired, "The passphrase is needed first.", hint: "Give it when you are asked.")
        }
        return UserProof(on: .terminal, requirement, .passphrase, in: session.epoch)
    }

    // MARK: Changes of passwords

    /// Asks whether passwords may be changed.
    ///
    /// - Parameter isPressEnough: whether the press that led here is enough where the preference wants nothing more.
    package func upgradeProof(
        by question: PromptDesk.Question, as requester: String, over client: any QuestionClient,
        surface: UserAct.Surface, isPressEnough: Bool
    ) async throws -> UserProof {
        let requirement = isPressEnough ? session.requirement(of: UserChoice(surface: surface)) : .authentication
        let epoch = session.epoch
        guard requirement != .nothing else {
            return UserProof(on: surface, .nothing, session.standingAuthentication, in: epoch)
        }
        try await askUser(question, as: requester, over: client)
        return UserProof(on: surface, .authentication, .passphrase, in: epoch)
    }

    /// Has the user press one of two buttons of an interface of Latchkey's own, outside of what any app draws. What is released for
    /// that is new.
    ///
    /// - Throws: `userCanceled` unless it is the button that agrees.
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
                // Before who asked is told: the renderer has let go of the terminal then.
                await shown.end()
                throw WireError(.userCanceled, "The user said no.")
            default: continue
            }
        }
    }
}

/// The act of who answers git's helper on its terminal.
extension UserQuestions {
    /// Has git's helper ask on its terminal which account git may have, and for the passphrase where the preference wants it.
    package func terminalAct(
        among offered: [GitChoice], wantsPassphrase: Bool, _ asking: GitAsking
    ) async throws -> (Int, UserAct) {
        let chosen = try await limited(asking.limit) {
            let answer = try await asking.onTerminal("use", accounts: offered.map(\.account))
            guard let choice = answer.choice, offered.indices.contains(choice) else {
                throw WireError(.userCanceled, "The user said no.")
            }
            if wantsPassphrase {
                try await self.typedPassphrase("authenticate", asking) {
                    try await self.session.authenticate(passphrase: $0)
                }
            }
            return choice
        }
        let subject = offered[chosen].subject
        return (
            chosen,
            UserAct(
                for: subject.identity, of: subject.provider, to: subject.destination, in: subject.epoch, on: .terminal,
                requirement: wantsPassphrase ? .authentication : .confirmation,
                authentication: wantsPassphrase ? .passphrase : session.standingAuthentication)
        )
    }

    /// A passphrase, typed at the terminal; it may be wrong twice.
    package func typedPassphrase(
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
}
