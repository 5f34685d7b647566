// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease

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
