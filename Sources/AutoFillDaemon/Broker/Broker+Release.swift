// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillQuirks
internal import AutoFillRelease
internal import AutoFillSecrets
internal import FormAnalysis
internal import Foundation
internal import Logging
internal import SecurityCodes
internal import ShownText

/// The one way out, and the one way to ask.
extension Broker {
    /// Releases a credential, or refuses for the first of these reasons that holds: Latchkey was locked, the credential has ended,
    /// its provider was disabled, who asked has gone, and whatever the purpose's own check finds. Every release ends here.
    ///
    /// - Parameter ended: why the credential itself is none any more.
    func release(
        _ credential: HeldCredential, for purpose: any ReleasePurpose, act: UserAct, client: String? = nil,
        ended: String? = nil
    ) throws -> WireSecret {
        try gate.release(
            credential, for: purpose, act: act, at: moment(of: credential.provider, ended: ended), client: client)
    }

    /// How things stand now for what a provider has handed over.
    func moment(of provider: BundleIdentifier, ended: String? = nil) -> ReleaseMoment {
        ReleaseMoment(
            epoch: unlocked == nil ? nil : epoch, isProviderEnabled: unlocked?.stores[provider] != nil,
            isTakenBack: Task.isCancelled, ended: ended)
    }

    /// Asks by the desk, unless the requester was refused a moment ago.
    @discardableResult func ask(
        _ question: PromptDesk.Question, as requester: String, over client: ClientConnection,
        verify: @escaping PromptDesk.Verify
    ) async throws -> PromptDesk.Agreement {
        if let wait = promptLimiter.wait(for: requester, at: time.now()) {
            let seconds = Int(wait.components.seconds) + 1
            throw WireError(
                .tooManyAttempts, "You said no a moment ago; it may ask again in \(seconds) seconds.",
                retryAfter: seconds)
        }
        guard asking.insert(requester).inserted else {
            throw WireError(.busy, "You are being asked already.")
        }
        defer { asking.remove(requester) }
        do {
            let agreement = try await desk.ask(question, over: client, verify: verify)
            userActed()
            promptLimiter.agreed(requester)
            return agreement
        } catch let error as WireError where error.code == .userCanceled || error.code == .timedOut {
            promptLimiter.refused(requester, at: time.now())
            throw error
        }
    }

    /// Asks the user to unlock, outside the page.
    func unlockByPrompt(over client: ClientConnection) async throws {
        guard isInitialized else { throw WireError(.notInitialized, "There is nothing here yet.") }
        guard unlocked == nil else { return }
        try await ask(.init(kind: .unlock, requester: client.requester), as: "unlock", over: client) {
            [weak self] passphrase in try await self?.unlock(passphrase: passphrase)
        }
    }
}

extension RequestContext {
    /// What a provider is told of the document that asks.
    init(_ origin: VerifiedOrigin) {
        let chain = origin.chain
        self.init(
            origin: chain.document.description,
            ancestors: chain.ancestors.isEmpty ? nil : chain.ancestors.map(\.description),
            secureContext: ([chain.document] + chain.ancestors).allSatisfy(\.isPotentiallyTrustworthy))
    }
}
