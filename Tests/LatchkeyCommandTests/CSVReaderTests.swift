// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Testing

@testable import latchkey

@Suite struct CSVReaderTests {
    private func rows(_ text: String) throws -> [[String]] {
        var reader = CSVReader(SecretBytes(utf8: text))
        var rows: [[String]] = []
        while let row = try reader.next() { rows.append(row.fields.map(\.testText)) }
        return rows
    }

    private func lines(_ text: String) throws -> [Int] {
        var reader = CSVReader(SecretBytes(utf8: text))
        var lines: [Int] = []
        while let row = try reader.next() { lines.append(row.line) }
        return lines
    }

    @Test(
        arguments: [
            ("", []), ("a,b", [["a", "b"]]), ("a,b\n", [["a", "b"]]), ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
            ("a\rb", [["a"], ["b"]]), ("a,", [["a", ""]]), (",\n", [["", ""]]), ("\n\n", []), ("a\n\n", [["a"], [""]]),
            ("\"a,b\",c", [["a,b", "c"]]), ("\"a\"\"b\"", [["a\"b"]]), ("\"\"", [[""]]), ("\"\"\"\"", [["\""]]),
            ("\"a\r\nb\nc\rd\",e", [["a\r\nb\nc\rd", "e"]]), ("a\"b,c\"\"d", [["a\"b", "c\"\"d"]]),
            ("  a , b ", [["  a ", " b "]]), ("\" a \"", [[" a "]]),
            // What the SwiftCSV library takes for the end of a row, or for one character with the comma.
            ("a\u{2028}b,c\u{85}d,e\u{0B}f", [["a\u{2028}b", "c\u{85}d", "e\u{0B}f"]]),
            ("a,\u{301}b", [["a", "\u{301}b"]]),
            ("\u{FEFF}a,b", [["a", "b"]]), ("\u{FEFF}\"a\",b", [["a", "b"]]), ("a,\u{FEFF}b", [["a", "\u{FEFF}b"]]),
            ("a;b;c,d\n\"e;f\";g,h;i", [["a", "b", "c,d"], ["e;f", "g,h", "i"]]),
            ("a\tb\n\"c\td\"\te,f", [["a", "b"], ["c\td", "e,f"]]),
            ("\"a;;\",b\nc;d,e", [["a;;", "b"], ["c;d", "e"]]),
            ("пароль,密码,🔑", [["пароль", "密码", "🔑"]]), ("a\0b", [["a\0b"]]),
        ] as [(String, [[String]])]
    ) func reads(text: String, expected: [[String]]) throws {
        #expect(try rows(text) == expected)
    }

    @Test(arguments: [
        ("\"a", "a quotation mark is never closed", 1), ("a\n\"b\n\nc", "a quotation mark is never closed", 2),
        ("\"a\"b", "something follows a closing quotation mark", 1),
        ("x\n\"a\" ,b", "something follows a closing quotation mark", 2),
        ("\"a\"\"", "a quotation mark is never closed", 1),
    ]) func refuses(text: String, reason: String, line: Int) throws {
        #expect(throws: CSVReader.Failure(reason: reason, line: line)) { try rows(text) }
    }

    @Test func countsLinesInsideQuotes() throws {
        #expect(try lines("h\n\"a\nb\r\nc\rd\"\ne\r\nf") == [1, 2, 6, 7])
    }

    /// Whatever is written by the rules is read back unchanged.
    @Test func readsBackWhatIsWritten() throws {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("ab ,\"\r\n\té🔑;\u{2028}")
        for _ in 0..<500 {
            let width = Int.random(in: 1...4, using: &generator)
            let table = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                (0..<width).map { _ in
                    String(
                        (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                            alphabet.randomElement(using: &generator) ?? "a"
                        }
                    )
                }
            }
            let text = table.map { row in
                row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
            }.joined(separator: Bool.random(using: &generator) ? "\r\n" : "\n")
            #expect(try rows(text) == table)
        }
    }

    /// Bytes that are anything at all give rows or an error, and come to an end.
    @Test func survivesAnything() {
        var generator = SystemRandomNumberGenerator()
        let alphabet: [UInt8] = [0x2C, 0x22, 0x0D, 0x0A, 0x61, 0x00, 0xFF, 0xEF, 0xBB, 0xBF]
        for _ in 0..<2000 {
            var bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            var reader = CSVReader(SecretBytes(wiping: &bytes))
            var count = 0
            while let row = try? reader.next() {
                count += 1
                #expect(!row.fields.isEmpty)
            }
            #expect(count <= 25)
        }
    }
}
