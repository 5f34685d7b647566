// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillCredentials
package import AutoFillRelease

/// The credential and the destination of an act, and the epoch of the request for them.
package struct ActSubject: Sendable {
    package let identity: CredentialIdentity
    package let provider: BundleIdentifier
    package let destination: Destination
    /// The lock epoch in which the credential was requested.
    package let epoch: UserAct.Epoch

    package init(
        identity: CredentialIdentity, provider: BundleIdentifier, destination: Destination, epoch: UserAct.Epoch
    ) {
        self.identity = identity
        self.provider = provider
        self.destination = destination
        self.epoch = epoch
    }
}
