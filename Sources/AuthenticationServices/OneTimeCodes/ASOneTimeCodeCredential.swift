// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A one-time code. It prints as nothing.
///
/// Not stated to be Sendable, as in Apple's API.
open class ASOneTimeCodeCredential: NSObject, ASAuthorizationCredential, CustomReflectable {
    /// The secret.
    open private(set) var code: String

    /// A code that can be given to an extension's context.
    public init(code: String) {
        self.code = code
        super.init()
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let code = coder.text("code") else { return nil }
        self.code = code
        super.init()
    }

    /// Writes the code, readable. Who archives a credential has to seal the archive.
    open func encode(with coder: NSCoder) {
        coder.write(code, "code")
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Says nothing about what it holds.
    open override var description: String { "ASOneTimeCodeCredential(redacted)" }

    /// Shows no members, so that `dump` and test failures show nothing.
    open var customMirror: Mirror { Mirror(self, children: []) }
}
