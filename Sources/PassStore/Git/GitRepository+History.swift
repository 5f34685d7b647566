// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// An entry's file as it was at some time.
public struct PastFile: Sendable {
    /// When it was committed, in seconds since 1970.
    public let since: Int64
    /// Its encrypted bytes; nothing where the commit took it away.
    public let bytes: [UInt8]?
}

/// An entry that a commit took away.
public struct RemovedEntry: Hashable, Sendable {
    /// Its name.
    public let name: EntryName
    /// When, in seconds since 1970.
    public let removed: Int64

    /// A removed entry with all its members.
    public init(name: EntryName, removed: Int64) {
        self.name = name
        self.removed = removed
    }
}

extension GitRepository {
    /// So many commits are looked at.
    static let commitLimit = 1000

    /// What a file was before, the last one first; renamings are not followed.
    public func history(of name: EntryName, limit: Int = 50) async throws(PassStoreError) -> [PastFile] {
        var files: [PastFile] = []
        for (time, commit) in try await commits(of: name, limit: limit) {
            files.append(PastFile(since: time, bytes: try await file(name, at: commit)))
        }
        return files
    }

    /// What a file was before the last commit that took it away; nothing when none did.
    public func lastBeforeRemoval(of name: EntryName) async throws(PassStoreError) -> [UInt8]? {
        for (_, commit) in try await commits(of: name, limit: 1) {
            guard try await file(name, at: commit) == nil else { return nil }
            return try await file(name, at: commit + "^")
        }
        return nil
    }

    /// The entries that commits took away, the last one first, each once. Some may be there again.
    public func removed() async throws(PassStoreError) -> [RemovedEntry] {
        guard try await head() != nil else { return [] }
        let end = try await run([
            "log", "-z", "--no-show-signature", "--no-renames", "--no-ext-diff", "--no-textconv", "--diff-filter=D",
            "--name-only", "--format=%x01%ct", "--max-count=\(Self.commitLimit)",
        ])
        var seen: Set<EntryName> = []
        var removed: [RemovedEntry] = []
        var time: Int64 = 0
        for word in Self.text(end).split(whereSeparator: { $0 == "\0" || $0 == "\n" }) {
            if word.first == "\u{1}" {
                time = Int64(word.dropFirst()) ?? 0
            } else if let name = name(at: word), seen.insert(name).inserted {
                removed.append(RemovedEntry(name: name, removed: time))
            }
        }
        return removed
    }

    /// The commits that changed a file, the last one first. Names go in through standard input, not as arguments.
    private func commits(of name: EntryName, limit: Int) async throws(PassStoreError) -> [(Int64, String)] {
        guard try await head() != nil else { return [] }
        let end = try await run(
            ["rev-list", "--timestamp", "--max-count=\(limit)", "--stdin"],
            Array("HEAD\n--\n\(path(of: name))\n".utf8)
        )
        return Self.text(end).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let time = Int64(words[0]) else { return nil }
            return (time, String(words[1]))
        }
    }

    private func file(_ name: EntryName, at commit: String) async throws(PassStoreError) -> [UInt8]? {
        let end = try await run(["cat-file", "--batch"], Array("\(commit):\(path(of: name))\n".utf8))
        let bytes = end.output.withUnsafeBytes { Array($0) }
        // `OBJECT blob SIZE`, a line end, the bytes, a line end; or a line that says what is missing.
        guard let lineEnd = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let words = String(decoding: bytes[..<lineEnd], as: UTF8.self).split(separator: " ")
        guard words.count == 3, words[1] == "blob", let size = Int(words[2]), size == bytes.count - lineEnd - 2,
            size <= StoreFolder.fileLimit
        else { return nil }
        return Array(bytes[(lineEnd + 1)..<(bytes.count - 1)])
    }
}
