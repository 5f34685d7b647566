// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import SecurityCodes
import Testing

/// The codes of the standards.
@Suite struct CodeGeneratorTests {
    /// "12345678901234567890…", as long as the hash is.
    private static func key(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(0x30 + ($0 + 1) % 10) } }

    /// RFC 4226, appendix D.
    @Test(
        arguments: zip(
            UInt64(0)...9,
            ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]))
    func givesTheCodesOfCounters(counter: UInt64, code: String) throws {
        let generator = try #require(CodeGenerator(movement: .counter(counter)))
        #expect(Self.key(20).withUnsafeBytes { generator.code(counter: counter, key: $0) } == code)
        #expect(Self.key(20).withUnsafeBytes { generator.code(at: 59, key: $0) } == nil)
    }

    static let times: [(Int64, CodeHash, String)] = [
        (59, .sha1, "94287082"), (59, .sha256, "46119246"), (59, .sha512, "90693936"),
        (1_111_111_109, .sha1, "07081804"), (1_111_111_109, .sha256, "68084774"), (1_111_111_109, .sha512, "25091201"),
        (1_111_111_111, .sha1, "14050471"), (1_111_111_111, .sha256, "67062674"), (1_111_111_111, .sha512, "99943326"),
        (1_234_567_890, .sha1, "89005924"), (1_234_567_890, .sha256, "91819424"), (1_234_567_890, .sha512, "93441116"),
        (2_000_000_000, .sha1, "69279037"), (2_000_000_000, .sha256, "90698825"), (2_000_000_000, .sha512, "38618901"),
        (20_000_000_000, .sha1, "65353130"), (20_000_000_000, .sha256, "77737706"),
        (20_000_000_000, .sha512, "47863826"),
    ]

    /// RFC 6238, appendix B.
    @Test(arguments: times)
    func givesTheCodesOfTimes(time: Int64, hash: CodeHash, code: String) throws {
        let generator = try #require(CodeGenerator(hash: hash, alphabet: .digits(8)))
        let size = hash == .sha1 ? 20 : hash == .sha256 ? 32 : 64
        let timed = try #require(Self.key(size).withUnsafeBytes { generator.code(at: time, key: $0) })
        #expect(timed.text == code)
        #expect(timed.secondsLeft == 30 - time % 30)
    }

    @Test func spellsTheNumberOfTheStandardInSteamsAlphabet() throws {
        // 1284755224, RFC 4226's number for the counter 0, in base 26, the last place first.
        let generator = try #require(CodeGenerator(alphabet: .steam, movement: .counter(0)))
        #expect(Self.key(20).withUnsafeBytes { generator.code(counter: 0, key: $0) } == "GG5F5")
    }

    @Test func countsTheSecondsThatAreLeft() throws {
        let generator = try #require(CodeGenerator(movement: .period(60)))
        let left = [0, 1, 59, 60].map { time in
            Self.key(20).withUnsafeBytes { generator.code(at: time, key: $0)?.secondsLeft }
        }
        #expect(left == [60, 59, 1, 60])
    }

    @Test func movesTheClockByTheSkew() throws {
        let generator = try #require(CodeGenerator(alphabet: .digits(8)))
        let key = Self.key(20)
        key.withUnsafeBytes { key in
            #expect(generator.code(at: 29, skew: 30, key: key)?.text == "94287082")
            #expect(generator.code(at: 89, skew: -30, key: key)?.text == "94287082")
            #expect(generator.code(at: 59, key: key)?.text == "94287082")
            #expect(generator.code(at: .max, skew: .max, key: key) != nil)
            #expect(generator.code(at: .min, skew: .min, key: key) != nil)
        }
    }

    @Test func refusesParametersOutOfBounds() {
        #expect(CodeGenerator(alphabet: .digits(5)) == nil)
        #expect(CodeGenerator(alphabet: .digits(9)) == nil)
        #expect(CodeGenerator(movement: .period(0)) == nil)
        #expect(CodeGenerator(movement: .period(-30)) == nil)
        #expect(CodeGenerator(movement: .period(3601)) == nil)
    }
}
