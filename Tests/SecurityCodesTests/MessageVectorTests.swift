// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecurityCodes
import Testing

/// Messages in more than sixty languages, and how many of them are read right.
///
/// `Tests/Vectors/messages` has two sets of two halves. The heuristics were written with the known halves in view; of
/// those that were held out, nothing but the score is looked at, so this test does not say which messages of them are
/// read wrong.
@Suite struct MessageVectorTests {
    struct Vector {
        let language: Substring
        let expected: Substring
        let message: String
    }

    static func vectors(_ name: String) throws -> [Vector] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: folder.appendingPathComponent("Vectors/messages/\(name)"), encoding: .utf8)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let parts = line.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false)
            return Vector(
                language: parts[0], expected: parts[1], message: parts[2].replacingOccurrences(of: "\\n", with: "\n"))
        }
    }

    private static func read(_ message: String) -> String {
        guard let code = SecurityCodeReading(message).code else { return "-" }
        return code.text + (code.boundTo.map { "@\($0)" } ?? "") + (code.embedded.map { "%\($0)" } ?? "")
    }

    private static func score(_ name: String) throws -> (share: Double, falseCodes: Int, wrong: [String]) {
        let vectors = try vectors(name)
        var (falseCodes, wrong): (Int, [String]) = (0, [])
        for vector in vectors {
            let found = read(vector.message)
            guard found != vector.expected else { continue }
            if vector.expected == "-" { falseCodes += 1 }
            wrong.append("\(vector.language), not \(vector.expected) but \(found): \(vector.message)")
        }
        let without = vectors.count { $0.expected == "-" }
        #expect(vectors.count >= 300, "too few messages in \(name)")
        #expect(without * 3 >= vectors.count, "too few messages without a code in \(name)")
        #expect(Set(vectors.map(\.language)).count >= 24, "too few languages in \(name)")
        let share = Double(vectors.count - wrong.count) / Double(vectors.count)
        print(
            "\(name): \(vectors.count - wrong.count) of \(vectors.count) messages right (\(Int(share * 1000)) per mille),"
                + " \(falseCodes) false codes in \(without) messages without one")
        return (share, falseCodes, wrong)
    }

    @Test func readsTheKnownHalf() throws {
        let (share, falseCodes, wrong) = try Self.score("known.txt")
        #expect(share >= 0.99, "\(wrong.joined(separator: "\n"))")
        #expect(falseCodes <= 1)
    }

    @Test func readsTheHalfThatIsKeptAside() throws {
        let (share, falseCodes, _) = try Self.score("held-out.txt")
        #expect(share >= 0.97)
        #expect(falseCodes <= 4)
    }

    @Test func readsWhatServicesSend() throws {
        let (share, falseCodes, wrong) = try Self.score("services-known.txt")
        #expect(share >= 0.98, "\(wrong.joined(separator: "\n"))")
        #expect(falseCodes <= 6)
    }

    @Test func readsWhatServicesSendAndNobodyLookedAt() throws {
        let (share, falseCodes, _) = try Self.score("services-held-out.txt")
        #expect(share >= 0.97)
        #expect(falseCodes <= 4)
    }
}
