// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Hands everything that a credential provider keeps to another one, through the system.
///
/// Latchkey does not carry exports yet, so both steps throw `ASAuthorizationError.credentialExport`.
public class ASCredentialExportManager {
    /// What the importer takes.
    public struct ExportOptions: Codable, Hashable {
        /// The format that the data has to have.
        public let formatVersion: ASExportedCredentialData.FormatVersion
    }

    /// A way to another provider, asked for from a window.
    public convenience init(presentationAnchor: ASPresentationAnchor) {
        self.init()
    }

    init() {}

    /// Asks the user for the importer, the first step. Throws `ASAuthorizationError.credentialExport`.
    ///
    /// - Parameter extensionBundleIdentifier: Names the exporter's own extension, where it has several.
    public nonisolated(nonsending) func requestExport(
        for extensionBundleIdentifier: String? = nil
    ) async throws -> ASCredentialExportManager.ExportOptions {
        throw ASAuthorizationError.missing(.credentialExport, "Latchkey does not carry exports yet.")
    }

    /// Hands the data over, the second step. Throws `ASAuthorizationError.credentialExport`.
    public nonisolated(nonsending) func exportCredentials(_ credentialData: ASExportedCredentialData) async throws {
        throw ASAuthorizationError.missing(.credentialExport, "Latchkey does not carry exports yet.")
    }
}
