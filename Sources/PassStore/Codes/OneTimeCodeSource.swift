// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets
internal import SecurityCodes

/// The key of one-time codes by time (RFC 6238), as an `otpauth://totp/` line holds it, in locked memory.
///
/// Codes by counter (`otpauth://hotp/`) are not understood: each would have to be written back before it is used.
public struct OneTimeCodeSource: Sendable {
    private let key: SecretBytes
    private let generator: CodeGenerator
    /// For how many seconds each code is the current one.
    public let period: Int

    /// Reads a line; nothing when a member of it is missing or out of the bounds of RFC 4226 and RFC 6238.
    public init?(_ line: SecretBytes) {
        var found: [(key: SecretBytes, generator: CodeGenerator)] = []
        do {
            try line.withUnsafeBytes { text throws(AuthenticatorLinkError) in
                _ = try AuthenticatorLink.read(text) { found.append((SecretBytes(wiping: &$1), $0.generator)) }
            }
        } catch {
            return nil
        }
        guard found.count == 1, let (key, generator) = found.first,
            case .period(let period) = generator.movement
        else {
            return nil
        }
        (self.key, self.generator, self.period) = (key, generator, Int(period))
    }

    /// The code at a time, in seconds since 1970.
    public func code(at time: Int64) -> String {
        key.withUnsafeBytes { generator.code(at: time, key: $0)?.text ?? "" }
    }
}
