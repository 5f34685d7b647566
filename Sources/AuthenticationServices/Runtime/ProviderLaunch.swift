// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
public import Foundation

/// What Latchkey gives a provider when it starts it.
public struct ProviderLaunch: Sendable {
    /// What the provider shares with its containing app: the same as `ProviderContainer.shared`.
    public let shared: ProviderContainer
    /// Whether this is a debug build that a debugger may be attached to.
    public let isDebugged: Bool

    /// The provider's bundle identifier.
    public var identifier: String { shared.identifier }
    /// The folder in which the provider keeps what it has. No other provider is given it.
    public var container: URL { shared.folder }
    /// 32 bytes that stay the same for this provider and are there while Latchkey is unlocked; for sealing what it
    /// keeps.
    public var key: SecretText { shared.key }

    /// What `provider.start` says, or why it cannot be right.
    init(_ params: Provider.Start.Params) throws(WireError) {
        shared = try ProviderContainer(
            identifier: params.identifier,
            folder: params.container,
            key: params.key,
            groups: params.groups ?? []
        )
        isDebugged = params.debug ?? false
    }
}
