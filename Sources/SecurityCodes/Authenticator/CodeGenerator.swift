// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Crypto

/// The hash that the codes of an authenticator are made with.
public enum CodeHash: String, Sendable, Hashable, CaseIterable {
    case sha1 = "SHA1"
    case sha256 = "SHA256"
    case sha512 = "SHA512"
}

/// What the characters of a code are.
public enum CodeAlphabet: Sendable, Hashable {
    /// The number of decimal digits, 6 to 8.
    case digits(Int)
    /// Five of the letters and digits that Steam uses.
    case steam

    /// The characters of Steam's codes, in the order of their values.
    static let steamCharacters = Array("23456789BCDFGHJKMNPQRTVWXY".utf8)
}

/// What a code follows: a counter (HOTP, RFC 4226) or the time (TOTP, RFC 6238).
public enum CodeMovement: Sendable, Hashable {
    /// The value of the counter for the next code. Whoever uses a code stores one more.
    case counter(UInt64)
    /// The length of a time step in seconds, 1 to 3600.
    case period(Int64)
}

/// A code, and how long it holds.
public struct TimedCode: Sendable, Hashable {
    /// What has to be typed.
    public let text: String
    /// How many seconds the code is the current one, from 1 to the period.
    public let secondsLeft: Int64
}

/// Makes the codes of an authenticator out of a key.
///
/// The key is lent for the length of a call and never kept, so that it can stay in whatever memory its owner keeps
/// secrets in.
public struct CodeGenerator: Sendable, Hashable {
    public let hash: CodeHash
    public let alphabet: CodeAlphabet
    public let movement: CodeMovement

    /// Nothing for parameters out of bounds: 6 to 8 digits, periods of 1 to 3600 seconds.
    public init?(hash: CodeHash = .sha1, alphabet: CodeAlphabet = .digits(6), movement: CodeMovement = .period(30)) {
        if case .digits(let count) = alphabet, !(6...8).contains(count) { return nil }
        if case .period(let seconds) = movement, !(1...3600).contains(seconds) { return nil }
        (self.hash, self.alphabet, self.movement) = (hash, alphabet, movement)
    }

    /// The code for a value of the counter (RFC 4226, 5.3).
    public func code(counter: UInt64, key: UnsafeRawBufferPointer) -> String {
        let moving = withUnsafeBytes(of: counter.bigEndian) { Array($0) }
        let symmetric = SymmetricKey(data: key)
        return switch hash {
        case .sha1: truncated(HMAC<Insecure.SHA1>.authenticationCode(for: moving, using: symmetric))
        case .sha256: truncated(HMAC<SHA256>.authenticationCode(for: moving, using: symmetric))
        case .sha512: truncated(HMAC<SHA512>.authenticationCode(for: moving, using: symmetric))
        }
    }

    /// The code at a time in seconds since 1970 (RFC 6238, 4.2), and how long it is the current one; nothing where
    /// codes follow a counter.
    ///
    /// - Parameter skew: How many seconds the clock of whoever checks the code is ahead of `time`; negative if it is
    ///   behind.
    public func code(at time: Int64, skew: Int64 = 0, key: UnsafeRawBufferPointer) -> TimedCode? {
        guard case .period(let period) = movement else { return nil }
        let (sum, overflows) = time.addingReportingOverflow(skew)
        let moment = overflows ? (skew > 0 ? Int64.max : 0) : max(0, sum)
        return TimedCode(
            text: code(counter: UInt64(moment / period), key: key), secondsLeft: period - moment % period)
    }

    /// "DT(String)": the low four bits of the last byte say where 31 bits are taken.
    private func truncated(_ mac: HMAC<some HashFunction>.MAC) -> String {
        mac.withUnsafeBytes { bytes in
            let offset = Int(bytes[bytes.count - 1] & 0xF)
            var number: UInt32 = 0
            for index in offset..<(offset + 4) { number = number << 8 | UInt32(bytes[index]) }
            return text(number & 0x7FFF_FFFF)
        }
    }

    private func text(_ number: UInt32) -> String {
        var number = number
        var characters: [UInt8] = []
        switch alphabet {
        case .digits(let count):
            for _ in 0..<count {
                characters.append(0x30 + UInt8(number % 10))
                number /= 10
            }
            characters.reverse()
        case .steam:
            let letters = CodeAlphabet.steamCharacters
            for _ in 0..<5 {
                characters.append(letters[Int(number % UInt32(letters.count))])
                number /= UInt32(letters.count)
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
