// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A password that a provider made up. It prints as nothing.
///
/// Sendable unchecked: nothing in it changes.
open class ASGeneratedPassword: NSObject, NSCopying, NSSecureCoding, CustomReflectable, @unchecked Sendable {
    /// What a password is made of. There may be others than the named ones.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The value as it travels.
        public let rawValue: String

        /// A kind that may have no name here.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// A kind that may have no name here.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// As hard to guess as the rules allow.
        public static let strong = Kind("STRONG")
        /// Of letters and digits.
        public static let alphanumeric = Kind("ALPHANUMERIC")
        /// Of words.
        public static let passphrase = Kind("PASSPHRASE")
    }

    /// What the password is made of.
    open private(set) var kind: Kind
    /// The secret.
    open private(set) var value: String

    /// A password of some kind.
    public init(kind: Kind, value: String) {
        self.kind = kind
        self.value = value
        super.init()
    }

    /// A name of the kind for people; a kind without one is just a password.
    open var localizedName: String {
        switch kind {
        case .strong: "Strong Password"
        case .alphanumeric: "Password of Letters and Digits"
        case .passphrase: "Passphrase"
        default: "Password"
        }
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let kind = coder.text("kind"), let value = coder.text("value") else { return nil }
        self.kind = Kind(kind)
        self.value = value
        super.init()
    }

    /// Writes both members, readable. Who archives a password has to seal the archive.
    open func encode(with coder: NSCoder) {
        coder.write(kind.rawValue, "kind")
        coder.write(value, "value")
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Says nothing about what it holds.
    open override var description: String { "ASGeneratedPassword(redacted)" }

    /// Shows no members, so that `dump` and test failures show nothing.
    open var customMirror: Mirror { Mirror(self, children: []) }
}
