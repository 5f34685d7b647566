// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillRelease
import Foundation

/// Writes what every fuzzer begins with: a folder of files, and a dictionary of words, for each.
struct Seeds {
    struct Failure: Error {
        let reason: String
    }

    /// The examples of `docs/protocol.md`.
    let examples: [String]
    /// What the page sets in code: names of methods, members and values.
    let words: [String]

    init(page path: String) throws {
        let page = try String(contentsOfFile: path, encoding: .utf8)
        examples = page.split(separator: "\n").filter { $0.hasPrefix("→ ") || $0.hasPrefix("← ") }.map {
            String($0.dropFirst(2))
        }
        guard !examples.isEmpty else { throw Failure(reason: "\(path) has no examples") }
        let code = page.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter {
            $0.offset % 2 == 1
        }
        words = Set(code.flatMap { $0.element.split { !($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") } })
            .map(String.init).filter { $0.utf8.allSatisfy { $0 < 0x80 } && $0.count < 40 }.sorted()
    }

    /// The files that a fuzzer begins with.
    ///
    /// - Throws: `Failure` when there are none.
    func files(for fuzzer: Fuzzer) throws -> [[UInt8]] {
        var seeds = try fuzzer.seeds()
        if Self.readsMessages(fuzzer) {
            seeds += examples.map { text in
                let frame = withUnsafeBytes(of: UInt32(text.utf8.count)) { Array($0) } + Array(text.utf8)
                return fuzzer.name == "stream" ? frame : Array(text.utf8)
            }
        }
        guard !seeds.isEmpty else { throw Failure(reason: "\(fuzzer.name) has no seeds") }
        return seeds
    }

    private static func readsMessages(_ fuzzer: Fuzzer) -> Bool {
        fuzzer.name == "message" || fuzzer.name == "stream"
    }

    func write(to folder: String) throws {
        for fuzzer in Fuzzers.all + [.canary] {
            let place = "\(folder)/\(fuzzer.name)"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            let seeds = try files(for: fuzzer)
            let words = fuzzer.words + (Self.readsMessages(fuzzer) ? self.words : [])
            for (number, seed) in seeds.enumerated() {
                try Data(seed).write(to: URL(fileURLWithPath: "\(place)/\(number)"))
            }
            // Every byte as libFuzzer's `\xNN`; a dictionary without words is one that it refuses.
            let dictionary = (words + ["\u{0}"]).map { word in
                "\"" + word.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\"\n"
            }
            try Data(dictionary.joined().utf8).write(to: URL(fileURLWithPath: place + ".dict"))
        }
    }
}
