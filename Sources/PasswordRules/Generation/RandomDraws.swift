// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Draws small numbers without bias, four from each word of a generator.
struct RandomDraws<Generator: RandomNumberGenerator> {
    var generator: Generator
    private var word: UInt64 = 0
    private var left = 0

    init(_ generator: Generator) {
        self.generator = generator
    }

    /// A number from 0 up to but not including a bound of at most 65,536.
    ///
    /// A draw of 16 bits times the bound has the number in its upper bits. Each number has as many draws as any other once the
    /// first `65,536 mod bound` of each, which the lower bits tell, are drawn again (Lemire, "Fast Random Integer Generation in an
    /// Interval", 2019).
    mutating func below(_ bound: Int) -> Int {
        let bound = UInt32(truncatingIfNeeded: bound)
        while true {
            if left == 0 {
                word = generator.next()
                left = 4
            }
            let product = UInt32(truncatingIfNeeded: word & 0xFFFF) &* bound
            word >>= 16
            left -= 1
            let rest = product & 0xFFFF
            if rest >= bound || rest >= 65_536 % bound { return Int(product >> 16) }
        }
    }

    /// A number from 0 up to but not including a bound.
    mutating func below(_ bound: Double) -> Double {
        Double.random(in: 0..<bound, using: &generator)
    }
}
