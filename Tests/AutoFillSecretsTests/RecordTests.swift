// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillSecrets

@Suite struct RecordTests {
    private func sample() -> SecretBytes {
        var record = RecordEncoder()
        record.append(Int64.min)
        record.append("gr\u{fc}\u{df}e")
        record.append(SecretBytes(utf8: "secret"))
        return record.finish()
    }

    private func read(_ payload: SecretBytes) throws -> (Int64, String, SecretBytes) {
        var record = try RecordDecoder(payload)
        let fields = (try record.readNumber(), try record.readText(), try record.readSecret())
        try record.finish()
        return fields
    }

    @Test func readsWhatWasWritten() throws {
        let (number, text, secret) = try read(sample())
        #expect(number == .min)
        #expect(text == "gr\u{fc}\u{df}e")
        #expect(secret == SecretBytes(utf8: "secret"))
    }

    @Test(arguments: [0, 1, 55, 56, 57, 200, 300, 5000, 65536]) func sizesSayLittle(count: Int) throws {
        var record = RecordEncoder()
        record.append(SecretBytes.repeating(1, count: count))
        let payload = record.finish()
        #expect(payload.count % 64 == 0)
        #expect(payload.count - count < 8 + 64)
        var decoder = try RecordDecoder(payload)
        #expect(try decoder.readSecret() == .repeating(1, count: count))
    }

    @Test func everyFlippedBitIsRefusedOrReadsAsOtherFields() throws {
        let original = sample().withUnsafeBytes { Array($0) }
        for bit in 0..<original.count * 8 {
            var damaged = original
            damaged[bit / 8] ^= 1 << (bit % 8)
            do {
                _ = try read(damaged.withUnsafeBytes { SecretBytes(copying: $0) })
            } catch {
                #expect(code(error) == .damaged)
            }
        }
    }

    @Test func refusesWhatIsLeftOver() throws {
        var record = try RecordDecoder(sample())
        _ = try record.readNumber()
        #expect { try record.finish() } throws: { code($0) == .damaged }
    }

    @Test func refusesOneFieldTooMany() throws {
        var record = try RecordDecoder(RecordEncoder().finish())
        #expect { try record.readNumber() } throws: { code($0) == .damaged }
        #expect { try record.readText() } throws: { code($0) == .damaged }
    }

    @Test(arguments: [0, 1, 4, 63, 65]) func refusesASizeThatIsNoBucket(count: Int) {
        #expect { try RecordDecoder(SecretBytes(count: count)) } throws: { code($0) == .damaged }
    }

    @Test func refusesPaddingThatIsNotZeroOrTooLong() {
        var padded = [UInt8](repeating: 0, count: 64)
        padded[63] = 1
        #expect { try RecordDecoder(padded.withUnsafeBytes { SecretBytes(copying: $0) }) } throws: {
            code($0) == .damaged
        }
        #expect { try RecordDecoder(SecretBytes(count: 128)) } throws: { code($0) == .damaged }
    }

    @Test func refusesTextThatIsNoUTF8() throws {
        var record = RecordEncoder()
        record.append(SecretBytes.repeating(0xFF, count: 3))
        var decoder = try RecordDecoder(record.finish())
        #expect { try decoder.readText() } throws: { code($0) == .damaged }
    }
}
