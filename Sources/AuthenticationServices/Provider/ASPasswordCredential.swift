// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A user name and a password.
///
/// It prints as nothing. The password is a `String`, as in Apple's API, and cannot be wiped: a process that makes one
/// of these has to end when Latchkey locks, which Latchkey sees to.
///
/// Sendable unchecked: Apple's is an open class; nothing of this one changes once it is made.
open class ASPasswordCredential: NSObject, ASAuthorizationCredential, CustomReflectable, @unchecked Sendable {
    /// Whom the password belongs to.
    open private(set) var user: String
    /// The secret.
    open private(set) var password: String

    /// A credential that can be given to an extension's context.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
        super.init()
    }

    /// A credential without anything in it.
    public convenience override init() {
        self.init(user: "", password: "")
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let user = coder.text("user"), let password = coder.text("password") else { return nil }
        self.user = user
        self.password = password
        super.init()
    }

    /// Writes user and password, readable. Who archives a credential has to seal the archive.
    open func encode(with coder: NSCoder) {
        coder.write(user, "user")
        coder.write(password, "password")
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Says nothing about user and password.
    open override var description: String { "ASPasswordCredential(redacted)" }

    /// Shows no members, so that `dump` and test failures show nothing.
    open var customMirror: Mirror { Mirror(self, children: []) }
}
