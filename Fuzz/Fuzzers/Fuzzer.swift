// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One parser, what has to hold whatever it is given, and what to begin with.
struct Fuzzer: Sendable {
    let name: String
    /// Traps when something does not hold.
    let run: @Sendable (UnsafeRawBufferPointer) -> Void
    /// Files that the parser accepts, made by the program itself.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Words that random changes would not find.
    let words: [String]

    init(
        _ name: String, words: [String] = [], seeds: @escaping @Sendable () throws -> [[UInt8]],
        run: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) {
        self.name = name
        self.words = words
        self.seeds = seeds
        self.run = run
    }

    /// Traps on a word that it has to find, step by step: when this one finds nothing, no other finding nothing means
    /// anything.
    static let canary = Fuzzer(
        "canary", seeds: { [Array("latch".utf8)] },
        run: { bytes in
            guard bytes.count >= 3, bytes[0] == UInt8(ascii: "k") else { return }
            guard bytes[1] == UInt8(ascii: "e") else { return }
            precondition(bytes[2] != UInt8(ascii: "y"), "the canary")
        })
}

/// A folder for parsers of files, in memory where that is possible, because they write before they read.
enum Workbench {
    static let folder: String = {
        let place = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
        let path = "\(place)/latchkey-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: Workbench.folder) }
        return path
    }()

    /// An empty folder; what was in it is gone.
    static func clear() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            try? FileManager.default.removeItem(atPath: folder + "/" + name)
        }
    }

    @discardableResult static func write(_ bytes: some Sequence<UInt8>, to name: String) -> String {
        let path = folder + "/" + name
        _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        return path
    }

    static func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
    }
}
