// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillMatching

/// An identity that may be offered, and why.
struct FoundIdentity: Sendable {
    let provider: BundleIdentifier
    let identity: CredentialIdentity
    let match: Match
}
