// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Takes what another credential provider exports, through the system.
///
/// Latchkey does not carry exports yet, so importing throws `ASAuthorizationError.credentialImport`.
public class ASCredentialImportManager {
    /// A way to the exported data, which keeps nothing.
    public init() {}

    /// The data that a token stands for. Throws `ASAuthorizationError.credentialImport`.
    public nonisolated(nonsending) func importCredentials(token: UUID) async throws -> ASExportedCredentialData {
        throw ASAuthorizationError.missing(.credentialImport, "Latchkey does not carry exports yet.")
    }
}

/// The type of the activity with which an importer is started. Latchkey starts none yet.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let ASCredentialExchangeActivity: String = "ASCredentialExchangeActivity"

/// The key of the token, a `UUID`, in the `userInfo` of that activity.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let ASCredentialImportToken: String = "ASCredentialImportToken"
