// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Foundation
import Testing

@testable import SecurityRecommendations

/// What the package of PyPI says of one password.
struct StrengthVector: Sendable, CustomTestStringConvertible {
    let password: String
    let guesses: Double
    let score: Int
    let patterns: [String]

    var testDescription: String { password }

    static let all: [StrengthVector] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Vectors/strength/zxcvbn.tsv")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 4, let guesses = Double(fields[1]), let score = Int(fields[2]),
                let password = try? JSONDecoder().decode(String.self, from: Data(fields[0].utf8))
            else { return nil }
            let patterns = fields[3].split(separator: ",").map(String.init)
            return StrengthVector(password: password, guesses: guesses, score: score, patterns: patterns)
        }
    }()
}

@Suite struct PasswordStrengthTests {
    @Test func hasVectors() {
        #expect(StrengthVector.all.count > 250)
    }

    @Test(arguments: StrengthVector.all)
    func agreesWithZxcvbn(vector: StrengthVector) {
        let strength = PasswordStrength(of: SecretBytes(utf8: vector.password))
        #expect(abs(strength.guesses - vector.guesses) <= 1e-9 * vector.guesses)
        #expect(strength.score == vector.score)
        #expect(strength.patterns.map(\.rawValue) == vector.patterns)
    }

    /// 10^22 + 1 guesses are fewer than 10^22 + 10000, though both are one double.
    @Test func tellsSequencesApartThatADoubleDoesNot() {
        let strength = PasswordStrength(of: SecretBytes(utf8: "a0^b3B'<6 7\\.q-w\"7v443"))
        #expect(strength.patterns == [.bruteforce])
        #expect(strength.guesses == 1e22)
    }

    @Test func knowsTheAccount() {
        let password = SecretBytes(utf8: "rmondello.shiny")
        let words = ["rmondello", "shiny"]
        #expect(PasswordStrength(of: password).score == 4)
        #expect(PasswordStrength(of: password, words: words).guesses < PasswordStrength(of: password).guesses / 1_000)
        #expect(PasswordStrength(of: SecretBytes(utf8: "RMondello1"), words: words).score <= 1)
    }

    @Test func doesNotGrowWithoutEnd() {
        let long = SecretBytes(utf8: String(repeating: "4@8({[<3691!|70$5+%2", count: 200))
        #expect(PasswordStrength(of: long).guesses >= 1)
        #expect(PasswordStrength(of: SecretBytes(copying: UnsafeRawBufferPointer(start: nil, count: 0))).guesses == 1)
    }

    @Test func readsBytesThatAreNoText() {
        var bytes: [UInt8] = [0xFF, 0x00, 0xC3, 0x28, 0x80]
        #expect(PasswordStrength(of: SecretBytes(wiping: &bytes)).guesses > 1)
    }

    @Test(arguments: [("password", 10.0), ("Winter2019!", 1e8), ("", 2.0)])
    func libraryIsAskedToo(password: String, most: Double) {
        #expect((1...most).contains(LibraryStrength.guesses(for: SecretBytes(utf8: password))))
    }

    @Test func libraryKnowsRandomCharacters() {
        #expect(LibraryStrength.guesses(for: SecretBytes(utf8: "kF9#qL2$vX7!mZ4&")) > 1e20)
    }
}
