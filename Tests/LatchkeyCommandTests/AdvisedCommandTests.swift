// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import Foundation
import Testing

@testable import latchkey

/// Every command of ours that a program, the extension or a page of the documentation names can be typed as it stands there. What the
/// advice does where it is given is tested in `Tests/Processes/test_advice.py`.
@Suite struct AdvisedCommandTests {
    private static let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(3).joined(separator: "/")
        .replacingOccurrences(of: "//", with: "/")

    /// A command as it stands in a file, with `sample` for each interpolated value.
    struct Advised: Hashable, CustomStringConvertible {
        let command: String
        let file: String
        var description: String { "\(command) (\(file))" }
    }

    private static func commands(in folder: String, _ endings: [String], _ patterns: [String]) throws -> Set<Advised> {
        let files = try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder)
        return try commands(
            in: files.filter { endings.contains(where: $0.hasSuffix) }.map { folder + "/" + $0 }, patterns)
    }

    private static func commands(in files: [String], _ patterns: [String]) throws -> Set<Advised> {
        var found: Set<Advised> = []
        for file in files {
            let text = readable(try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8))
            for pattern in patterns {
                let expression = try NSRegularExpression(pattern: pattern)
                for match in expression.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
                    guard let range = Range(match.range(at: 1), in: text) else { continue }
                    found.insert(Advised(command: String(text[range]), file: file))
                }
            }
        }
        return found
    }

    /// A source without its comments, with each text on one line and `sample` in the place of each interpolated value.
    private static func readable(_ source: String) -> String {
        let lines = source.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        var text = lines.joined(separator: "\n")
        for (pattern, replacement) in [(#"\\\n\s*"#, ""), (#""\s*\n\s*\+ ""#, ""), (#"\n"#, " ")] {
            text = text.replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
        }
        while let start = text.range(of: "\\(") {
            var depth = 1
            var end = start.upperBound
            while depth > 0, end < text.endIndex {
                depth += text[end] == "(" ? 1 : text[end] == ")" ? -1 : 0
                end = text.index(after: end)
            }
            // What is joined to a word is a part that may be left out.
            let isWord = start.lowerBound > text.startIndex && text[text.index(before: start.lowerBound)] == " "
            text.replaceSubrange(start.lowerBound..<end, with: isWord ? "sample" : "")
        }
        return text
    }

    /// Why the parser does not take a command; `nil` if it does. A command that is named without its arguments is one.
    private func fault(_ command: String) -> String? {
        let words = command.split(separator: " ").map { $0.trimmingCharacters(in: ["'"]) }
        do {
            _ = try Latchkey.parseAsRoot(Array(words.dropFirst()))
            return nil
        } catch {
            let message = Latchkey.message(for: error)
            if Latchkey.exitCode(for: error) == .success { return nil }
            if message.hasPrefix("Missing") || message.hasPrefix("Name at least one") { return nil }
            if command.contains("sample"), message.contains("is invalid for") { return nil }
            return message
        }
    }

    @Test func everyAdvisedCommandIsOne() throws {
        let inPrograms = try Self.commands(in: "Sources", [".swift"], ["`(latchkey [^`]*)`"])
        let inExtension = try Self.commands(
            in: "BrowserExtension", [".js", ".html"], ["“(latchkey [^”]*)”", "<code[^>]*>(latchkey [^<]*)</code>"])
        let forPeople = try ["README.md", "docs/guide.md"].map {
            try Self.commands(in: [$0], ["`(latchkey [^`]*)`", "(?m)^    (latchkey .*?)(?: +#.*)?$"])
        }
        // A pattern that finds nothing would look like success.
        #expect(inPrograms.count > 60 && inExtension.count > 5 && forPeople.allSatisfy { $0.count > 15 })
        for advised in forPeople.reduce(inPrograms.union(inExtension), { $0.union($1) }).sorted(by: {
            $0.description < $1.description
        }) {
            if let fault = fault(advised.command) { Issue.record("\(advised): \(fault)") }
        }
        #expect(fault(OlderNotice(older: .init(changes: 1)).command) == nil)
    }

    @Test(arguments: [
        "latchkey ini", "latchkey init --fast", "latchkey consents take-bak", "latchkey restore FILE --replce",
    ])
    func whatIsNoCommandIsFound(command: String) {
        #expect(fault(command) != nil)
    }
}
