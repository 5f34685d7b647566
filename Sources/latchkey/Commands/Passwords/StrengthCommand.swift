// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillSecrets
import SecurityRecommendations
import TerminalRendering

/// `latchkey strength`
struct StrengthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "strength",
        abstract: "Estimate how many guesses passwords take, one a line of standard input.",
        discussion: """
            The estimate is zxcvbn's: guesses, its score from 0 to 4, and the patterns that the cheapest way to guess the \
            password is made of. Nothing of the password is printed.
            """)

    @Flag(help: "Print one object {guesses, score, patterns} a line as JSON.") var json = false

    func run() throws {
        var bytes: [UInt8] = []
        // Who writes a line and waits for its answer gets it, and what is answered is not lost to a line that cannot be read.
        func flush() {
            Output.bytes(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        defer { flush() }
        // Not through `readLine`, whose strings cannot be wiped.
        var reader = SecretLines()
        while let line = try reader.next(waiting: flush) {
            let strength = PasswordStrength(of: line)
            if json {
                Self.json(strength).append(to: &bytes)
            } else {
                let patterns = strength.patterns.map(\.rawValue).joined(separator: " ")
                bytes += Array("\(strength.score)\t\(Self.number(strength.guesses))\t\(patterns)\n".utf8)
            }
            if bytes.count >= 1 << 16 { flush() }
        }
    }

    static func json(_ strength: PasswordStrength) -> JSONText {
        .object([
            ("guesses", .number(strength.guesses)), ("score", .integer(Int64(strength.score))),
            ("patterns", .strings(strength.patterns.map(\.rawValue))),
        ])
    }

    /// Whole as far as a double has whole numbers, rounded up to the next guess.
    static func number(_ guesses: Double) -> String {
        let whole = guesses.rounded(.up)
        return whole < 9e15 ? String(Int64(whole)) : String(guesses)
    }
}
