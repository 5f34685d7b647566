// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// What git says about a credential, or asks for, in the attributes of git-credential(1) that mean something here.
public struct GitCredential: Sendable {
    /// `https`, `http`, or something that Latchkey has nothing to do with.
    public var protocolName: String?
    /// With the port, where there is one.
    public var host: String?
    /// Only where `credential.useHttpPath` is set, or the URL was given whole.
    public var path: String?
    public var username: String?
    public var password: SecretBytes?
    /// When the password ends to be good, in seconds since 1970.
    public var expiry: Int64?
    /// Whether it is only for this moment, so that nobody keeps it.
    public var isEphemeral = false

    public init() {}

    /// Whether it is about a web server at all.
    public var isWeb: Bool {
        (protocolName == "https" || protocolName == "http") && host.map { !$0.isEmpty } ?? false
    }
}

/// Why something is not a credential of git's.
public struct GitCredentialFailure: Error, Hashable, Sendable {
    /// A sentence, without anything that was read.
    public let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
