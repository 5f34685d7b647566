// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
@_spi(UserAct) package import AutoFillRelease
internal import Foundation

/// Acts that need no question, because the checks on the bar and the user's preferences allow them.
extension UserQuestions {
    /// The act of a choice that needs no question, or `nil` if the user has to be asked.
    package func unaskedAct(
        on subject: ActSubject, by choice: UserChoice, agreements: Set<UserAct.Agreement> = []
    ) -> UserAct? {
        guard session.requirement(of: choice) == .nothing else { return nil }
        return UserAct(
            for: subject.identity, of: subject.provider, to: subject.destination, in: subject.epoch,
            on: choice.surface, requirement: .nothing,
            authentication: session.standingAuthentication(isFill: choice.isFill),
            agreements: agreements)
    }

    /// The act of requesting a new password, which does not open an account yet.
    ///
    /// `fillStrongPassword` decides whether a question is asked nevertheless.
    package func newPasswordAct(
        on subject: ActSubject, surface: UserAct.Surface, agreements: Set<UserAct.Agreement>
    ) -> UserAct? {
        guard subject.identity.recordIdentifier == nil else { return nil }
        return UserAct(
            for: subject.identity, of: subject.provider, to: subject.destination, in: subject.epoch, on: surface,
            requirement: .nothing, authentication: .new, agreements: agreements)
    }
}

/// The act of a user who agreed earlier.
extension UserQuestions {
    /// The act for an earlier agreement to this program, place and account.
    ///
    /// - Parameter span: How long agreements hold.
    /// - Returns: `nil` if no agreement holds, or if the user wants to be asked each time.
    package func rememberedAct(
        _ choice: GitChoice, _ asking: GitAsking, in agreements: GitAgreements, for span: Duration
    ) -> UserAct? {
        guard !session.asksAlways, choice.isPlain,
            agreements.isAgreed(
                asking.caller, asking.request, Data(choice.name.utf8), for: span, at: session.time.now())
        else { return nil }
        let subject = choice.subject
        return UserAct(
            for: subject.identity, of: subject.provider, to: subject.destination, in: subject.epoch, on: .terminal,
            requirement: .nothing, authentication: .remembered)
    }
}
