// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets
internal import Crypto

/// The key of one-time codes by time (RFC 6238), as an `otpauth://totp/` line holds it.
///
/// Codes by counter (`otpauth://hotp/`) are not understood: each would have to be written back before it is used.
public struct OneTimeCodeSource: Sendable {
    private enum Hash { case sha1, sha256, sha512 }

    private let key: SecretBytes
    private let hash: Hash
    private let digits: Int
    private let period: Int64

    /// Reads a line; nothing when a member of it is missing or out of the bounds of RFC 4226 and RFC 6238.
    public init?(_ line: SecretBytes) {
        let text = line.withUnsafeBytes { Array($0) }
        let prefix = Array("otpauth://totp/".utf8)
        guard text.count <= 2048, text.starts(with: prefix), let mark = text.firstIndex(of: UInt8(ascii: "?")) else {
            return nil
        }
        var (hash, digits, period) = (Hash.sha1, 6, Int64(30))
        var key: SecretBytes?
        for member in text[(mark + 1)...].split(separator: UInt8(ascii: "&")) {
            let parts = member.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = String(decoding: parts[1], as: UTF8.self)
            switch String(decoding: parts[0], as: UTF8.self) {
            case "secret":
                guard key == nil, let bytes = Self.base32(parts[1]) else { return nil }
                key = bytes
            case "algorithm":
                switch value.uppercased() {
                case "SHA1": hash = .sha1
                case "SHA256": hash = .sha256
                case "SHA512": hash = .sha512
                default: return nil
                }
            case "digits":
                guard let number = Int(value), (6...8).contains(number) else { return nil }
                digits = number
            case "period":
                guard let number = Int64(value), (1...3600).contains(number) else { return nil }
                period = number
            default: break
            }
        }
        guard let key else { return nil }
        (self.key, self.hash, self.digits, self.period) = (key, hash, digits, period)
    }

    /// The code at a time, in seconds since 1970.
    public func code(at time: Int64) -> String {
        let counter = withUnsafeBytes(of: UInt64(max(0, time) / period).bigEndian) { Array($0) }
        let mac = key.withUnsafeBytes { bytes -> [UInt8] in
            let key = SymmetricKey(data: bytes)
            return switch hash {
            case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: key))
            case .sha256: Array(HMAC<SHA256>.authenticationCode(for: counter, using: key))
            case .sha512: Array(HMAC<SHA512>.authenticationCode(for: counter, using: key))
            }
        }
        // RFC 4226, 5.3: the low four bits of the last byte say where the 31 bits are.
        let offset = Int(mac[mac.count - 1] & 0xF)
        let number = mac[offset..<(offset + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        var modulus: UInt32 = 1
        for _ in 0..<digits { modulus *= 10 }
        let text = String(number % modulus)
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// RFC 4648, section 6, in either case, padding left out or not.
    private static func base32(_ text: ArraySlice<UInt8>) -> SecretBytes? {
        var bytes: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for character in text.prefix(while: { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "%") }) {
            let upper = (0x61...0x7A).contains(character) ? character & 0xDF : character
            let value: UInt8
            switch upper {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = upper - UInt8(ascii: "A")
            case UInt8(ascii: "2")...UInt8(ascii: "7"): value = upper - UInt8(ascii: "2") + 26
            default: return nil
            }
            bits = bits << 5 | UInt32(value)
            count += 5
            guard count >= 8 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count - 8)))
            count -= 8
            bits &= (1 << UInt32(count)) - 1
        }
        guard (1...256).contains(bytes.count) else { return nil }
        return SecretBytes(wiping: &bytes)
    }
}
