// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import SecurityRecommendations
import TerminalRendering

/// Looks at a passphrase before everything is sealed under it.
enum NewPassphrase {
    /// NIST SP 800-63B, 5.1.1.1: a secret that people remember has at least eight characters.
    static let leastCount = 8

    /// Reads one. What is refused is refused before the terminal asks for it again.
    ///
    /// - Parameter option: The option that names its file.
    static func read(_ source: SecretSource, option: String) throws(CommandFailure) -> SecretBytes {
        try source.read("New passphrase", option: option, isNew: true) { secret throws(CommandFailure) in
            try check(secret)
        }
    }

    /// Throws for a passphrase that is too short, and warns of one that is guessed soon. Says nothing of what it is.
    static func check(_ passphrase: SecretBytes, warn: (String) -> Void = Output.note) throws(CommandFailure) {
        // Characters, as far as they are told by UTF-8: each has one byte that continues no other.
        let count = passphrase.withUnsafeBytes { $0.count { $0 & 0xC0 != 0x80 } }
        guard count >= leastCount else {
            throw CommandFailure(
                .invalidInput, "The passphrase has fewer than \(leastCount) characters.",
                hint: "Six random words are good: `latchkey generate --kind passphrase`.")
        }
        let strength = PasswordStrength(of: passphrase)
        guard strength.score < 3 else { return }
        let guesses = strength.guesses < 1e6 ? "fewer than a million" : "fewer than ten thousand million"
        warn(
            "Someone with your files could guess this passphrase in \(guesses) attempts. `latchkey passphrase` changes it."
        )
    }
}
