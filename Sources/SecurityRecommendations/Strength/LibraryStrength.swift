// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets
internal import CZxcvbn

/// The estimate of Debian's libzxcvbn, an implementation in C of the first version of zxcvbn.
///
/// It adds up the bits of the cheapest path and counts no orders of patterns, so that it sees through "Winter2019!", which the later
/// definition takes for three patterns in any order; it takes random characters for dearer than that does. Where the two disagree, the
/// lower one is what an attacker needs.
public enum LibraryStrength {
    /// The estimated guesses, at least 1.
    public static func guesses(for password: SecretBytes) -> Double {
        // A C string, in memory that is wiped. What stands behind a zero byte is not looked at, which makes no password stronger.
        let text = SecretBytes(count: min(password.count, 512) + 1)
        text.withUnsafeMutableBytes { copy in
            password.withUnsafeBytes { copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(512))) }
        }
        let bits = text.withUnsafeBytes { bytes in
            ZxcvbnMatch(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), nil, nil)
        }
        return PatternMatch.bound(bits)
    }
}

extension PatternMatch {
    /// Two to the power of some bits; never less than one guess, and finite.
    static func bound(_ bits: Double) -> Double {
        guard bits.isFinite, bits > 0 else { return 1 }
        let whole = min(Int(bits), 1_000)
        var (guesses, part, step) = (power(2, whole), min(bits, 1_000) - Double(whole), 2.0.squareRoot())
        // The fraction bit by bit: roots of two.
        for _ in 0..<20 {
            part *= 2
            if part >= 1 { (guesses, part) = (guesses * step, part - 1) }
            step = step.squareRoot()
        }
        return guesses
    }
}
