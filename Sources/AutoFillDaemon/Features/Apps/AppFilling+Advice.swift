// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import Logging

/// After a sign-in in an app with a password that should be changed, asks the user whether the app's own extension is to change it.
///
/// The app already has its answer and cannot observe any of this: it does not wait for it, it is not counted as a request of the app, and
/// the app does not cancel it by ending.
extension AppFilling {
    /// A credential that an app was given.
    struct AppSignIn: Sendable {
        let app: VerifiedApp
        let requester: AppRequester
        let surface: AppSurface
        let identity: CredentialIdentity
        let provider: BundleIdentifier

        /// The key under which it is remembered that the user was asked.
        var account: TabAccounts.Account { .init(identity, of: provider) }
    }

    /// Asks the user, if there is a reason to, once the app has been answered.
    func adviseOnceAnswered(_ signIn: AppSignIn) {
        Peer.afterReply { [weak self] in
            Task { await self?.advise(after: signIn) }
        }
    }

    /// Asks the user, if there is a reason to, and returns when no more questions are needed.
    func advise(after signIn: AppSignIn) async {
        // Only in a browser's window: a terminal is the app's again when it has its answer.
        guard signIn.surface.kind == .window, signIn.provider == .builtIn, signIn.identity.type == .password,
            let record = signIn.identity.recordIdentifier, !advised.contains(signIn.account)
        else { return }
        guard let unlocked = broker.session else { return }
        // Check locally first: the judging provider is asked only if an extension could change the password.
        guard await upgradable(signIn, asksSites: false) != nil,
            let found = try? await providers.judge(id: record).recommendations.first, !found.hidden,
            let worst = found.findings.first
        else { return }
        // Meanwhile it may have been locked, the browser gone, or the user asked after another sign-in.
        let renderer = signIn.surface.renderer
        guard unlocked.isCurrent, broker.clients[renderer.number] != nil, advised.insert(signIn.account).inserted
        else {
            return
        }
        // From here on the question belongs to the browser: it does not end when the app ends or cancels.
        do {
            try await runs.running(for: nil, on: renderer) { [self] in
                try await askToUpgrade(signIn, because: worst.reason)
            }
        } catch {
            broker.logger.info(
                "a password was not changed after a sign-in in an app",
                metadata: ["reason": "\(WireError(saying: error).message)"])
        }
    }

    /// The account as it is saved now, and the app's own extension where that may be offered for it.
    private func upgradable(
        _ signIn: AppSignIn, asksSites: Bool
    ) async -> (account: UpgradeAccount, target: UpgradeTarget)? {
        guard let origin = Origin(written: signIn.identity.service.value),
            let account = try? await upgrades.changes.savedAccounts(at: origin).first(where: {
                $0.keeper == signIn.provider && $0.identity.recordIdentifier == signIn.identity.recordIdentifier
                    && $0.identity.user == signIn.identity.user
            }),
            case .offered(let target)? = try? await upgrades.offer(for: account, asksSites: asksSites),
            target.app == signIn.app.identifier, !target.optsOutOfPromptsOnSignIn
        else { return nil }
        return (account, target)
    }

    // MARK: The question

    /// Asks the user, changes the password if the user agrees, and shows the outcome.
    private func askToUpgrade(_ signIn: AppSignIn, because reason: String) async throws {
        let (user, renderer) = (signIn.identity.user, signIn.surface.renderer)
        guard let origin = Origin(written: signIn.identity.service.value) else { return }
        let shown = try await SystemSurface(
            .init(requester: signIn.requester.name, provider: nil, site: origin.description, user: user),
            on: questions.interfaces, over: renderer)
        defer { Task { await shown.end() } }
        await shown.show(
            UpgradeQuestion.afterSignIn(user: user, origin: origin, program: signIn.requester.name, reason: reason))
        guard try await isAgreed(on: shown) else { return }
        await shown.show(UpgradeQuestion.working)
        do {
            try await upgrade(signIn, at: origin)
            await shown.show(UpgradeQuestion.ended(nil))
        } catch {
            try Task.checkCancellation()
            await shown.show(UpgradeQuestion.ended(WireError(saying: error)))
        }
        while try await shown.next().element != UpgradeQuestion.done {}
    }

    private func isAgreed(on shown: SystemSurface) async throws -> Bool {
        while true {
            let act = try await shown.next()
            switch (act.element, act.action) {
            case (UpgradeQuestion.agree, "press"): return true
            case (UpgradeQuestion.refuse, "press"): return false
            default: continue
            }
        }
    }

    /// Changes the password. Account and extension are looked up again, because the question may have been open for long.
    private func upgrade(_ signIn: AppSignIn, at origin: Origin) async throws {
        guard let (account, target) = await upgradable(signIn, asksSites: true) else {
            throw WireError(
                .refused, "The password can no longer be changed.", reason: "the account or the extension has changed"
            )
        }
        let proof = try await agreement(toChange: account, at: origin, signIn)
        let existing = try await providerInterfaces.credential(
            for: account.identity, of: account.keeper, site: origin,
            context: RequestContext(app: target.app.rawValue), client: signIn.surface.renderer
        ).0
        _ = try await upgrades.passwordChanges.carryOut(
            UpgradeJob(
                account: account.identity, keeper: account.keeper, origin: origin, target: target, proof: proof,
                existing: existing, isSaved: true, userInfo: nil, requester: signIn.requester.name,
                renderer: signIn.surface.renderer, progress: { _ in }))
    }

    /// The proof that the user agreed. The press is the user's act; authentication is required as for a release.
    private func agreement(
        toChange account: UpgradeAccount, at origin: Origin, _ signIn: AppSignIn
    ) async throws -> UserProof {
        // A refusal counts for this change only, not for the app.
        try await questions.buttonProof(
            by: .init(
                kind: .upgrade, requester: signIn.requester.name, site: origin.description,
                user: account.identity.user, provider: broker.name(of: account.keeper)),
            as: "upgrade " + origin.description, over: signIn.surface.renderer, surface: .window, isPressEnough: true)
    }
}
