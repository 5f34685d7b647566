// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets

/// The notes of one row: those of the file, and below them a line for each thing that has no place of its own in Latchkey, such as the number
/// of a card or a field that the user has made.
struct ImportNotes {
    private var parts: [SecretBytes]

    init(_ notes: SecretBytes?) {
        parts = notes.map { [$0] } ?? []
    }

    /// All of it; `nil` where there is nothing.
    var bytes: SecretBytes? {
        guard let first = parts.first else { return nil }
        return parts.count == 1 ? first : Self.joined(parts)
    }

    mutating func add(_ name: String, _ text: SecretBytes) {
        parts.append(
            SecretBytes.written { put in
                "\(name): ".utf8.forEach(put)
                text.withUnsafeBytes { $0.forEach(put) }
            })
    }

    /// Adds lines of `name: value`, as Bitwarden writes the fields that the user has made. Tags are among them where Latchkey wrote the file.
    ///
    /// - Returns: `true`: all of it is kept.
    mutating func add(fields: String, _ labels: inout ImportLabels) -> Bool {
        var lines: [Substring] = []
        for line in fields.split(separator: "\n") {
            let tags = line.hasPrefix("tags: ") ? line.dropFirst(6) : nil
            if tags.map({ labels.take(tags: String($0)) }) != true { lines.append(line) }
        }
        if !lines.isEmpty { parts.append(SecretBytes(utf8: lines.joined(separator: "\n"))) }
        return true
    }

    static func joined(_ parts: [SecretBytes]) -> SecretBytes {
        SecretBytes.written { put in
            for (index, part) in parts.enumerated() {
                if index > 0 { put(UInt8(ascii: "\n")) }
                part.withUnsafeBytes { $0.forEach(put) }
            }
        }
    }
}

extension NewItem {
    /// Takes what stands beside the password in another row of the same account.
    ///
    /// - Returns: Whether all of it is here now. Otherwise nothing is changed, and the other row is to be an item of its own.
    mutating func take(from other: NewItem) -> Bool {
        guard password.bytes == other.password.bytes,
            authenticator == nil || other.authenticator == nil || authenticator?.bytes == other.authenticator?.bytes
        else { return false }
        var notes = self.notes
        var more = other.notes.map { [$0.bytes] } ?? []
        if let title, let second = other.title, title != second { more.append(SecretBytes(utf8: "title: \(second)")) }
        more.removeAll { line in notes?.bytes.holdsLines(of: line) == true }
        if !more.isEmpty {
            // Two notes of one name are two notes.
            guard notes == nil || !services.isEmpty else { return false }
            let joined = ImportNotes.joined([notes?.bytes].compactMap(\.self) + more)
            guard joined.count <= ImportPlan.Limit.notes else { return false }
            notes = WireSecret(joined)
        }
        var labels = ImportLabels()
        guard ((tags ?? []) + (other.tags ?? [])).allSatisfy({ labels.take(tag: $0) }) else { return false }
        self.notes = notes
        authenticator = authenticator ?? other.authenticator
        if !labels.tags.isEmpty { tags = labels.tags }
        favorite = favorite ?? other.favorite
        title = title ?? other.title
        return true
    }
}
