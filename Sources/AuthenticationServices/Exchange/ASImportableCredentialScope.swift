// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Where credentials are good.
public struct ASImportableCredentialScope: Codable, Hashable, Sendable {
    /// Sites.
    public var urls: [URL]
    /// Apps for Android.
    public var androidApps: [ASImportableCredentialScope.AndroidAppID]

    /// A scope with all its members.
    public init(
        urls: [URL],
        androidApps: [ASImportableCredentialScope.AndroidAppID] = []
    ) {
        self.urls = urls
        self.androidApps = androidApps
    }
}

extension ASImportableCredentialScope {
    /// An app for Android.
    public struct AndroidAppID: Codable, Hashable, Sendable {
        /// The app's identifier.
        public var bundleID: String
        /// Who signed the app.
        public var certificate: ASImportableCredentialScope.AndroidAppCertificationFingerprint?
        /// The app's name for people.
        public var name: String?

        private enum CodingKeys: String, CodingKey {
            case bundleID = "bundleId"
            case certificate
            case name
        }

        /// An app with all its members.
        public init(
            bundleID: String,
            certificate: ASImportableCredentialScope.AndroidAppCertificationFingerprint?,
            name: String?
        ) {
            self.bundleID = bundleID
            self.certificate = certificate
            self.name = name
        }
    }
}

extension ASImportableCredentialScope {
    /// The fingerprint of an app's certificate.
    public struct AndroidAppCertificationFingerprint: Codable, Hashable, Sendable {
        /// The digest of the certificate.
        public var fingerprint: Data
        /// What the digest was made with.
        public var hashAlgorithm: String

        private enum CodingKeys: String, CodingKey {
            case fingerprint
            case hashAlgorithm = "hashAlg"
        }

        /// A fingerprint with all its members.
        public init(
            fingerprint: Data,
            hashAlgorithm: String
        ) {
            self.fingerprint = fingerprint
            self.hashAlgorithm = hashAlgorithm
        }
    }
}
