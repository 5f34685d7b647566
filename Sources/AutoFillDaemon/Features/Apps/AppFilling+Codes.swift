// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import SecurityCodes

/// Offers received codes to apps, by the hosts that name the app as theirs, as for passwords.
extension AppFilling {
    /// The standing of each received code for an app. An app without a verified association gets no code, bound or not.
    private func received(
        for associations: [VerifiedAssociation]
    ) -> [(code: ReceivedCode, standing: CodeOffers.Standing)] {
        let hosts = associations.compactMap(\.host)
        let offers = CodeOffers(broker.rules.policy.suffixes)
        return codeMessages.codes.codes(at: broker.time.now(), lifetime: broker.preferences.codeSpan).map { code in
            let standing = offers.standing(of: code.binding, forAppWith: hosts)
            return (code, hosts.isEmpty && standing == .unbound ? .refused(.otherSite) : standing)
        }
    }

    /// The rows for the received codes, the newest first. They do not contain the codes themselves.
    func receivedRows(for associations: [VerifiedAssociation]) -> [AppChooser.Row] {
        received(for: associations).filter { $0.standing.basis != nil }.map { code, standing in
            .init(
                provider: .receivedCodes, identity: code.identity, providerName: nil, isUnbound: standing == .unbound)
        }
    }

    /// The hosts of the received codes that are not for the app, for display.
    func withheldCodes(for associations: [VerifiedAssociation]) -> [String] {
        var hosts: [String] = []
        for (code, standing) in received(for: associations) where standing.basis == nil {
            guard let host = code.boundTo, !hosts.contains(host) else { continue }
            hosts.append(host)
        }
        return hosts
    }

    // MARK: Open surfaces

    /// Keeps a surface up to date until `unwatch`: it is redrawn when codes arrive and when they expire.
    func watch(_ surface: SystemSurface) {
        codeSurfaces[surface.name] = surface
        watchExpiry()
    }

    func unwatch(_ surface: SystemSurface) {
        codeSurfaces[surface.name] = nil
        if codeSurfaces.isEmpty { codeExpiry?.cancel() }
    }

    func drawCodesAnew() {
        for surface in codeSurfaces.values { surface.change() }
        watchExpiry()
    }

    /// Schedules a redraw for the next expiry, because expiry raises no event.
    private func watchExpiry() {
        codeExpiry?.cancel()
        guard !codeSurfaces.isEmpty,
            let next = codeMessages.codes.nextExpiry(after: broker.time.now(), lifetime: broker.preferences.codeSpan)
        else { return }
        let wait = broker.time.wait
        codeExpiry = Task {
            try await wait(next)
            self.drawCodesAnew()
        }
    }

    // MARK: The release

    /// Releases a code that the user chose for an app. Every condition is checked again at the end, because the steps before take time.
    func releaseReceived(
        _ row: AppChooser.Row, to app: VerifiedApp, _ requester: AppRequester, _ surface: AppSurface
    ) async throws -> CredentialAnswer {
        let id = row.identity.recordIdentifier ?? ""
        guard let code = codeMessages.codes.code(id, at: broker.time.now(), lifetime: broker.preferences.codeSpan)
        else {
            throw AppRefusal("the code was used or is too old")
        }
        let credential = HeldCredential(identity: code.identity, provider: .receivedCodes, password: code.secret)
        let act = try await consent(
            to: row,
            on: .init(
                identity: credential.identity, provider: credential.provider, destination: .app(app),
                epoch: broker.epoch),
            for: code.boundTo ?? requester.name, requester, surface)
        let confirmed = await appRequests.confirm(requester)
        let association = await verified(app, for: code)
        let isKept = codeMessages.codes.code(id, at: broker.time.now(), lifetime: broker.preferences.codeSpan) != nil
        let secret = try broker.release(
            credential,
            for: AppMessageCode(
                code.secret, binding: code.binding, chosen: app, confirmed: confirmed, association: association),
            act: act, ended: isKept ? nil : "the code was used or is too old")
        codeMessages.codes.use(code, at: broker.time.now())
        questions.promptLimiter.agreed(requester.key)
        codeMessages.tellOfChange()
        return .init(credential: .init(type: CredentialType.oneTimeCode.rawValue, code: secret))
    }

    /// The verified association of an app that a code needs, looked up now.
    private func verified(_ app: VerifiedApp, for code: ReceivedCode) async -> VerifiedAssociation? {
        guard let host = code.boundTo?.lowercased() else {
            return await appAssociations.associations?.verifiedAssociations(for: app.identifier).first
        }
        return try? await appAssociations.associations?.association(of: app.identifier, with: host).get()
    }
}
