// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// MD4 (RFC 1320), for lists of NTLM hashes and for nothing else: it is broken, and no library that is used here has it.
enum MD4 {
    static func hash(_ message: [UInt8]) -> [UInt8] {
        // 3.1 and 3.2: one bit, zeros up to 56 bytes of a block, and the length in bits.
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        let bits = UInt64(message.count) &* 8
        padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
        // 3.3
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        // 3.4
        for start in stride(from: 0, to: padded.count, by: 64) {
            let words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 | UInt32(padded[start + word * 4 + $1]) << (8 * UInt32($1)) }
            }
            state = zip(state, rounds(state, words)).map { $0 &+ $1 }
        }
        // 3.5
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }
    }

    private static func rounds(_ state: [UInt32], _ words: [UInt32]) -> [UInt32] {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        func turn(_ mixed: UInt32, _ word: Int, _ shift: UInt32, _ constant: UInt32) {
            let sum = a &+ mixed &+ words[word] &+ constant
            (a, b, c, d) = (d, sum << shift | sum >> (32 - shift), b, c)
        }
        for step in 0..<16 { turn((b & c) | (~b & d), step, [3, 7, 11, 19][step % 4], 0) }
        for step in 0..<16 {
            turn((b & c) | (b & d) | (c & d), step % 4 * 4 + step / 4, [3, 5, 9, 13][step % 4], 0x5A82_7999)
        }
        let order = [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15]
        for step in 0..<16 { turn(b ^ c ^ d, order[step], [3, 9, 11, 15][step % 4], 0x6ED9_EBA1) }
        return [a, b, c, d]
    }
}
