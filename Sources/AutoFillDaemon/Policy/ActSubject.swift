// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillRelease

/// The credential and the destination that the user is to act on, and since when.
struct ActSubject: Sendable {
    let identity: CredentialIdentity
    let provider: BundleIdentifier
    let destination: Destination
    /// The one in which the credential was asked for.
    let epoch: UserAct.Epoch
}
