// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What is derived from a login password, and in which form it travels. `latchkey-login` does the same in C.
public enum LoginPassword {
    /// The memory in KiB that a cost may have. This and the two below have to agree with `latchkey-login.c`, which refuses other costs.
    public static let memoryKiB: ClosedRange<UInt32> = 64 * 1024...256 * 1024
    /// The passes that a cost may have.
    public static let iterations: ClosedRange<UInt32> = 5...16
    /// The lanes that a cost may have.
    public static let parallelism: ClosedRange<UInt32> = 1...4

    /// Whether `latchkey-login` derives a key at this cost. A login key of another cost never unlocks.
    public static func takes(_ cost: Argon2Cost) -> Bool {
        memoryKiB.contains(cost.memoryKiB) && iterations.contains(cost.iterations)
            && parallelism.contains(cost.parallelism)
    }

    /// A new salt for Argon2id, 16 bytes.
    public static func salt() -> [UInt8] { KeyDerivation.publicRandom(count: 16) }

    /// The key that Argon2id derives from a login password. Takes as long as the cost says.
    ///
    /// - Returns: 64 hexadecimal digits in lower case.
    /// - Throws: `SecretsError` with `emptyPassphrase` or `outOfMemory`.
    public static func key(from password: SecretBytes, salt: [UInt8], cost: Argon2Cost = .standard) throws
        -> SecretBytes
    {
        guard password.count > 0 else { throw SecretsError(.emptyPassphrase, "the login password is empty") }
        let key = try cost.derive(from: password, salt: salt)
        let digits = Array("0123456789abcdef".utf8)
        let text = SecretBytes(count: 64, in: .keys)
        key.withUnsafeBytes { key in
            text.withUnsafeMutableBytes { text in
                for (index, byte) in key.enumerated() {
                    text[2 * index] = digits[Int(byte >> 4)]
                    text[2 * index + 1] = digits[Int(byte & 15)]
                }
            }
        }
        return text
    }

    /// Reads the 32 bytes of a key; `nil` for anything but 64 hexadecimal digits in lower case.
    public static func bytes(ofKey text: SecretBytes) -> SecretBytes? {
        guard text.count == 64 else { return nil }
        let bytes = SecretBytes(count: 32, in: .keys)
        let isRead = text.withUnsafeBytes { text in
            bytes.withUnsafeMutableBytes { bytes in
                (0..<32).allSatisfy { index in
                    guard let high = digit(text[2 * index]), let low = digit(text[2 * index + 1]) else { return false }
                    bytes[index] = high << 4 | low
                    return true
                }
            }
        }
        return isRead ? bytes : nil
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x61...0x66: character - 0x61 + 10
        default: nil
        }
    }

    /// The text of a salt: hexadecimal digits in lower case.
    public static func text(ofSalt bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The 16 bytes of a salt; `nil` for anything but 32 hexadecimal digits in lower case.
    public static func bytes(ofSalt text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap(digit)
        guard text.utf8.count == 32, digits.count == 32 else { return nil }
        return (0..<16).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }
    }
}
