// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Foundation
import Testing

@testable import SecurityRecommendations

/// A folder for one test, gone with it.
final class Scratch {
    let path = NSTemporaryDirectory() + "breaches-" + UUID().uuidString

    init() {
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ text: String, as name: String = "list") -> String {
        _ = FileManager.default.createFile(atPath: path + "/" + name, contents: Data(text.utf8))
        return path + "/" + name
    }
}

@Suite struct BreachTests {
    private static func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02X", $0) }.joined() }

    /// The lines of a list of so many passwords, sorted.
    private static func lines(_ kind: HashKind, _ count: Int) -> [String] {
        (0..<count).map { hex(kind.hash(SecretBytes(utf8: "password-\($0)"))) + ":\($0 + 1)" }.sorted()
    }

    @Test(arguments: [
        ("", "31d6cfe0d16ae931b73c59d7e0c089c0"), ("a", "bde52cb31de33e46245e05fbdbd6fb24"),
        ("abc", "a448017aaf21d8525fc10ae87aa6729d"), ("message digest", "d9130a8164549fe818874806e1c7014b"),
        ("abcdefghijklmnopqrstuvwxyz", "d79e1c308aa5bbcdeea8ed63df412da9"),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "e33b4ddc9c38f2199c3e7b164fcc0536"
        ),
    ])
    func hashesByRFC1320(text: String, digest: String) {
        #expect(Self.hex(MD4.hash(Array(text.utf8))).lowercased() == digest)
    }

    @Test func hashesAsWindowsDoes() {
        #expect(Self.hex(HashKind.ntlm.hash(SecretBytes(utf8: "password"))) == "8846F7EAEE8FB117AD06BDD830B7586C")
        #expect(
            Self.hex(HashKind.sha1.hash(SecretBytes(utf8: "password"))) == "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8")
    }

    @Test(arguments: HashKind.allCases, ["\n", "\r\n"])
    func findsEveryLineAndNoOther(kind: HashKind, end: String) throws {
        for count in [1, 2, 3, 100, 257] {
            let scratch = Scratch()
            let text = Self.lines(kind, count).joined(separator: end)
            // With a line end at the end and without one.
            for text in [text, text + end] {
                let file = try BreachFile(path: scratch.write(text))
                #expect(file.kind == kind)
                for number in 0..<count {
                    #expect(try file.count(of: kind.hash(SecretBytes(utf8: "password-\(number)"))) == number + 1)
                }
                for number in count..<(count + 50) {
                    #expect(try file.count(of: kind.hash(SecretBytes(utf8: "password-\(number)"))) == 0)
                }
            }
        }
    }

    @Test(arguments: ["", "\n", "hello\n", "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8\n", "5BAA:1\n", ":1\n", "<html>"])
    func refusesOtherFiles(text: String) {
        let path = Scratch()
        #expect(throws: BreachError.self) { try BreachFile(path: path.write(text)) }
    }

    @Test func refusesWhatIsNoFile() {
        let scratch = Scratch()
        #expect(throws: BreachError.self) { try BreachFile(path: scratch.path) }
        #expect(throws: BreachError.self) { try BreachFile(path: scratch.path + "/none") }
    }

    @Test func noticesLinesThatDoNotRise() throws {
        let scratch = Scratch()
        let file = try BreachFile(path: scratch.write(Self.lines(.sha1, 300).reversed().joined(separator: "\n")))
        var refused = 0
        for number in 0..<300 {
            do throws(BreachError) {
                _ = try file.count(of: HashKind.sha1.hash(SecretBytes(utf8: "password-\(number)")))
            } catch {
                #expect(error.code == .unsorted)
                refused += 1
            }
        }
        #expect(refused > 250)
    }

    @Test func noticesTornAndEndlessLines() throws {
        let scratch = Scratch()
        let lines = Self.lines(.sha1, 64)
        for broken in [String(repeating: "A", count: 5_000), "torn", lines[32].lowercased().prefix(30) + ""] {
            let text = (lines[..<32] + [broken] + lines[32...]).joined(separator: "\n")
            let file = try BreachFile(path: scratch.write(text))
            var failures = 0
            for number in 0..<64 {
                do {
                    _ = try file.count(of: HashKind.sha1.hash(SecretBytes(utf8: "password-\(number)")))
                } catch {
                    failures += 1
                }
            }
            #expect(failures > 0)
        }
    }

    @Test func survivesAFileThatIsCutShort() throws {
        let scratch = Scratch()
        let path = scratch.write(Self.lines(.sha1, 1_000).joined(separator: "\n"))
        let file = try BreachFile(path: path)
        #expect(truncate(path, 100) == 0)
        for number in 0..<100 {
            _ = try? file.count(of: HashKind.sha1.hash(SecretBytes(utf8: "password-\(number)")))
        }
    }

    @Test func readsRangesOfAFolder() throws {
        let scratch = Scratch()
        _ = scratch.write(
            "1E4C9B93F3F0682250B6CF8331B7EE68FD8:3861493\r\n003D68EB55068C33ACE09247EE4C639306B:0\r\n", as: "5BAA6")
        let source = try BreachSource(path: scratch.path)
        #expect(try source.count(of: SecretBytes(utf8: "password")) == 3_861_493)
        #expect(throws: BreachError.self) { try source.count(of: SecretBytes(utf8: "another")) }
    }

    @Test func tellsFiveDigitsAndNoMore() {
        #expect(BreachRange.prefix(of: SecretBytes(utf8: "password")) == "5BAA6")
        #expect(BreachRange.isPrefix("5BAA6"))
        for text in ["5baa6", "5BAA", "5BAA61", "../..", "5BAAG", ""] { #expect(!BreachRange.isPrefix(text)) }
    }

    @Test func leavesPaddingOut() throws {
        let padded = "1E4C9B93F3F0682250B6CF8331B7EE68FD8:0\n"
        #expect(try #require(BreachRange(Array(padded.utf8))).count(of: SecretBytes(utf8: "password")) == 0)
        #expect(BreachRange(Array("<html></html>".utf8)) == nil)
    }
}
