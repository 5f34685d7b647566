// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Crypto

/// A 256-bit key that authenticates bytes that stay readable: HMAC-SHA256 (RFC 2104), 32 bytes.
public struct AuthenticationKey: Sendable {
    /// The size of a code in bytes.
    public static let codeByteCount = 32

    private let secret: SecretBytes

    init(derived secret: SecretBytes) {
        self.secret = secret
    }

    /// - Returns: nil unless the secret has exactly 32 bytes.
    public init?(_ secret: SecretBytes) {
        guard secret.count == 32 else { return nil }
        self.secret = secret
    }

    /// The code of the parts, one after another. Their boundaries are not authenticated: the format has to fix them.
    public func code(for parts: [[UInt8]]) -> [UInt8] {
        var mac = HMAC<SHA256>(key: secret.withUnsafeBytes { SymmetricKey(data: $0) })
        for part in parts { mac.update(data: part) }
        return Array(mac.finalize())
    }

    /// Whether a code is that of the parts, in constant time.
    public func isValid(_ code: [UInt8], for parts: [[UInt8]]) -> Bool {
        let expected = self.code(for: parts)
        return expected.count == code.count && latchkey_equal(expected, code, expected.count) != 0
    }
}

extension AuthenticationKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "AuthenticationKey(redacted)" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
