// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease

/// The release of credentials. A credential leaves the daemon by no other way.
extension Broker {
    /// Releases a credential, or throws the first refusal that holds. In order: Latchkey was locked, the credential is no longer valid, its
    /// provider was disabled, the requester has disconnected, or the purpose's own check refuses. Every release goes through here.
    ///
    /// - Parameter ended: the reason why the credential is no longer valid; `nil` if it is valid.
    func release(
        _ credential: HeldCredential, for purpose: any ReleasePurpose, act: UserAct, client: String? = nil,
        ended: String? = nil
    ) throws -> WireSecret {
        try gate.release(
            credential, for: purpose, act: act, at: moment(of: credential.provider, ended: ended), client: client)
    }

    /// The current state that a release of a provider's credential is checked against.
    func moment(of provider: BundleIdentifier, ended: String? = nil) -> ReleaseMoment {
        ReleaseMoment(
            epoch: unlocked == nil ? nil : epoch, isProviderEnabled: unlocked?.stores[provider] != nil,
            isTakenBack: Task.isCancelled, ended: ended)
    }

}

extension RequestContext {
    /// Describes the requesting document to a provider.
    init(_ origin: VerifiedOrigin) {
        let chain = origin.chain
        self.init(
            origin: chain.document.description,
            ancestors: chain.ancestors.isEmpty ? nil : chain.ancestors.map(\.description),
            secureContext: ([chain.document] + chain.ancestors).allSatisfy(\.isPotentiallyTrustworthy))
    }
}
