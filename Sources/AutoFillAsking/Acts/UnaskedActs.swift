// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
@_spi(UserAct) package import AutoFillRelease
internal import Foundation

/// Acts of the user that take no question: what the guard of the bar and the user's own preferences allow.
extension UserQuestions {
    /// The act of a choice that takes no question; `nil` where one has to be asked.
    package func unaskedAct(
        on subject: ActSubject, by choice: UserChoice, agreements: Set<UserAct.Agreement> = []
    ) -> UserAct? {
        guard session.requirement(of: choice) == .nothing else { return nil }
        return UserAct(
            for: subject.identity, of: subject.provider, to: subject.destination, in: subject.epoch,
            on: choice.surface, requirement: .nothing, authentication: session.standingAuthentication,
            agreements: agreements)
    }

    /// The act of asking for a new password, which opens nothing yet. Whether it takes a question all the same is for
    /// `fillStrongPassword` to say.
    package func newPasswordAct(
        on subject: ActSubject, surface: UserAct.Surface, agreements: Set<UserAct.Agreement>
    ) -> UserAct? {
        guard subject.identity.recordIdentifier == nil else { return nil }
        return UserAct(
            for: subject.identity, of: subject.provider, to: subject.destination, in: subject.epoch, on: surface,
            requirement: .nothing, authentication: .new, agreements: agreements)
    }
}

/// The act of who agreed before.
extension UserQuestions {
    /// What the user agreed to a while ago for this program, this place and this account; `nil` where they have not, and where
    /// they want to be asked always.
    package func rememberedAct(
        _ choice: GitChoice, _ asking: GitAsking, in agreements: GitAgreements
    ) -> UserAct? {
        guard !session.asksAlways, choice.isPlain,
            agreements.isAgreed(asking.caller, asking.request, Data(choice.name.utf8), at: session.time.now())
        else { return nil }
        let subject = choice.subject
        return UserAct(
            for: subject.identity, of: subject.provider, to: subject.destination, in: subject.epoch, on: .terminal,
            requirement: .nothing, authentication: .remembered)
    }
}
