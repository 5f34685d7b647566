// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillSecrets

@Suite struct RecoveryCodeTests {
    private static func text(_ code: RecoveryCode) -> String {
        code.text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    private static func parse(_ text: String) throws -> RecoveryCode {
        try RecoveryCode(parsing: SecretBytes(utf8: text))
    }

    @Test func isSevenGroupsOfFive() {
        let groups = Self.text(.random()).split(separator: "-")
        #expect(groups.count == 7)
        #expect(groups.allSatisfy { $0.count == 5 })
    }

    @Test func readsWhatItPrints() throws {
        for _ in 0..<200 {
            let code = RecoveryCode.random()
            #expect(try Self.parse(Self.text(code)) == code)
        }
    }

    @Test func readsWhatPeopleWrite() throws {
        for _ in 0..<50 {
            let code = RecoveryCode.random()
            let text = Self.text(code)
            let written = [
                text.lowercased(), text.filter { $0 != "-" }, " \(text)\n", text.map { "\($0) " }.joined(),
                String(text.map { $0 == "0" ? "O" : $0 == "1" ? "I" : $0 }),
                String(text.map { $0 == "0" ? "o" : $0 == "1" ? "l" : $0 }),
            ]
            for variant in written { #expect(try Self.parse(variant) == code) }
        }
    }

    @Test func refusesEveryMistypedCharacter() {
        let text = Array(Self.text(.random()))
        for position in text.indices where text[position] != "-" {
            for replacement in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" where replacement != text[position] {
                var mistyped = text
                mistyped[position] = replacement
                #expect { try Self.parse(String(mistyped)) } throws: { code($0) == .malformedRecoveryCode }
            }
        }
    }

    @Test func refusesNeighboursThatChangedPlaces() {
        for _ in 0..<20 {
            var text = Array(Self.text(.random()).filter { $0 != "-" })
            for position in 0..<text.count - 1 where text[position] != text[position + 1] {
                text.swapAt(position, position + 1)
                #expect { try Self.parse(String(text)) } throws: { code($0) == .malformedRecoveryCode }
                text.swapAt(position, position + 1)
            }
        }
    }

    @Test(arguments: [
        "", "-", "U", "0", "é", "\0", String(repeating: "0", count: 34), String(repeating: "0", count: 36),
    ])
    func refusesWhatIsNoCode(text: String) {
        #expect { try Self.parse(text) } throws: { code($0) == .malformedRecoveryCode }
    }

    @Test func refusesOneCharacterMoreOrLess() {
        let text = Self.text(.random())
        #expect { try Self.parse(text + "0") } throws: { code($0) == .malformedRecoveryCode }
        #expect { try Self.parse(String(text.dropLast())) } throws: { code($0) == .malformedRecoveryCode }
        #expect { try Self.parse(String(text.dropLast()) + "U") } throws: { code($0) == .malformedRecoveryCode }
    }
}
