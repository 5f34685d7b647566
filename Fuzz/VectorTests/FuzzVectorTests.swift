// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Runs every fuzzer once over its seeds, over what fuzzing found before, and over damaged copies of both.
///
/// A fuzzer traps when a property does not hold, so a failure ends this process: the last line printed names the fuzzer.
/// The suite is serialized because some fuzzers share one folder of files.
@Suite(.serialized) struct FuzzVectorTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let finds = root.appendingPathComponent("Tests/Vectors/fuzz")

    @Test func listsEveryFuzzerOnce() {
        #expect(Fuzzers.all.count >= 27)
        #expect(Set(Fuzzers.all.map(\.name)).count == Fuzzers.all.count)
    }

    @Test(arguments: Fuzzers.all.map(\.name))
    func holdsForSeedsAndFinds(name: String) throws {
        let fuzzer = try #require(Fuzzers.all.first { $0.name == name })
        let seeds = try Seeds(page: Self.root.appendingPathComponent("docs/protocol.md").path)
        for input in try seeds.files(for: fuzzer) + Self.finds(of: name) {
            input.withUnsafeBytes(fuzzer.run)
            for damaged in Damage.copies(of: input) { damaged.withUnsafeBytes(fuzzer.run) }
        }
    }

    @Test func everyFindBelongsToAFuzzer() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.finds.path)
        #expect(!names.isEmpty)
        for name in names {
            #expect(Fuzzers.all.contains { $0.name == name })
            #expect(try !Self.finds(of: name).isEmpty)
        }
    }

    private static func finds(of name: String) throws -> [[UInt8]] {
        let folder = finds.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).map {
            Array(try Data(contentsOf: $0))
        }
    }
}

/// Damaged copies of an input: cut off, with one bit turned, with a part doubled. The same ones on every run.
private enum Damage {
    static func copies(of input: [UInt8]) -> [[UInt8]] {
        guard !input.isEmpty else { return [[0]] }
        let places = stride(from: 0, to: input.count, by: max(1, input.count / 8))
        return places.flatMap { place -> [[UInt8]] in
            var turned = input
            turned[place] ^= 1 << UInt8(place % 8)
            return [Array(input[..<place]), turned, input + input[place...]]
        }
    }
}
