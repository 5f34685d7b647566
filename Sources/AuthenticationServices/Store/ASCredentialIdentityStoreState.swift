// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The state of the provider's identity store.
///
/// Sendable unchecked: Apple's is an open class; nothing of this one changes once it is made.
open class ASCredentialIdentityStoreState: NSObject, @unchecked Sendable {
    /// Whether the user has enabled the provider. While not, the store cannot be changed.
    open private(set) var isEnabled: Bool
    /// Whether the store holds what was saved last. While not, all identities have to be given with a replacement.
    open private(set) var supportsIncrementalUpdates: Bool

    init(isEnabled: Bool, supportsIncrementalUpdates: Bool) {
        self.isEnabled = isEnabled
        self.supportsIncrementalUpdates = supportsIncrementalUpdates
        super.init()
    }

    /// The state of a store that is not enabled.
    public convenience override init() {
        self.init(isEnabled: false, supportsIncrementalUpdates: false)
    }
}
