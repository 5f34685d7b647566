// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// A password or a note on its way through `CredentialManaging`: locked memory that prints as nothing.
public struct SecretText: Sendable, Equatable {
    /// The UTF-8 of the text.
    public let bytes: SecretBytes

    /// Text that is in locked memory already.
    public init(_ bytes: SecretBytes) {
        self.bytes = bytes
    }

    /// Text that was a `String`, which cannot be wiped.
    public init(_ text: String) {
        bytes = SecretBytes(utf8: text)
    }

    /// Lends the UTF-8 for the length of a call. The pointer must not outlive it, and copies are the caller's to wipe.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(body)
    }

    /// A `String` of the text, which cannot be wiped. For Apple's API, which takes passwords in no other form.
    public func unsafeString() -> String {
        bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}

extension SecretText: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Never the text.
    public var description: String { "SecretText(redacted)" }

    /// Never the text.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` and test failures show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
