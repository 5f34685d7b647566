// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillSecrets
public import Foundation

/// What Latchkey gives a provider when it starts it.
public struct ProviderLaunch: Sendable {
    /// The provider's bundle identifier.
    public let identifier: String
    /// The folder in which the provider keeps what it has. No other provider is given it.
    public let container: URL
    /// 32 bytes that stay the same for this provider and are there while Latchkey is unlocked; for sealing what it
    /// keeps.
    public let key: SecretText

    /// What `provider.start` says, or why it cannot be right.
    init(identifier: String, container: String, key: SecretBytes) throws(WireError) {
        guard BundleIdentifier(identifier) != nil else {
            throw WireError(.invalidParams, "The identifier is no bundle identifier.")
        }
        guard container.hasPrefix("/") else {
            throw WireError(.invalidParams, "The container is no absolute path.")
        }
        guard let key = Base64.decode(key), key.count == 32 else {
            throw WireError(.invalidParams, "The key is not the base64 of 32 bytes.")
        }
        self.identifier = identifier
        self.container = URL(fileURLWithPath: container, isDirectory: true)
        self.key = SecretText(key)
    }
}
