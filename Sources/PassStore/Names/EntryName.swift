// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// The name of an entry: its path below the store, without `.gpg`.
///
/// A name that comes from outside (a request, a file name) becomes one only when every part of it is a plain name, so a
/// path that is made from it cannot leave the store, and showing it cannot confuse. Compared byte by byte: two names that
/// only look the same are two files.
public struct EntryName: Sendable, Comparable {
    /// So many bytes a name has at most.
    public static let byteLimit = 1024
    /// So many folders deep at most.
    public static let depthLimit = 32

    /// The parts, joined by slashes.
    public let text: String

    /// Nothing for a text that is not a plain path: empty parts, `.` and `..`, hidden parts, characters that control.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.byteLimit, parts.count <= Self.depthLimit,
            parts.allSatisfy({ NameFault(of: String(decoding: $0, as: UTF8.self)) == nil })
        else { return nil }
        self.text = text
    }

    /// Folders from the store down, then the entry's own name.
    public var parts: [String] { text.pathParts }

    /// The last part.
    public var title: String { parts.last ?? text }

    /// The folders from the store down.
    public var folders: [String] { parts.dropLast() }

    /// The name of the file in the last folder.
    public var file: String { title + ".gpg" }

    /// The path below the store.
    public var path: String { text + ".gpg" }

    /// Whether both are the same bytes.
    public static func == (left: EntryName, right: EntryName) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// The order of the bytes.
    public static func < (left: EntryName, right: EntryName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension EntryName: Hashable {
    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

/// Why one part of a path is not a plain name.
public enum NameFault: String, Sendable {
    case empty = "It has no name."
    case hidden = "Its name begins with a dot."
    case separator = "Its name holds a slash."
    case control = "Its name holds characters that control instead of being seen."
    case tooLong = "Its name is too long."

    /// Nothing when the part is a plain name.
    public init?(of part: String) {
        if part.isEmpty {
            self = .empty
        } else if part.utf8.first == UInt8(ascii: ".") {
            self = .hidden
        } else if part.utf8.contains(UInt8(ascii: "/")) {
            self = .separator
        } else if part.unicodeScalars.contains(where: Self.controls) {
            self = .control
        } else if part.utf8.count > 251 {
            // 255 is what file systems take; `.gpg` is part of it.
            self = .tooLong
        } else {
            return nil
        }
    }

    /// Line ends, terminal control, and what reorders or hides text. Joiners are part of how some languages are written.
    static func controls(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }
}
