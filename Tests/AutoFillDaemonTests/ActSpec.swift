// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
@_spi(UserAct) import AutoFillRelease

/// What a test says that the user did. The act is made for the credential and the purpose of the release.
struct ActSpec {
    var surface: UserAct.Surface = .terminal
    var requirement: UserAct.Requirement = .nothing
    var authentication: UserAct.Authentication = .recent
    var agreements: Set<UserAct.Agreement> = []

    /// - Parameter isSatisfied: whether what was required has happened.
    init(
        surface: UserAct.Surface, requirement: UserAct.Requirement, isSatisfied: Bool = true,
        authentication: UserAct.Authentication, agreements: Set<UserAct.Agreement> = []
    ) {
        self.surface = surface
        self.requirement = isSatisfied ? requirement : .authentication
        self.authentication = isSatisfied ? authentication : .recent
        self.agreements = agreements
    }

    func act(on credential: HeldCredential, to destination: Destination, in epoch: Int = 0) -> UserAct {
        UserAct(
            for: credential.identity, of: credential.provider, to: destination, in: .init(epoch), on: surface,
            requirement: requirement, authentication: authentication, agreements: agreements)
    }
}

extension ReleaseMoment {
    /// Nothing has happened since the first unlock.
    static let unchanged = ReleaseMoment(epoch: .init(0), isProviderEnabled: true)
}

extension Gate {
    /// Releases by an act for this very credential and purpose, as production makes it.
    func release(_ credential: HeldCredential, for purpose: any ReleasePurpose, act: ActSpec) throws -> WireSecret {
        try release(
            credential, for: purpose, act: act.act(on: credential, to: purpose.destination), at: .unchanged)
    }
}
