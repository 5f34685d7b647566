// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The kernel's randomness, fetched for many draws at once: a system call for each of them takes longer than the rest of a password.
///
/// What was handed out is overwritten, so that nothing that is left over tells of an earlier password.
final class BatchedRandomness: RandomNumberGenerator {
    private static let size = 512

    private var words = [UInt64](repeating: 0, count: BatchedRandomness.size)
    private var left = 0

    func next() -> UInt64 {
        if left == 0 { fill() }
        left -= 1
        defer { words[left] = 0 }
        return words[left]
    }

    private func fill() {
        let status = words.withUnsafeMutableBytes { latchkey_random($0.baseAddress, $0.count) }
        // Without randomness there is no password, and nobody to ask for it in another way.
        guard status == 0 else { fatalError("The kernel gives no random numbers (\(status)).") }
        left = Self.size
    }
}
