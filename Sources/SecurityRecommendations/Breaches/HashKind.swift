// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets
internal import Crypto

/// What the lines of a list of leaked passwords are hashes of.
public enum HashKind: Sendable, CaseIterable {
    /// SHA-1 of the UTF-8, as haveibeenpwned's range API has it too.
    case sha1
    /// MD4 of the UTF-16 in little-endian order, as Windows keeps passwords.
    case ntlm

    /// In bytes.
    public var size: Int { self == .sha1 ? 20 : 16 }

    /// The hash of a password. It is as good as the password to whoever has the list; it stays in memory, and not for long.
    public func hash(_ password: SecretBytes) -> [UInt8] {
        password.withUnsafeBytes { bytes in
            switch self {
            case .sha1: Array(Insecure.SHA1.hash(data: bytes))
            case .ntlm: MD4.hash(Self.utf16(bytes))
            }
        }
    }

    private static func utf16(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        String(decoding: bytes, as: UTF8.self).utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }
}
