// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillCredentials
package import AutoFillRelease

/// The credential and the destination that the user is to act on, and since when.
package struct ActSubject: Sendable {
    package let identity: CredentialIdentity
    package let provider: BundleIdentifier
    package let destination: Destination
    /// The one in which the credential was asked for.
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
