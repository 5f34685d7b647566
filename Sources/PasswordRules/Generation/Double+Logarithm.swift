// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Double {
    /// The logarithm to the base of two, of a number above zero: its bits, found one by one by squaring, so that no C library is
    /// needed.
    var binaryLogarithm: Double {
        guard self > 0, isFinite else { return self == 0 ? -.infinity : .nan }
        var logarithm = Double(exponent)
        var rest = significand
        var bit = 0.5
        for _ in 0..<50 {
            rest *= rest
            if rest >= 2 {
                rest /= 2
                logarithm += bit
            }
            bit /= 2
        }
        return logarithm
    }
}
