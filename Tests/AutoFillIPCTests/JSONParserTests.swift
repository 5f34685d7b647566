// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Testing

@testable import AutoFillIPC

@Suite struct JSONParserTests {
    @Test(arguments: [
        ("null", JSONValue.null), (" true ", .bool(true)), ("\t\n\r false", .bool(false)),
        ("0", .integer(0)), ("-0", .integer(0)), ("-1", .integer(-1)), ("10", .integer(10)),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .number(9_223_372_036_854_775_808)),
        ("0.5", .number(0.5)), ("-0.5", .number(-0.5)), ("1e2", .number(100)), ("1E+2", .number(100)),
        ("1.5e-1", .number(0.15)), ("1.0", .number(1)), ("0e1", .number(0)),
        ("\"\"", .string("")), (#""a\"b\\c\/d""#, .string("a\"b\\c/d")),
        (#""\b\f\n\r\t""#, .string("\u{8}\u{C}\n\r\t")), (#""\u0041\u00e9\u20AC""#, .string("Aé€")),
        (#""\ud83d\ude00""#, .string("😀")), ("\"😀é\u{7F}\u{2028}\"", .string("😀é\u{7F}\u{2028}")),
        (#""\u0000""#, .string("\0")),
        ("[]", .array([])), ("[ 1 , [ ] ]", .array([.integer(1), .array([])])),
        ("{}", .object([:])), (#"{ "a" : 1 , "" : null }"#, .object(["a": .integer(1), "": .null])),
    ])
    func readsWhatRFC8259Allows(text: String, value: JSONValue) throws {
        #expect(try parse(text) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "nulL", "True", "truefalse", "undefined", "NaN", "Infinity", "-Infinity",
        "01", "-01", "00", "01.5", "-.5", ".5", "1.", "1.e5", "1e", "1e+", "1e+-1", "+1", "--1", "-", "0x10", "1_0",
        "1e999", "-1e999", "1 2", "1,", "'a'", "a",
        "\"", "\"a", #""\"#, #""\x""#, #""\u""#, #""\u12""#, #""\u12g4""#, #""\U0041""#,
        #""\ud83d""#, #""\ude00""#, #""\ud83d\u0041""#, #""\ud83d\n""#, #""\ud83dx""#,
        "\"\t\"", "\"\n\"", "\"\u{0}\"", "\"\u{1F}\"",
        "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1;2]", "{", "}", #"{"a"}"#, #"{"a":}"#, #"{"a":1"#,
        #"{"a":1,}"#, #"{,"a":1}"#, #"{a:1}"#, #"{'a':1}"#, #"{1:1}"#, #"{"a" 1}"#, #"{"a":1 "b":2}"#,
        "[] []", "{}x", "/* */ 1", "1 // one", "\u{FEFF}1",
    ])
    func refusesWhatRFC8259DoesNotAllow(text: String) {
        #expect(throws: JSONParser.Failure.self) { try parse(text) }
    }

    @Test(
        arguments: [
            [0x22, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xFF, 0x22], [0xFF], [0xEF, 0xBB, 0xBF, 0x31],
        ] as [[UInt8]])
    func refusesTextThatIsNoUTF8(bytes: [UInt8]) {
        #expect(throws: JSONParser.Failure.self) { try parse(bytes) }
        let secret = Array(#"{"secret":"#.utf8) + bytes + [0x7D]
        #expect(throws: JSONParser.Failure.self) { try parse(secret) }
    }

    @Test(arguments: [#"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"[{"b":{},"b":{}}]"#, #"{"":1,"":1}"#])
    func refusesMemberThatStandsTwice(text: String) {
        #expect(throws: JSONParser.Failure.self) { try parse(text) }
    }

    @Test(arguments: ["[", #"{"a":"#])
    func nestsThirtyTwoDeepAndNoDeeper(opening: String) throws {
        func nested(_ depth: Int) -> String {
            String(repeating: opening, count: depth) + (opening == "[" ? "" : "1")
                + String(repeating: opening == "[" ? "]" : "}", count: depth)
        }
        _ = try parse(nested(32))
        #expect(throws: JSONParser.Failure.self) { try parse(nested(33)) }
        #expect(throws: JSONParser.Failure.self) { try parse(String(repeating: opening, count: 100_000)) }
    }

    @Test func numbersOfMoreThanFortyCharactersAreRefused() throws {
        _ = try parse(String(repeating: "9", count: 40))
        #expect(throws: JSONParser.Failure.self) { try parse(String(repeating: "9", count: 41)) }
        #expect(throws: JSONParser.Failure.self) { try parse("0." + String(repeating: "1", count: 1_000_000)) }
    }

    @Test func failureSaysWhere() {
        #expect(throws: JSONParser.Failure(reason: "no value starts like this", offset: 6)) {
            try parse(#"{"a": ?}"#)
        }
    }

    // MARK: Secrets

    @Test(arguments: [
        (#"{"secret":"correct horse"}"#, "correct horse"), (#"{ "secret" : "" }"#, ""),
        (#"{"secret":"\u0041\"\\\n\ud83d\ude00é"}"#, "A\"\\\n😀é"), (#"{"\u0073ecret":"x"}"#, "x"),
    ])
    func loneSecretIsReadIntoSecretBytes(text: String, secret: String) throws {
        #expect(try parse(text) == .secret(SecretBytes(utf8: secret)))
    }

    @Test(arguments: [
        #"{"secret":"x","a":1}"#, #"{"a":1,"secret":"x"}"#, #"{"secret":"x","secret":"x"}"#, #"{"secret":1}"#,
        #"{"secret":null}"#, #"{"secret":["x"]}"#, #"{"secret":{"secret":"x"}}"#, #"{"secret":"x""#, #"{"secret":"x"#,
        #"{"secret"}"#, #"{"secret":"\ud800"}"#, #"{"secret":"\q"}"#, #"{"secret":"x",}"#,
    ])
    func secretThatIsNoLoneTextIsRefused(text: String) {
        #expect(throws: JSONParser.Failure.self) { try parse(text) }
    }

    @Test func failureOfMessageWithSecretSaysNothingOfIt() {
        #expect(throws: JSONParser.Failure(reason: "a secret stands alone", offset: 19)) {
            try parse(#"{"secret":"canary7","x":1}"#)
        }
    }

    // MARK: Properties

    @Test(arguments: 0..<300 as Range<UInt64>)
    func whatIsPrintedReadsBackTheSame(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = JSONValue.random(depth: 6, using: &generator)
        let text = printed(value)
        let read = try parse(text)
        #expect(read == value)
        #expect(printed(read) == text)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func everyCutOfAMessageIsRefused(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let bytes = Array(printed(.object(["a": .random(depth: 3, using: &generator)])).utf8)
        let cut = Int.random(in: 0..<bytes.count, using: &generator)
        #expect(throws: JSONParser.Failure.self) { try parse(Array(bytes[..<cut])) }
    }
}

extension JSONValue {
    /// A value of any shape that the printer is given.
    static func random(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .integer(Int64(bitPattern: generator.next()))
        case 3: return .integer(Int64.random(in: -10...10, using: &generator))
        case 4:
            let number = Double(bitPattern: generator.next())
            return .number(number.isFinite ? number : 0.5)
        case 5: return .string(text(using: &generator))
        case 6: return .secret(SecretBytes(utf8: text(using: &generator)))
        case 7:
            let count = Int.random(in: 0...4, using: &generator)
            return .array((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
        default:
            var members: [String: JSONValue] = [:]
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                members[text(using: &generator)] = random(depth: depth - 1, using: &generator)
            }
            members["secret"] = nil
            return .object(members)
        }
    }

    private static func text(using generator: inout SeededGenerator) -> String {
        let pool: [Unicode.Scalar] = ["a", "\"", "\\", "/", "\0", "\n", "\u{1F}", "\u{7F}", "é", "\u{301}", "€", "😀"]
        var text = ""
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            text.unicodeScalars.append(pool.randomElement(using: &generator) ?? "x")
        }
        return text
    }
}
