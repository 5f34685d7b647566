// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillMatching

/// A saved account of one place.
struct UpgradeAccount: Sendable {
    let identity: CredentialIdentity
    let keeper: BundleIdentifier
    let origin: Origin?
}
