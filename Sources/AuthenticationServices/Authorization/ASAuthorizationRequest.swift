// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What an app asks for; its provider makes one.
///
/// Sendable unchecked, as Apple's: who changes a request hands it over no more than once.
open class ASAuthorizationRequest: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// What made the request.
    open private(set) var provider: any ASAuthorizationProvider

    init(provider: any ASAuthorizationProvider) {
        self.provider = provider
        super.init()
    }

    /// Reads nothing: a request of no kind is none. Those of a kind read themselves.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// Writes what there is; of this class, nothing.
    open func encode(with coder: NSCoder) {}

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Itself, where nothing in it can change.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
