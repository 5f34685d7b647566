// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A malfunction in keys and sealed bytes. Its text never holds a secret.
public struct SecretsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong. New codes may be added, so a `switch` over them needs a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Backing: String {
            case wrongPassphrase, wrongRecoveryCode, malformedRecoveryCode, emptyPassphrase, wrongDeviceKey
            case malformedPIN, wrongPIN, memoryNotLocked, wrongLoginPassword
            case damaged, unsupportedVersion, costOutOfBounds, outOfMemory, file, unsettled
        }

        private let backing: Backing

        /// The passphrase does not open the keyring.
        public static let wrongPassphrase = Code(backing: .wrongPassphrase)
        // swift-format-ignore: DontRepeatTypeInStaticProperties
        /// The recovery code is well formed but is not this keyring's.
        public static let wrongRecoveryCode = Code(backing: .wrongRecoveryCode)
        // swift-format-ignore: DontRepeatTypeInStaticProperties
        /// The text is not a recovery code: a character too many or too few, or one mistyped.
        public static let malformedRecoveryCode = Code(backing: .malformedRecoveryCode)
        /// What was typed cannot be a PIN, or is guessed first.
        public static let malformedPIN = Code(backing: .malformedPIN)
        /// The PIN does not open what was wrapped under it.
        public static let wrongPIN = Code(backing: .wrongPIN)
        /// The key that was derived from the login password does not open the login key.
        public static let wrongLoginPassword = Code(backing: .wrongLoginPassword)
        /// Memory cannot be locked, so that it could reach swap.
        public static let memoryNotLocked = Code(backing: .memoryNotLocked)
        /// A passphrase without a single byte protects nothing.
        public static let emptyPassphrase = Code(backing: .emptyPassphrase)
        /// The device key belongs to another keyring.
        public static let wrongDeviceKey = Code(backing: .wrongDeviceKey)
        /// Bytes that are not what was written, or were sealed under another key or for another place.
        public static let damaged = Code(backing: .damaged)
        /// Written by a newer Latchkey.
        public static let unsupportedVersion = Code(backing: .unsupportedVersion)
        /// A passphrase cost that is too cheap to be safe, or dear enough to exhaust the machine.
        public static let costOutOfBounds = Code(backing: .costOutOfBounds)
        /// There is not enough memory to derive a key from the passphrase.
        public static let outOfMemory = Code(backing: .outOfMemory)
        /// A file could not be read or written.
        public static let file = Code(backing: .file)
        /// The disk failed in the middle of a change, and it is not known which of the two files a crash leaves.
        public static let unsettled = Code(backing: .unsettled)

        public var description: String { backing.rawValue }
    }

    /// What went wrong.
    public let code: Code
    /// One sentence for a person.
    public let reason: String
    /// Where it happened: a path, a member of a format.
    public let context: String?
    /// The system's error number, when `code` is `file` or `unsettled`.
    public let systemError: Int32?

    init(_ code: Code, _ reason: String, context: String? = nil, systemError: Int32? = nil) {
        self.code = code
        self.reason = reason
        self.context = context
        self.systemError = systemError
    }

    public var description: String {
        "\(code): \(reason)" + (context.map { " (\($0))" } ?? "")
    }
}
