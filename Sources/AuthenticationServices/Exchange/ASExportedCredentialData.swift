// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Everything that a credential provider exports, as the credential exchange format (CXF) of the FIDO Alliance has it.
///
/// The names in its coded form are CXF's; how dates and bytes are written is the coder's to choose. It prints as nothing
/// that is secret.
public struct ASExportedCredentialData: Codable, Hashable, Sendable {
    /// A version of the format.
    @nonexhaustive(warn)
    public enum FormatVersion: String, CaseIterable, Codable, Sendable {
        /// The first.
        case v1 = "1.0"
    }

    /// The version of the format.
    public let formatVersion: FormatVersion
    /// The exporter's domain.
    public let exporterRelyingPartyIdentifier: String
    /// The exporter's name for people.
    public let exporterDisplayName: String
    /// When it was exported.
    public let timestamp: Date
    /// What is exported.
    public var accounts: [ASImportableAccount]

    private enum CodingKeys: String, CodingKey {
        case formatVersion = "version"
        case exporterRelyingPartyIdentifier = "exporterRpId"
        case exporterDisplayName, timestamp, accounts
    }

    /// An export with all its members.
    public init(
        accounts: [ASImportableAccount],
        formatVersion: ASExportedCredentialData.FormatVersion,
        exporterRelyingPartyIdentifier: String,
        exporterDisplayName: String,
        timestamp: Date
    ) {
        self.accounts = accounts
        self.formatVersion = formatVersion
        self.exporterRelyingPartyIdentifier = exporterRelyingPartyIdentifier
        self.exporterDisplayName = exporterDisplayName
        self.timestamp = timestamp
    }
}
