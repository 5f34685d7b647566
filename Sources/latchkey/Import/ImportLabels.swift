// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The labels of one row of a file: whether it is a favorite, and its tags. Each `take` says whether all of a column's text is kept.
struct ImportLabels {
    private(set) var isFavorite = false
    private(set) var tags: [String] = []

    var isEmpty: Bool { !isFavorite && tags.isEmpty }

    /// What a provider takes; section 6 of `docs/protocol.md`.
    private static let limit = (tags: 32, bytes: 128)

    mutating func take(favorite text: String) -> Bool {
        switch Self.trimmed(text).lowercased() {
        case "1", "true", "yes": isFavorite = true
        case "", "0", "false", "no": break
        default: return false
        }
        return true
    }

    /// Takes one name, in which a comma becomes a space: tags are listed with commas between them.
    mutating func take(tag text: String) -> Bool {
        let tag = text.split { $0 == "," || $0.isWhitespace }.joined(separator: " ")
        guard !tag.isEmpty else { return true }
        guard !tags.contains(where: { $0.lowercased() == tag.lowercased() }) else { return true }
        guard tags.count < Self.limit.tags, tag.utf8.count <= Self.limit.bytes,
            !tag.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return false }
        tags.append(tag)
        return true
    }

    mutating func take(tags text: String) -> Bool {
        var isWhole = true
        for tag in text.split(whereSeparator: { $0 == "," || $0 == ";" }) where !take(tag: String(tag)) {
            isWhole = false
        }
        return isWhole
    }

    /// Takes a path without its topmost folder.
    mutating func takeFolder(_ path: String) -> Bool {
        guard let slash = path.firstIndex(of: "/") else { return true }
        return take(tag: String(path[path.index(after: slash)...]))
    }

    private static func trimmed(_ text: String) -> Substring {
        var text = Substring(text)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
